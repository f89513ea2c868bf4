"""Which checks are timed, and what is told of them, with times that are given."""

import os

import pytest

from graders.exercise import all_exercises
from graders.progress.kept import VARIABLE

from . import checks


@pytest.fixture
def timed(monkeypatch):
    """Every solution that is timed, in order; each takes longer than the one before."""
    solutions = []

    def seconds(exercise, solution):
        solutions.append(solution)
        return len(solutions) * 1e-4

    monkeypatch.setattr(checks, "seconds", seconds)
    return solutions


def test_every_reference_and_every_misconception_is_timed(timed):
    found = checks.rows()

    for exercise in all_exercises():
        assert exercise.reference in timed
        assert all(each.solution in timed for each in exercise.misconceptions)
    assert len(found) == 2 * len(all_exercises()) + 1


def test_the_slowest_misconception_and_the_slowest_of_all_are_named(timed):
    first, *_, last = all_exercises()
    found = checks.rows()

    assert found[0].workload == f"{first.id}: reference"
    assert found[1].workload == f"{first.id}: {first.misconceptions[-1].id}"
    assert found[-1].workload == f"slowest: {last.id}: {last.misconceptions[-1].id}"
    assert {row.rival_seconds for row in found} == {checks.LIMIT}


def test_nobodys_progress_is_touched(monkeypatch):
    folders = []
    monkeypatch.setattr(checks, "seconds", lambda *each: folders.append(os.environ[VARIABLE]) or 1)
    before = os.environ[VARIABLE]
    checks.rows()

    assert before not in folders
    assert os.environ[VARIABLE] == before
