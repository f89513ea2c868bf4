"""Runs that are killed, made in a process of its own: every orphan they leave becomes its child.

`python -m tests.graders.run.killing SUBMISSIONS FOLDER SEED TRIALS ISOLATION` makes one run that is
left alone and TRIALS that are killed and repeated, each in a folder of its own below FOLDER, and
prints as JSON what happened. A third of the trials have a pool of two processes; half of them, and
the run that is left alone, have inputs drawn from a given seed.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from graders import cli
from graders.exercise import all_exercises
from graders.gradebook import Gradebook
from graders.run import grading_run

PR_SET_CHILD_SUBREAPER = 36
GIVEN_INPUTS = ["--seed", "5"]
LONGEST_DELAY = 0.02
PATIENCE = 30.0


class Run:
    """One run of the command, forked from here, where everything is loaded already."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        self.told, tells = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(self.told)
            _become(arguments, folder, tells)
        os.close(tells)

    def moments(self, most: int) -> int:
        """Wait for `most` moments, or the end of the run, and return how many there were."""
        count = 0
        while count < most:
            told = os.read(self.told, most - count)
            if not told:
                break
            count += len(told)
        return count

    def kill(self, whole_group: bool) -> None:
        try:
            (os.killpg if whole_group else os.kill)(self.process, signal.SIGKILL)
        except ProcessLookupError:
            # It has had no time yet to make a group of its own: it is all there is.
            os.kill(self.process, signal.SIGKILL)

    def end(self) -> int:
        """Wait for its end and return its exit status; negative for the signal that ended it."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.told)
        return status


def _become(arguments: list[str], folder: Path, tells: int) -> None:
    status = 99
    try:
        os.setsid()
        folder.mkdir(parents=True, exist_ok=True)
        scratch = folder / "tmp"
        scratch.mkdir(exist_ok=True)
        os.environ["TMPDIR"] = str(scratch)
        tempfile.tempdir = None
        log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for stream in (1, 2):
            os.dup2(log, stream)
        for place, name in (
            (Gradebook, "begin"),
            (Gradebook, "enroll"),
            (Gradebook, "record"),
            (Gradebook, "results"),
            (Gradebook, "finish"),
            (grading_run, "write_whole"),
            (grading_run, "write_gradescope"),
        ):
            _tell_of(place, name, tells)
        cli.main(["grade", *arguments, "--out", str(folder / "out")], standalone_mode=False)
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        os._exit(status)


def _tell_of(place: object, name: str, tells: int) -> None:
    whole = getattr(place, name)

    def telling(*arguments: object) -> object:
        os.write(tells, b".")
        result = whole(*arguments)
        os.write(tells, b".")
        return result

    setattr(place, name, telling)


def orphans() -> list[str]:
    """Wait for the end of every process that a run has left; those that do not end, by name."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.01)
        except ChildProcessError:
            return []
    return _end_children()


def _end_children() -> list[str]:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = [Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ") for child in children]
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    return names


def trial(arguments: list[str], folder: Path, moments: int, numbers: random.Random) -> dict:
    """Kill a run at some moment, repeat it, and tell what happened."""
    moment = numbers.randint(0, moments)
    delay = numbers.uniform(0, LONGEST_DELAY)
    whole_group = numbers.random() < 0.5
    first = Run(arguments, folder)
    met = first.moments(moment)
    # The run may come to its end meanwhile; then there was nothing to kill.
    select.select([], [], [], delay)
    first.kill(whole_group)
    ended = first.end()
    second = Run(arguments, folder)
    second.moments(10**6)
    return {
        "folder": str(folder),
        "arguments": arguments,
        "moment": met,
        "delay": delay,
        "whole_group": whole_group,
        "first": ended,
        "second": second.end(),
        "left": orphans(),
        "files": [str(path) for path in (folder / "tmp").iterdir()]
        + [str(path) for path in (folder / "out").rglob(".*")],
    }


def main(submissions: str, folder: str, seed: str, trials: str, isolation: str) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    all_exercises()
    arguments = [submissions, "--isolation", isolation]
    alone = [*arguments, "--jobs", "2", *GIVEN_INPUTS]
    undisturbed = Run(alone, Path(folder) / "undisturbed")
    moments = undisturbed.moments(10**6)
    status = undisturbed.end()
    left = orphans()
    told = []
    for number in range(int(trials)):
        jobs, inputs = 1 + (number % 3 == 0), GIVEN_INPUTS if number % 2 else []
        own = [*arguments, "--jobs", str(jobs), *inputs]
        numbers = random.Random(f"{seed} {number}")
        told.append(trial(own, Path(folder) / str(number), moments, numbers))
    print(json.dumps({"moments": moments, "status": status, "left": left, "trials": told}))


if __name__ == "__main__":
    main(*sys.argv[1:])
