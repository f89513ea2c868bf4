"""A run that is killed at any moment and started again comes to the same end as one left alone."""

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from graders.exercise import exercises_of, source_of
from graders.gradebook import Gradebook
from graders.report import summarize
from tests.graders.environment import ROOT, importing_from
from tests.graders.test_cli import grade, hand_in, notebook
from tests.graders.workers import ISOLATING

LESSON = "00_welcome"
STUDENTS = 60
TRIALS = 20
SEED = 20_240
"""Draws the moments; another number is another twenty."""


def solutions():
    """Right, wrong in every known way, untouched, broken and unreadable."""
    (exercise,) = exercises_of(LESSON)
    ideas = [exercise.reference, *(each.solution for each in exercise.misconceptions)]
    yield from (notebook({exercise.id: source_of(each, exercise.symbol)}) for each in ideas)
    yield notebook({exercise.id: exercise.starter})
    yield notebook({exercise.id: "this is no Python"})
    yield '{"cells": ['


@pytest.fixture(scope="module")
def class_of_sixty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    texts = list(solutions())
    for number in range(STUDENTS):
        hand_in(folder, f"student {number:02}", texts[number % len(texts)], LESSON)
    return folder


@pytest.fixture(scope="module")
def killed(class_of_sixty, tmp_path_factory):
    """What became of all runs; see `tests/graders/run/killing.py`."""
    folder = tmp_path_factory.mktemp("killed")
    isolation = ISOLATING[0] if ISOLATING else "none"
    arguments = [class_of_sixty, folder, SEED, TRIALS, isolation]
    done = subprocess.run(
        [sys.executable, "-m", "tests.graders.run.killing", *map(str, arguments)],
        cwd=ROOT,
        env=importing_from(),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


def found(out, given_inputs):
    """All that is in the gradebook, but for times and, unless they were given, the inputs."""
    with Gradebook(out / "gradebook.db") as book:
        results = [replace(each, seconds=0.0) for each in book.results()]
    return results if given_inputs else [without_inputs(each) for each in results]


def without_inputs(grading):
    """`grading` without what students printed, and without values, which are drawn anew."""
    verdicts = [
        replace(
            verdict,
            output="",
            checks=tuple(replace(check, details="") for check in verdict.checks),
        )
        for verdict in grading.verdicts
    ]
    return replace(grading, verdicts=tuple(verdicts), seed=0)


def written(out, given_inputs):
    """All result files, but for the times in them and, as above, what was printed."""
    texts = {}
    for path in [out / "grades.csv", *out.glob("feedback/*"), *out.glob("gradescope/*")]:
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            text = {**json.loads(text), "execution_time": 0}
        elif not given_inputs:
            text = re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)
        texts[str(path.relative_to(out))] = text
    return texts


def test_a_run_that_is_left_alone_grades_everybody_and_leaves_nothing(killed):
    folder, told = killed
    results = found(folder / "undisturbed" / "out", True)
    assert (told["status"], told["left"], len(results)) == (1, [], STUDENTS)
    assert len(written(folder / "undisturbed" / "out", True)) == 1 + 2 * STUDENTS
    assert {v.status for each in results for v in each.verdicts} >= {"passed", "error"}


@pytest.mark.parametrize("number", range(TRIALS))
def test_a_killed_run_comes_to_the_same_end(killed, number):
    folder, told = killed
    trial = told["trials"][number]
    out, undisturbed = Path(trial["folder"]) / "out", folder / "undisturbed" / "out"
    assert trial["second"] == 1, (trial, (Path(trial["folder"]) / "log").read_text("utf-8"))
    given = "--seed" in trial["arguments"]
    assert found(out, given) == found(undisturbed, given), trial
    assert written(out, given) == written(undisturbed, given), trial
    assert summarize(found(out, given)) == summarize(found(undisturbed, given)), trial
    assert (out / "report.html").exists()


@pytest.mark.parametrize("number", range(TRIALS))
def test_it_leaves_no_process_and_no_file(killed, number):
    trial = killed[1]["trials"][number]
    assert (trial["left"], trial["files"]) == ([], []), trial


def test_the_moments_lie_all_over_the_run_and_both_ways_of_killing_occur(killed):
    trials = [each for each in killed[1]["trials"] if each["first"] == -9]
    assert len(trials) >= TRIALS - 2
    parts = {each["moment"] * 4 // (killed[1]["moments"] + 1) for each in trials}
    assert parts == {0, 1, 2, 3}
    assert {each["whole_group"] for each in trials} == {True, False}


@pytest.mark.parametrize(
    ("stop", "status"),
    [
        pytest.param(lambda: signal.raise_signal(signal.SIGINT), 130, id="Ctrl-C"),
        pytest.param(lambda: signal.raise_signal(signal.SIGTERM), 143, id="a batch system"),
    ],
)
def test_a_run_that_is_stopped_before_its_first_submission_says_so(
    tmp_path, monkeypatch, stop, status
):
    monkeypatch.setattr(
        "graders.run.grading_run.GradingRun.__init__", lambda self, *about, **more: stop()
    )
    hand_in(tmp_path / "class", "ada", notebook({}))
    result = grade(tmp_path / "class", tmp_path / "out")

    assert result.exit_code == status
    assert "the same command goes on from there" in result.output


@pytest.mark.skipif(not ISOLATING, reason="this system cannot isolate")
def test_a_run_that_a_batch_system_ends_says_what_becomes_of_it(tmp_path):
    (exercise,) = exercises_of(LESSON)
    for student in ("ada", "ben"):
        hand_in(tmp_path / "class", student, notebook({exercise.id: "while True: pass"}), LESSON)
    begun = tmp_path / "out" / "gradebook.db-wal"
    arguments = ["grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-m", "graders", *arguments, "--timeout", "300"],
        cwd=ROOT,
        env=importing_from(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not begun.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        run.terminate()
        _, told = run.communicate(timeout=60)
    finally:
        run.kill()
        run.wait()

    assert (run.returncode, told.strip()) == (
        143,
        "Stopped. What was graded is kept; the same command goes on from there.",
    )
