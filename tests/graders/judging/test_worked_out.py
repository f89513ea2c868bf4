"""What was worked out once is found by every process that was forked after, whoever is killed."""

import multiprocessing
import os
import signal

import pytest

from graders.executors import local
from graders.judging import worked_out as module
from graders.judging.worked_out import LENGTHS, WorkedOut

KEY = ("exercise", "idea", "check", 7)


@pytest.fixture
def shared():
    worked_out = WorkedOut()
    yield worked_out
    worked_out.close()


def in_another_process(action):
    process = multiprocessing.get_context("fork").Process(target=action)
    process.start()
    process.join(30)
    return process.exitcode


def never():
    raise AssertionError("it is known")


def test_what_one_process_works_out_another_finds(shared):
    assert in_another_process(lambda: shared.get(KEY, lambda: {"found": [1.5]})) == 0
    assert shared.get(KEY, never) == {"found": [1.5]}
    assert shared.get((*KEY[:3], 8), lambda: "other inputs") == "other inputs"
    assert in_another_process(lambda: shared.get((*KEY[:3], 8), never)) == 0


@pytest.mark.parametrize("announced", [(3, 5), (1 << 40, 1 << 40)])
def test_who_is_killed_while_writing_leaves_nothing_that_is_read(shared, announced):
    def killed():
        os.pwrite(shared._file, LENGTHS.pack(*announced) + b"hal", 0)
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_another_process(killed) == -signal.SIGKILL
    assert shared.get(KEY, lambda: "mine") == "mine"
    assert in_another_process(lambda: shared.get(KEY, never)) == 0
    assert shared.get(KEY, never) == "mine"


def test_who_has_no_room_for_it_has_it_all_the_same(shared, monkeypatch):
    def no_space(file, data, place):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", no_space)
    assert shared.get(KEY, lambda: "first") == "first"
    monkeypatch.undo()

    assert shared.get(KEY, lambda: "second") == "second"
    assert shared.get(KEY, never) == "second"


def test_no_more_is_kept_than_there_is_room_for(shared, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 200)

    assert shared.get(KEY, lambda: "x" * 300) == "x" * 300
    assert shared.get(KEY, lambda: "again") == "again"
    assert shared.get(KEY, never) == "again"


def test_a_run_of_several_processes_frees_it_at_its_end(monkeypatch):
    made = []
    monkeypatch.setattr(local, "Lane", lambda *arguments: made.append(arguments))
    monkeypatch.setattr(module, "WorkedOut", lambda: made.append(WorkedOut()) or made[-1])
    place = local.Local(2)

    place.begin(settings=None)
    (worked_out,) = (each for each in made if isinstance(each, WorkedOut))
    os.fstat(worked_out._file)
    place._lanes.clear()
    place.__exit__(None, None, None)

    with pytest.raises(OSError, match="Bad file"):
        os.fstat(worked_out._file)
