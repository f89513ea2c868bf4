import ast
import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import graders
from graders.answer import told_by_signal
from graders.isolation import (
    Isolation,
    IsolationUnavailable,
    Limits,
    _early,
    backend,
    choose,
    head_start,
)
from graders.isolation import bubblewrap as bubblewrap_module
from graders.isolation import landlock as landlock_module
from graders.isolation import nursery as nurseries
from graders.isolation.nursery import WorkerFailed
from graders.isolation.process import WorkerEnded, WorkerProcess
from graders.isolation.view import worker_view
from tests.graders.workers import ISOLATING, outcomes

GRADERS = Path(graders.__file__).resolve().parent

REFUSED = {
    "a TCP socket": "import socket; socket.socket()",
    "a UNIX socket": "import socket; socket.socket(socket.AF_UNIX)",
    "a datagram pair": "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "a process": "import os; os.fork()",
    "another program": "import subprocess; subprocess.run(['true'])",
    "replacing itself": "import os; os.execv('/bin/true', ['true'])",
    "a thread": "import threading; threading.Thread(target=print).start()",
    "a signal to the parent": "import os; os.kill(os.getppid(), 0)",
    "a signal to its group": "import os; os.kill(0, 9)",
    "a signal to everybody": "import os; os.kill(-1, 9)",
    "another user": "import os; os.setuid(0)",
    "changing NumPy": "import numpy; open(numpy.__file__, 'a')",
    "changing the engine": "import autograd_core; open(autograd_core.__file__, 'a')",
    "the list of users": "open('/etc/passwd').read()",
    "the solutions": f"open({str(GRADERS / 'exercises' / 'fn_square.py')!r}).read()",
    "the judge": f"open({str(GRADERS / 'judging' / 'judge.py')!r}).read()",
    "importing the solutions": (
        "import graders.exercises.fn_square as solutions\n"
        "assert type(solutions.EXERCISE).__name__ == 'Exercise'"
    ),
    "other processes": "open('/proc/1/environ').read()",
    "its own memory's file": "open('/proc/self/mem')",
    "a device": "open('/dev/mem')",
    "more than its memory": "bytearray(2 * 1024**3)",
    "a signal by way of a pipe": (
        "import fcntl, os; fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, os.getppid())"
    ),
    "a lease that others would have to wait for": (
        "import fcntl, os; fcntl.fcntl(os.open(os.__file__, 0), 1024, fcntl.F_RDLCK)"
    ),
    "NumPy's permissions": "import os, numpy; os.fchmod(os.open(numpy.__file__, 0), 0)",
    "NumPy's times": "import os, numpy; os.utime(os.open(numpy.__file__, 0), (1, 1))",
    "NumPy's length": "import os, numpy; os.truncate(numpy.__file__, 0)",
}

NOTHING = {"cells": [], "skip": [], "exercises": []}


def endless():
    return {**NOTHING, "cells": [{"index": 0, "source": "while True: pass"}]}


@pytest.fixture(scope="module", params=ISOLATING)
def isolation(request):
    return request.param


@pytest.fixture(scope="module")
def probed(isolation):
    found = outcomes(isolation, list(REFUSED.values()))
    return {name: outcome for name, (outcome, _) in zip(REFUSED, found, strict=True)}


def test_this_machine_can_isolate():
    assert ISOLATING
    assert choose("auto").name == ISOLATING[0]


@pytest.mark.parametrize("attempt", REFUSED)
def test_a_worker_is_refused(probed, attempt):
    assert probed[attempt] != "ok"


def test_a_worker_has_no_privileges_and_no_environment(isolation):
    cells = [
        "import os; print(0 in (os.getuid(), os.geteuid(), os.getgid()), 0 in os.getgroups())",
        "import os; print(sorted(os.environ))",
    ]

    (_, ids), (_, environment) = outcomes(isolation, cells)

    assert ids == "False False\n"
    # bubblewrap itself adds the name of the working folder.
    assert set(ast.literal_eval(environment)) - {"PWD"} == set(backend.ENVIRONMENT)


def test_honest_code_finds_what_it_needs(isolation):
    cells = [
        "import numpy as np; print(np.linalg.matrix_rank(np.eye(300) @ np.eye(300)))",
        "import dataclasses, decimal, functools, json, math, random, sqlite3, ssl, statistics",
        "import autograd_core as torch\n"
        "x = torch.tensor(3.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad.item())",
        "import asyncio\nawait asyncio.sleep(0.001)\nprint('slept')",
        "import os, time; time.sleep(0.001); os.urandom(4); os.kill(os.getpid(), 0)",
        "with open('/dev/null', 'w') as sink: sink.write('gone')",
    ]

    found = outcomes(isolation, cells)

    assert [outcome for outcome, _ in found] == ["ok"] * len(cells)
    assert [printed for _, printed in found[:4]] == ["300\n", "", "6.0\n", "slept\n"]


def test_files_of_others_cannot_be_read(isolation, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the gradebook")

    ((outcome, printed),) = outcomes(isolation, [f"print(open({str(secret)!r}).read())"])

    assert outcome != "ok"
    assert printed == ""


def test_nothing_is_left_running(isolation):
    marked = Limits(output_bytes=54_321)
    with WorkerProcess(choose(isolation), marked, NOTHING) as worker:
        worker.wait_until_ready()
    nursery = set(_processes_with("54321"))
    assert nursery

    with WorkerProcess(choose(isolation), marked, endless()) as worker:
        worker.wait_until_ready()
        assert set(_processes_with("54321")) > nursery

    assert_processes("54321", nursery)
    nurseries.close_all()
    assert_processes("54321", set())


def test_without_descriptors_no_nursery_gets_lost(isolation, monkeypatch):
    marked = Limits(output_bytes=54_323)
    with WorkerProcess(choose(isolation), marked, NOTHING) as worker:
        worker.wait_until_ready()
    nursery = set(_processes_with("54323"))
    with monkeypatch.context() as patch:
        patch.setattr("graders.isolation.process.os.pipe", exhausted)
        for _ in range(3):
            with pytest.raises(OSError, match="Too many open files"):
                WorkerProcess(choose(isolation), marked, NOTHING)

    assert_processes("54323", nursery)
    nurseries.close_all()
    assert_processes("54323", set())


def exhausted():
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def assert_processes(text, expected):
    # The last of them may still be on its way out.
    for _ in range(100):
        if set(_processes_with(text)) == expected:
            break
        subprocess.run(["sleep", "0.05"], check=True)
    assert set(_processes_with(text)) == expected


def _processes_with(text):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_a_worker_ends_with_its_grader(isolation):
    script = (
        "import os, time\n"
        "from graders.isolation import Limits, choose\n"
        "from graders.isolation.process import WorkerProcess\n"
        "request = {'cells': [{'index': 0, 'source': 'while True: pass'}], 'skip': [],"
        " 'exercises': []}\n"
        f"worker = WorkerProcess(choose({isolation!r}), Limits(output_bytes=65_432), request)\n"
        "worker.wait_until_ready()\n"
        "os._exit(0)\n"
    )

    subprocess.run([sys.executable, "-c", script], check=True, cwd=GRADERS.parent)

    assert_processes("65432", set())


def test_nothing_of_the_graders_is_shown_but_the_observers():
    shown = worker_view().shown()

    assert (GRADERS / "observe") in shown
    for secret in ("exercises", "judging/judge.py", "gradebook/file.py", "isolation/backend.py"):
        assert not [path for path in shown if (GRADERS / secret).is_relative_to(path)]


def test_no_folder_of_installed_packages_is_shown_as_a_whole():
    packages = Path(np.__file__).resolve().parent.parent

    assert not [path for path in worker_view().shown() if packages.is_relative_to(path)]


def test_without_bubblewrap_and_landlock_the_choice_says_how_to_get_them(monkeypatch):
    monkeypatch.setattr(bubblewrap_module.shutil, "which", lambda name: None)
    monkeypatch.setattr(landlock_module.landlock, "version", lambda: 0)

    with pytest.raises(IsolationUnavailable) as caught:
        choose.__wrapped__("auto")

    message = str(caught.value)
    for part in ("apt-get install bubblewrap", "5.13", "--isolation none", "not installed"):
        assert part in message


def test_without_bubblewrap_landlock_is_chosen(monkeypatch):
    monkeypatch.setattr(bubblewrap_module.shutil, "which", lambda name: None)
    expected = "landlock" if "landlock" in ISOLATING else None

    try:
        chosen = choose.__wrapped__("auto").name
    except IsolationUnavailable:
        chosen = None

    assert chosen == expected


def test_a_bubblewrap_that_does_not_work_is_not_chosen(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho bwrap: no namespaces here >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap_module.shutil, "which", lambda name: str(broken))

    with pytest.raises(IsolationUnavailable, match="no namespaces here"):
        choose.__wrapped__("bubblewrap")


def test_none_is_never_chosen_unasked():
    assert choose("auto").name != "none"
    assert choose("none").name == "none"
    assert choose("none").limitations


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="'docker'"):
        choose("docker")


@pytest.mark.parametrize("change", [{"seconds": 0}, {"memory_bytes": -1}])
def test_limits_are_positive(change):
    with pytest.raises(ValueError, match="positive"):
        Limits(**change)


class Scripted(Isolation):
    """What a script does in the place of a nursery; CONTROL stands for its socket."""

    name = "scripted"

    def __init__(self, script):
        self.script = script

    def command(self, limits, control):
        return [sys.executable, "-c", self.script.replace("CONTROL", str(control))]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("raise SystemExit('no interpreter')", "no interpreter"),
        ("raise SystemExit(7)", "status 7"),
        ("import os; os.write(CONTROL, b'r')", "status 0"),
    ],
)
def test_a_nursery_that_cannot_start_says_why(script, why):
    with pytest.raises(WorkerFailed, match=why):
        WorkerProcess(Scripted(script), Limits(), NOTHING).wait_until_ready()


@pytest.mark.parametrize(
    ("cell", "number"),
    [("import os; os._exit(3)", 0), ("import ctypes; ctypes.memset(0, 0, 1)", 11)],
)
def test_the_end_of_a_worker_tells_its_signal(isolation, cell, number):
    request = {**NOTHING, "cells": [{"index": 0, "source": cell}]}
    with WorkerProcess(choose(isolation), Limits(), request) as worker:
        worker.wait_until_ready()
        assert worker.event(time.monotonic() + 30)["event"] == "cell"

        with pytest.raises(WorkerEnded) as caught:
            worker.event(time.monotonic() + 30)

    assert caught.value.signal == number


def test_processor_time_is_limited_and_told_as_time(isolation):
    brief = Limits(submission_seconds=0.5)
    with WorkerProcess(choose(isolation), brief, endless()) as worker:
        worker.wait_until_ready()
        worker.event(time.monotonic() + 30)

        with pytest.raises(WorkerEnded) as caught:
            worker.event(time.monotonic() + 60)

    assert told_by_signal(caught.value.signal) == ("timeout", None)


def test_workers_of_one_nursery_share_nothing(isolation):
    leave_traces = (
        "import sys, numpy, autograd_core, pathlib\n"
        "sys.modules['trace'] = numpy.trace = autograd_core.trace_of_mine = 'left behind'\n"
        "try: pathlib.Path('left.txt').write_text('left behind')\n"
        "except OSError: pass"
    )
    look_for_them = (
        "import sys, numpy, autograd_core, os\n"
        "print(sys.modules.get('trace'), numpy.trace == 'left behind',\n"
        "      'trace_of_mine' in vars(autograd_core), os.path.exists('left.txt'))"
    )

    outcomes(isolation, [leave_traces])
    ((outcome, printed),) = outcomes(isolation, [look_for_them])

    assert outcome == "ok"
    assert printed == "None False False False\n"


def test_a_nursery_goes_on_after_a_worker_was_stopped(isolation):
    limits = Limits(output_bytes=43_210)
    with WorkerProcess(choose(isolation), limits, endless()) as worker:
        worker.wait_until_ready()
        nursery = worker._nursery

    with WorkerProcess(choose(isolation), limits, NOTHING) as worker:
        worker.wait_until_ready()

        assert worker._nursery is nursery


def test_two_workers_at_a_time_have_a_nursery_each(isolation):
    with (
        WorkerProcess(choose(isolation), Limits(), NOTHING) as one,
        WorkerProcess(choose(isolation), Limits(), NOTHING) as other,
    ):
        one.wait_until_ready()
        other.wait_until_ready()

        assert one._nursery is not other._nursery


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=7)])
def test_what_got_ready_early_is_what_the_chosen_isolation_works_with(isolation, limits):
    with head_start(isolation, limits):
        (nursery,) = nurseries._idle[_early[isolation], limits]
        chosen = choose.__wrapped__(isolation, limits)
        with WorkerProcess(chosen, limits, NOTHING) as worker:
            assert worker._nursery is nursery

    assert not nursery.usable


def test_a_nursery_handed_over_works_in_a_copy_of_its_process(isolation):
    nursery = nurseries.Nursery(choose(isolation), Limits())
    told, tell = os.pipe()
    copy = os.fork()
    if copy == 0:
        try:
            nursery.take_over()
            nurseries._idle.clear()
            nurseries.give_back(nursery.isolation, nursery)
            with WorkerProcess(nursery.isolation, Limits(), NOTHING) as worker:
                worker.wait_until_ready()
                used = worker._nursery is nursery
            nursery.close()
            os.write(tell, b"yes" if used and not nursery.usable else b"no")
        finally:
            os._exit(0)
    os.close(tell)
    nursery.hand_over()
    os.waitpid(copy, 0)
    try:
        assert os.read(told, 10) == b"yes"
        assert not nursery.usable
    finally:
        nursery.close()
        os.close(told)
