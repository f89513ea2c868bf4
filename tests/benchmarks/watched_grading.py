"""`autograd-lessons grade` as a process that tells when it kept each result, and what it takes.

python -m tests.benchmarks.watched_grading SUBMISSIONS OUT TIMES
"""

import compileall
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TextIO

ROOT = Path(__file__).parents[2]
INSTALLED = ("autograd_core", "graders", "lessons", "tests/benchmarks")
WATCHED = "graders.gradebook"
SAMPLE_SECONDS = 0.25
MEGABYTE = 1e6

KERNEL = ctypes.CDLL(None)
COMPARE, MEMORY = {"x86_64": 312, "aarch64": 272}, 1
"""The kernel's call `kcmp`, and what of two processes it is to compare."""


class Watched(NamedTuple):
    """A run: when each result was kept, when all was done, and the memory now and then.

    Times are in seconds from the start of the process; a sample is a time and megabytes.
    """

    results: list[float]
    seconds: float
    samples: list[tuple[float, float]]

    @property
    def megabytes(self) -> float:
        """The most memory at any time."""
        return max(megabytes for _, megabytes in self.samples)


def watch(submissions: Path, out: Path) -> Watched:
    """Grade `submissions` with an installation of its own."""
    with tempfile.TemporaryDirectory() as folder:
        install(Path(folder))
        return _watch(submissions.absolute(), out.absolute(), Path(folder))


def install(folder: Path) -> None:
    """Put the packages into `folder` as an installation has them: compiled.

    Isolated workers look for compiled files beside the sources and nowhere else.
    """
    for package in INSTALLED:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    compileall.compile_dir(folder, quiet=1)


def _watch(submissions: Path, out: Path, installed: Path) -> Watched:
    notes = out.with_suffix(".times")
    command = [sys.executable, "-m", __name__, str(submissions), str(out), str(notes)]
    samples = []
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None:
        samples.append((time.monotonic() - start, megabytes_of_tree(process.pid)))
        time.sleep(SAMPLE_SECONDS)
    seconds = time.monotonic() - start
    if process.returncode:
        raise RuntimeError(f"grading ended with status {process.returncode}")
    kept = [float(line) - start for line in notes.read_text(encoding="utf-8").split()]
    return Watched(kept, seconds, samples)


def megabytes_of_tree(top: int) -> float:
    """The memory of a process and all below it, as PSS: what several share is counted once.

    Of a process that may not be looked into it is what it shares with no file.
    """
    processes = _tree(top)
    alone = [each for each in processes if not _is_in_memory_of(_parent(each), each)]
    return sum(map(_bytes_of, alone)) / MEGABYTE


def _is_in_memory_of(parent: int, process: int) -> bool:
    """Whether the two have one memory, as a sleeper has its nursery's; no where nobody may ask."""
    if (call := COMPARE.get(os.uname().machine)) is None:
        return False
    return KERNEL.syscall(call, parent, process, MEMORY, 0, 0) == 0


def _parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0  # it has ended


def _tree(top: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        children.setdefault(_parent(int(folder.name)), []).append(int(folder.name))
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


class Noting:
    """Has the gradebook tell when it has kept a result: from when it is imported, not before.

    What is imported ahead of the command would spare the command what it takes.
    """

    def __init__(self, times: TextIO) -> None:
        self._times = times

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The import system's question: where is `name`?"""
        if name != WATCHED:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.loader is not None
        execute = spec.loader.exec_module

        def executed(module: ModuleType) -> None:
            execute(module)
            self._watch(module.Gradebook)

        spec.loader.exec_module = executed  # type: ignore[method-assign]  # of this loader alone
        return spec

    def _watch(self, gradebook: type) -> None:
        record = gradebook.record  # type: ignore[attr-defined]  # of a class known when it is there

        def noted(*arguments: object) -> None:
            record(*arguments)
            print(time.monotonic(), file=self._times, flush=True)

        gradebook.record = noted  # type: ignore[attr-defined]  # as above


def main(submissions: str, out: str, notes: str) -> None:
    """Grade as the command line does, with the time of each result in the file `notes`."""
    times = open(notes, "w", encoding="utf-8")  # noqa: SIM115  (the process ends with it)
    sys.meta_path.insert(0, Noting(times))

    from graders.cli import main as command_line

    command_line(["grade", submissions, "--out", out])


if __name__ == "__main__":
    main(*sys.argv[1:])
