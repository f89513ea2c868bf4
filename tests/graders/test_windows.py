"""What a learner needs works without the modules and functions that only a Unix has."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.isolation import IsolationUnavailable, choose

ROOT = Path(__file__).parents[2]
LIKE_WINDOWS = """
import ctypes, os, signal, sys
import numpy

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "grp", "pwd", "resource", "termios"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

class Libraries(ctypes.CDLL):
    def __init__(self, name, *rest, **options):
        if name is None:
            raise TypeError("LoadLibrary() argument 1 must be str, not None")
        super().__init__(name, *rest, **options)

sys.meta_path.insert(0, Absent())
ctypes.CDLL = Libraries
for module, names in {
    os: "fork getuid geteuid getgid killpg pidfd_open memfd_create register_at_fork"
        " sched_getaffinity setsid uname O_NOFOLLOW O_NONBLOCK",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGSYS SIGXCPU setitimer",
}.items():
    for name in names.split():
        vars(module).pop(name, None)
"""

IN_A_NOTEBOOK = """
import autograd_core as torch
from graders import check, progress
from lessons.widgets import memory, record, reveal, side_by_side, step

def slope(x):
    return 2 * x

print(check("welcome-slope"))
print(progress("00"))
with record() as program:
    torch.tensor(2.0, requires_grad=True).exp().backward()
step(torch.tensor(2.0, requires_grad=True).exp())
"""

AT_THE_TERMINAL = """
from graders.cli import main
main({!r})
"""


def run(code, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", LIKE_WINDOWS + code],
        env={**os.environ, "AUTOGRAD_LESSONS_DATA": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_a_lesson_runs(tmp_path):
    # Progress is kept with a lock that Windows has, and this machine has not.
    assert "passed (2 of 2 points)" in run(IN_A_NOTEBOOK, tmp_path)


def test_the_lessons_are_copied(tmp_path):
    command = ["lab", "--copy-only", "--dir", str(tmp_path / "lessons")]

    assert "00_welcome.ipynb" in run(AT_THE_TERMINAL.format(command), tmp_path)
    assert (tmp_path / "lessons" / "09_capstone.ipynb").is_file()


def test_an_exercise_is_tested(tmp_path):
    command = ["selftest", "--exercise", "fn-square", "--seed", "1"]

    assert "All is as it should be" in run(AT_THE_TERMINAL.format(command), tmp_path)


@pytest.mark.parametrize("name", ["auto", "none"])
def test_grading_says_where_it_can_be_done(name, tmp_path, monkeypatch):
    monkeypatch.setattr("graders.isolation.os", SimpleNamespace(name="nt"))
    (tmp_path / "class").mkdir()
    options = ["--out", str(tmp_path / "graded"), "--isolation", name]
    told = CliRunner().invoke(main, ["grade", str(tmp_path / "class"), *options])

    assert told.exit_code == 2
    assert "Windows Subsystem for Linux" in told.output
    with pytest.raises(IsolationUnavailable, match="Windows Subsystem for Linux"):
        choose.__wrapped__(name)
