"""The badge that opens the lessons on Binder: `python binder/badge.py` prints it.

It leads to the repository that the remote `origin` names; `--write` puts it at the top of the
README, or replaces the one that is there.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

README = Path(__file__).parent.parent / "README.md"
WELCOME = "lab/tree/autograd-lessons/00_welcome.ipynb"
HOSTS = {"github.com": "gh", "gitlab.com": "gl"}
BADGE = re.compile(r"^\[!\[[^]]*\]\([^)]*\)\]\(https://mybinder\.org/[^)]*\)\n", re.MULTILINE)


def badge(remote: str) -> str:
    """Return the badge, in Markdown, of the repository at the address `remote`.

    Raises ValueError when the address does not name a host.
    """
    return (
        "[![Open the lessons on Binder](https://mybinder.org/badge_logo.svg)]"
        f"(https://mybinder.org/v2/{_place(remote)}/HEAD?urlpath={quote(WELCOME, safe='')})"
    )


def written(readme: str, line: str) -> str:
    """Return the text of a README with the badge `line` below its first heading."""
    # Only above the first section: badges further down may be examples.
    head, section, rest = readme.partition("\n## ")
    if BADGE.search(head):
        return BADGE.sub(lambda _: f"{line}\n", head, count=1) + section + rest
    heading, rest = readme.split("\n", 1)
    return f"{heading}\n\n{line}\n{rest}"


def _place(remote: str) -> str:
    """Return the repository as Binder's addresses name it: the host's kind, and the path there."""
    found = re.fullmatch(
        r"(?:\w+://)?(?:[^@/]+@)?([\w.-]+\.\w+)(?::\d+)?[:/](.+?)(\.git)?/?", remote
    )
    if not found:
        raise ValueError(
            f"{remote or 'nothing'} is not an address on the web. Push the repository to a public"
            " host such as GitHub, and name it: git remote add origin ADDRESS"
        )
    host, path = found[1], found[2]
    if host not in HOSTS:
        return "git/" + quote(f"https://{host}/{path}", safe="")
    return f"{HOSTS[host]}/{path if host == 'github.com' else quote(path, safe='')}"


def main() -> None:
    """Print the badge, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put it at the top of the README")
    options = parser.parse_args()
    command = ["git", "-C", str(README.parent), "remote", "get-url", "origin"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        line = badge(answer.stdout.strip())
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    print(line)
    if options.write:
        README.write_text(written(README.read_text(encoding="utf-8"), line), encoding="utf-8")


if __name__ == "__main__":
    main()
