"""Every exercise held against itself: what should pass passes, what should not is named."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import autograd_core as torch
import graders
from graders.draws import all_from
from graders.exercise import all_exercises
from graders.observe import codec
from graders.observe.lab import observe
from graders.observe.scenarios import resolve
from graders.request import checks_of
from graders.selftest import (
    SEEDS,
    about_hints,
    about_misconceptions,
    about_reference,
    about_starter,
    about_variants,
    confusion,
    judged,
)

EXERCISES = all_exercises()
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.id)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def blocks_of_the_readme() -> list[str]:
    """Return the Python in `graders/README.md`, block by block."""
    text = Path(graders.__file__).with_name("README.md").read_text("utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_the_example_in_the_readme_is_an_exercise():
    namespace: dict = {}
    exec(blocks_of_the_readme()[0], namespace)
    exercise = namespace["EXERCISE"]
    (misconception,) = exercise.misconceptions

    assert judged(exercise, exercise.reference, 1).status == "passed"
    assert judged(exercise, misconception.solution, 1).findings == (misconception.id,)
    assert judged(exercise, exercise.started(), 1).status == "not_attempted"


def test_the_scenario_in_the_readme_works_as_sent_source():
    def step(parameters, rate):
        with torch.no_grad():
            for parameter in parameters:
                parameter -= rate * parameter.grad
                parameter.grad = None

    scenario = resolve({"source": blocks_of_the_readme()[1], "entry": "three_steps"})
    records = observe(scenario, step, {"w": np.float32(1), "rate": 0.1})["records"]

    assert codec.decode(records["w after three steps"]).values == pytest.approx(0.512)
    assert records["w is still a leaf"] is True


@every_exercise
@every_seed
def test_the_reference_passes_with_full_points(exercise, seed):
    assert list(about_reference(exercise, seed)) == []


@every_exercise
@every_seed
def test_right_solutions_in_other_styles_pass(exercise, seed):
    assert list(about_variants(exercise, seed)) == []


def in_quotation_marks(answer):
    """The numbers and truth values of `answer` as texts."""
    if isinstance(answer, dict):
        return {key: in_quotation_marks(value) for key, value in answer.items()}
    return str(answer) if isinstance(answer, bool | int | float) else answer


@pytest.mark.parametrize(
    "exercise", [each for each in EXERCISES if each.written], ids=lambda each: each.id
)
def test_written_answers_may_stand_between_quotation_marks(exercise):
    assert judged(exercise, in_quotation_marks(exercise.reference), 1).status == "passed"
    for each in exercise.misconceptions:
        assert judged(exercise, in_quotation_marks(each.solution), 1).misconception == each.id


@every_exercise
@every_seed
def test_each_misconception_is_rejected_and_named_as_itself(exercise, seed):
    assert list(about_misconceptions(exercise, seed)) == []


@every_exercise
def test_the_diagonal_of_the_confusion_matrix_is_full(exercise):
    matrix = confusion(exercise, SEEDS[0])
    assert list(matrix) == [each.id for each in exercise.misconceptions]
    assert {name: found[0] for name, found in matrix.items()} == {name: name for name in matrix}


@every_exercise
def test_hints_and_feedback_are_short_and_never_give_code(exercise):
    assert list(about_hints(exercise, 1)) == []


@every_exercise
def test_the_starter_is_not_attempted_and_stands_in_the_lesson(exercise):
    assert list(about_starter(exercise, 1)) == []


@every_exercise
def test_the_reference_is_observed_to_the_end(exercise):
    for check in exercise.checks:
        seen = observe(check.scenario, exercise.reference, exercise.inputs(check, 1))

        assert seen["error"] is None
        assert seen["records"], f"{check.name} looks at nothing"


@every_exercise
def test_scenarios_work_as_the_isolated_worker_gets_them(exercise):
    for check, packed in zip(
        exercise.checks, checks_of(exercise, all_from(exercise, 1)), strict=True
    ):
        request = pickle.loads(packed)

        sent = observe(resolve(request["scenario"]), exercise.reference, request["inputs"])

        assert sent == observe(check.scenario, exercise.reference, exercise.inputs(check, 1))


@every_exercise
def test_inputs_differ_from_seed_to_seed(exercise):
    for check in exercise.checks:
        one, other = (json.dumps(codec.encode(exercise.inputs(check, seed))) for seed in (1, 2))

        assert one != other


@every_exercise
def test_each_part_is_worth_what_can_be_written_in_full(exercise):
    whole = sum(check.weight for check in exercise.checks)
    for check in exercise.checks:
        twentieths = 20 * exercise.points * check.weight / whole
        assert twentieths == pytest.approx(round(twentieths)), check.name


@every_exercise
def test_an_exercise_is_complete(exercise):
    assert exercise.symbol.isidentifier()
    assert re.fullmatch(r"0\d_\w+", exercise.lesson)
    assert exercise.title
    assert exercise.section
    assert exercise.task
    assert f"{exercise.symbol}" in exercise.starter
    assert exercise.points > 0
    assert exercise.difficulty in (1, 2, 3)
    assert 1 <= exercise.minutes <= 60
    assert len(exercise.misconceptions) >= 1
    assert all(check.weight > 0 for check in exercise.checks)
    names = [check.name for check in exercise.checks]
    assert len(set(names)) == len(names)
    assert all(name in names for check in exercise.checks for name in check.after)
    found = [each.id for each in exercise.misconceptions]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[a-z0-9-]+", each) for each in found)


def test_ids_are_unique_and_symbols_are_unique_within_a_lesson():
    ids = [exercise.id for exercise in EXERCISES]
    symbols = [(exercise.lesson, exercise.symbol) for exercise in EXERCISES]

    assert len(set(ids)) == len(ids)
    assert len(set(symbols)) == len(symbols)
