"""Runs on a disk that is full, or read-only: a small file system mounted for this process alone.

`unshare --map-root-user --mount python -m tests.graders.gradebook.small_disk FOLDER` prints as JSON
what came of each run and of the files that were there before it.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

from graders.run import grading_run
from graders.run.batch import Settings
from tests.graders.test_cli import by_marks, grade, hand_in, right, wrong

SIZE = 4 * 2**20
STEPS = 24
STEP = 24 * 1024


def mount(disk: Path, *options: str) -> None:
    command = ["mount", "-t", "tmpfs", "-o", ",".join(["mode=755", f"size={SIZE}", *options])]
    subprocess.run([*command, "none", str(disk)], check=True)


def contents(out: Path) -> dict[str, str]:
    """What is in the files that are written whole."""
    return {
        str(path.relative_to(out)): path.read_text("utf-8")
        for path in sorted(out.rglob("*"))
        if path.is_file() and not path.name.startswith("gradebook.db")
    }


def fill(disk: Path, left: int) -> Path:
    """Fill `disk` but for `left` bytes, and return what to remove to have the room back."""
    filler = disk / "filler"
    filler.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - left)))
    return filler


def attempt(submissions: Path, out: Path) -> dict:
    before = contents(out)
    result = grade(submissions, out)
    after = contents(out)
    return {
        "status": result.exit_code,
        "says": result.output,
        "lost": [name for name in before if name not in after],
        "halves": [name for name, text in after.items() if not text.endswith(("\n", ">", "}"))],
        "scratch": [name for name in after if "writing" in name],
        "changed": [name for name in before if after.get(name) != before[name]],
    }


def main(folder: Path) -> None:
    grading_run.Settings = functools.partial(Settings, grade=by_marks)  # type: ignore[misc]  # a class gives way to one with an argument filled in
    disk, submissions = folder / "disk", folder / "submissions"
    disk.mkdir()
    mount(disk)
    out = disk / "out"
    told: dict = {"full": []}
    hand_in(submissions, "ada", right())
    told["first"] = attempt(submissions, out)
    sheet = (out / "grades.csv").read_text("utf-8")
    for number in range(6):
        hand_in(submissions, f"student {number}", wrong())
    hand_in(submissions, "ada", wrong())
    saved = folder / "saved"
    shutil.copytree(out, saved)
    for step in range(STEPS):
        shutil.rmtree(out)
        shutil.copytree(saved, out)
        filler = fill(disk, left=STEP * step)
        told["full"].append(attempt(submissions, out))
        told["full"][-1]["sheet kept"] = (out / "grades.csv").read_text("utf-8") == sheet
        filler.unlink()
        told["full"][-1]["again"] = attempt(submissions, out)
        told["full"][-1]["students"] = (out / "grades.csv").read_text("utf-8").count("fn-square")
    hand_in(submissions, "late", right())
    mount(disk, "remount", "ro")
    told["read-only"] = attempt(submissions, out)
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
