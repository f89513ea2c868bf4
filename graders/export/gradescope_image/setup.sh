#!/usr/bin/env bash
# Run once by Gradescope, when the image is built: installs what grading needs besides this archive.
set -euo pipefail
source="${AUTOGRADER_ROOT:-/autograder}/source"

recent_python() {
    local name
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$name" > /dev/null \
            && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            echo "$name"
            return
        fi
    done
    return 1
}

apt-get update
apt-get install -y bubblewrap python3-venv
if ! python="$(recent_python)"; then
    apt-get install -y python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv "$source/venv"
"$source/venv/bin/python" -m pip install --no-cache-dir -r "$source/requirements.txt"
