#!/usr/bin/env bash
# Run by Gradescope for each submission: grades it, and writes results/results.json.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
export PYTHONPATH="$root/source/packages"
exec "${AUTOGRADER_PYTHON:-$root/source/venv/bin/python}" -m graders.autograder "$root"
