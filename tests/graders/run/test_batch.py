import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graders.executors import shares
from graders.executors.local import Local
from graders.exercise import exercises_of
from graders.isolation import Limits
from graders.reading.submissions import Submission
from graders.run.batch import Job, Settings, complete
from tests.graders.classroom import entry, verdict
from tests.graders.environment import ROOT, importing_from

LESSON = "07_custom_functions"


def by_name(submission, isolation, limits, seed):
    """Grade a made-up submission as its student's name says."""
    if submission.student.startswith("crash"):
        os.kill(os.getpid(), signal.SIGKILL)
    if submission.student.startswith("raise"):
        raise RuntimeError("a bug")
    if submission.student.startswith("sleep"):
        print("asleep", os.getpid(), flush=True)
        time.sleep(600)
    return [verdict("fn-square", summary=f"seed {seed}")]


def job(student: str, seed: int = 1) -> Job:
    submission = Submission(student, LESSON, Path(student))
    return Job(entry(student), submission, seed)


def grade(students, processes):
    jobs = [job(student, seed) for seed, student in enumerate(students)]
    settings = Settings("none", Limits(), by_name)
    return {g.entry.student: g for g in Local(processes).grade_all(jobs, settings)}


@pytest.mark.parametrize("processes", [1, 2])
def test_every_job_is_graded_with_its_own_seed(processes):
    students = [f"student {n}" for n in range(9)]
    graded = grade(students, processes)
    assert sorted(graded) == students
    for seed, student in enumerate(students):
        first = graded[student].verdicts[
            [v.exercise for v in graded[student].verdicts].index("fn-square")
        ]
        assert first.summary == f"seed {seed}"
        assert graded[student].isolation == "none"
        assert graded[student].limits["seconds"] == 10


@pytest.mark.parametrize("processes", [1, 2])
def test_a_first_result_does_not_wait_until_all_is_read(processes):
    taken = []

    def read():
        for number in range(1_000_000):
            taken.append(number)
            yield job(f"student {number}")

    arriving = Local(processes).grade_all(read(), Settings("none", Limits(), by_name))
    next(arriving)
    arriving.close()
    assert len(taken) < 1_000_000


@pytest.mark.parametrize("processes", [1, 2])
def test_a_class_is_read_no_further_ahead_than_is_told(processes, monkeypatch):
    monkeypatch.setattr(shares, "LOOK_AHEAD", 5)
    taken, graded, ahead = 0, 0, []

    def read():
        nonlocal taken
        for number in range(60):
            taken += 1
            yield job(f"student {number}", number % 3)

    for _ in Local(processes).grade_all(read(), Settings("none", Limits(), by_name)):
        graded += 1
        ahead.append(taken - graded)
    assert graded == 60
    # What waits, and what the processes have been handed.
    assert max(ahead) <= 5 + 2 * processes + 1


def test_the_collector_sees_afterwards_what_it_saw_before(nothing_frozen):
    assert grade(["student"], 2)
    assert gc.get_freeze_count() == 0

    gc.freeze()
    assert grade(["student"], 2)
    assert gc.get_freeze_count() > 0


def test_the_order_of_grading_changes_nothing():
    students = [f"student {n}" for n in range(5)]
    alone, together = grade(students, 1), grade(students, 2)
    assert all(alone[name].verdicts == together[name].verdicts for name in students)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bug_of_the_grader_costs_one_submission(processes):
    graded = grade(["ada", "raise", "ben"], processes)
    assert {v.status for v in graded["raise"].verdicts} == {"error"}
    assert "The grader failed on this submission (RuntimeError)." in {
        v.summary for v in graded["raise"].verdicts
    }
    assert graded["raise"].isolation == ""
    assert any(v.status == "passed" for v in graded["ben"].verdicts)


def test_a_submission_that_ends_its_process_costs_the_others_nothing():
    students = ["ada", "crash", "ben", "cleo", "crash again", "dora"]
    graded = grade(students, 2)
    assert sorted(graded) == sorted(students)
    for name in ("crash", "crash again"):
        assert {v.status for v in graded[name].verdicts} == {"error"}
        assert "process ended" in graded[name].verdicts[0].summary
    for name in ("ada", "ben", "cleo", "dora"):
        assert any(v.status == "passed" for v in graded[name].verdicts)


def test_every_exercise_of_the_lesson_has_a_row_in_its_order():
    rows = complete(entry("ada"), [verdict("fn-square")])
    assert [row.exercise for row in rows] == [each.id for each in exercises_of(LESSON)]
    assert {row.status for row in rows if row.exercise != "fn-square"} <= {"error"}


def test_an_unreadable_submission_has_a_row_an_exercise_that_says_why():
    rows = complete(entry("ada", problem="The file ends in the middle."), [])
    assert [row.exercise for row in rows] == [each.id for each in exercises_of(LESSON)]
    assert {(row.status, row.points, row.summary) for row in rows} == {
        ("error", 0.0, "The file ends in the middle.")
    }
    assert all(row.max_points > 0 for row in rows)


def test_a_submission_of_no_lesson_has_one_row():
    (row,) = complete(entry("ada", "", problem="It has no notebook in it."), [])
    assert (row.exercise, row.status, row.max_points) == ("unknown", "error", 0)
    assert row.summary == "It has no notebook in it."


def ended(pid: int, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if status == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_a_run_that_is_ended(number):
    program = (
        "from tests.graders.run.test_batch import *\n"
        # Where the tests run in the background, shells have it ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "if __name__ == '__main__': grade(['sleep 1', 'sleep 2'], 2)"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=importing_from(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert run.stdout
    try:
        processes = [int(run.stdout.readline().split()[1]) for _ in range(2)]
        run.send_signal(number)
        run.wait(20)
    finally:
        run.kill()
        run.wait()
    assert all(ended(process) for process in processes)
