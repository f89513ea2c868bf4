"""The folder in which students' code may write: small, for one worker alone, gone afterwards."""

import os
import signal
import time

import pytest

from graders.isolation import Limits, choose
from graders.isolation import landlock as landlock_module
from graders.isolation.nursery import WorkerFailed
from graders.isolation.process import WorkerEnded, WorkerProcess
from tests.graders.workers import ISOLATING, outcomes


@pytest.fixture(params=ISOLATING)
def isolation(request):
    return request.param


def test_scratch_is_small_and_each_workers_own(isolation, tmp_path):
    limits = Limits(scratch_bytes=1024 * 1024)
    cells = [
        "open('mine.txt', 'w').write('hello')",
        "import tempfile; tempfile.TemporaryFile()",
        "import os\nos.write(os.open('program', os.O_CREAT | os.O_WRONLY, 0o755), b'#!/bin/true')\n"
        "os.execv('program', ['program'])",
        "for number in range(4):\n    open(f'{number}', 'wb').write(bytes(500_000))",
        f"open({str(tmp_path / 'theirs')!r}, 'w')",
    ]

    own, temporary, program, much, outside = [
        outcome for outcome, _ in outcomes(isolation, cells, limits)
    ]

    assert own == temporary == "ok"
    assert much.startswith("OSError: [Errno 28]")
    assert program.startswith("PermissionError")
    assert outside != "ok"
    assert list(tmp_path.iterdir()) == []
    ((_, left),) = outcomes(isolation, ["import os; print(os.listdir('.'))"])
    assert left == "[]\n"


TEMPORARY_FILES = """
import os, pathlib, pickle, shutil, tempfile
import numpy as np
here = os.getcwd()
assert tempfile.gettempdir() == os.environ["TMPDIR"] == here
with tempfile.TemporaryDirectory() as folder:
    np.save(os.path.join(folder, "a.npy"), np.ones(3))
    assert np.load(os.path.join(folder, "a.npy")).sum() == 3
with tempfile.NamedTemporaryFile("w", suffix=".txt") as stream:
    stream.write("hello")
    stream.flush()
    assert open(stream.name).read() == "hello"
pathlib.Path("sub").mkdir()
pathlib.Path("sub/one").write_text("1")
pathlib.Path("sub/one").rename("sub/other")
shutil.rmtree("sub")
mapped = np.memmap("mapped.bin", dtype="float32", mode="w+", shape=(10,))
mapped[:] = 1
assert os.stat("mapped.bin").st_size == 40
pickle.dump([1], open("kept.pkl", "wb"))
assert sorted(os.listdir()) == ["kept.pkl", "mapped.bin"]
"""


def test_temporary_files_are_made_as_usual(isolation):
    assert outcomes(isolation, [TEMPORARY_FILES]) == [["ok", ""]]


def test_nothing_that_was_written_can_be_run(isolation):
    copied = (
        "import shutil, sys, mmap, os\n"
        "shutil.copyfile(sys.executable or os.path.realpath(os.__file__), 'program')\n"
        "with open('program', 'r+b') as stream:\n"
        "    mmap.mmap(stream.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)\n"
    )

    ((outcome, _),) = outcomes(isolation, [copied])

    assert outcome.startswith("PermissionError: [Errno 1]")


@pytest.mark.skipif("landlock" not in ISOLATING, reason="the kernel has no Landlock")
def test_where_no_folder_can_be_had_there_is_none_and_that_is_said(tmp_path):
    isolation = landlock_module.Landlock()
    isolation.scratch = "/nonexistent"
    cells = ["print('fine')", "open('mine.txt', 'w')", f"open({str(tmp_path / 'x')!r}, 'w')"]
    request = {"cells": [{"index": n, "source": cell} for n, cell in enumerate(cells)]}
    errors = {}

    with WorkerProcess(isolation, Limits(), {**request, "skip": [], "exercises": []}) as worker:
        worker.wait_until_ready()
        while (event := worker.event(time.monotonic() + 30))["event"] != "done":
            if event["event"] == "cell_error":
                errors[event["index"]] = event["error"]["type"]

    assert errors == {1: "PermissionError", 2: "PermissionError"}
    assert "students' code has no folder of its own to write to" in isolation.limitations


def test_a_worker_ends_with_whoever_made_it(isolation):
    cells = [{"index": 0, "source": "import time\nwhile True: time.sleep(1)"}]
    request = {"cells": cells, "skip": [], "exercises": []}

    with WorkerProcess(choose(isolation), Limits(), request) as worker:
        worker.wait_until_ready()
        assert worker.event(time.monotonic() + 30)["event"] == "cell"
        os.kill(worker._nursery._process.pid, signal.SIGKILL)
        with pytest.raises((WorkerEnded, WorkerFailed)):
            worker.event(time.monotonic() + 30)
