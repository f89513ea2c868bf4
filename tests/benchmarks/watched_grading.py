"""`autograd-lessons grade` as a process that tells when it kept each result, and what it takes.

python -m tests.benchmarks.watched_grading SUBMISSIONS OUT
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
SAMPLE_SECONDS = 0.25
MEGABYTE = 1e6


class Watched(NamedTuple):
    """A run: when each result was kept, when all was done, and the most memory at any time."""

    results: list[float]
    seconds: float
    megabytes: float


def watch(submissions: Path, out: Path) -> Watched:
    """Grade `submissions`; times are in seconds from the start of the process."""
    notes = out.with_suffix(".times")
    command = [sys.executable, "-m", __name__, str(submissions), str(out), str(notes)]
    most = 0.0
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while process.poll() is None:
        most = max(most, megabytes_of_tree(process.pid))
        time.sleep(SAMPLE_SECONDS)
    seconds = time.monotonic() - start
    if process.returncode:
        raise RuntimeError(f"grading ended with status {process.returncode}")
    kept = [float(line) - start for line in notes.read_text(encoding="utf-8").split()]
    return Watched(kept, seconds, most)


def megabytes_of_tree(top: int) -> float:
    """The memory of a process and all below it, as PSS: what several share is counted once.

    Of a process that may not be looked into it is what it shares with no file.
    """
    return sum(map(_bytes_of, _tree(top))) / MEGABYTE


def _tree(top: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended
        children.setdefault(parent, []).append(int(folder.name))
    found = [top]
    for process in found:
        found += children.get(process, [])
    return found


def _bytes_of(process: int) -> int:
    folder = Path(f"/proc/{process}")
    try:
        lines = (folder / "smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except OSError:
        pass
    try:
        _, resident, shared, *_ = map(int, (folder / "statm").read_text().split())
    except OSError:
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")


def main(submissions: str, out: str, notes: str) -> None:
    """Grade as the command line does, with the time of each result in the file `notes`."""
    from graders.cli import main as command_line

    times = open(notes, "w", encoding="utf-8")  # noqa: SIM115  (the process ends with it)

    def note_records() -> None:
        from graders.gradebook import Gradebook

        record = Gradebook.record

        def noted(gradebook: Gradebook, grading: Any) -> None:
            record(gradebook, grading)
            print(time.monotonic(), file=times, flush=True)

        Gradebook.record = noted  # type: ignore[method-assign]  # watched from outside

    note_records()
    command_line(["grade", submissions, "--out", out])


if __name__ == "__main__":
    main(*sys.argv[1:])
