"""What is found does not depend on whether inputs are one submission's own or those of many."""

import dataclasses

import pytest

from graders.draws import Draw, all_from
from graders.exercise import Check, Exercise, Misconception, all_exercises, load
from graders.inputs import keys
from graders.judging.judge import judge
from graders.judging.recognition import OTHER_INPUTS, deviations_from_reference
from graders.observation import Observation, Observations
from graders.observe import scenarios
from graders.observe.lab import observe

SEED = 11
IN_CODE = [each for each in all_exercises() if not each.written]
QUICK = [each for each in IN_CODE if not any(check.costly for check in each.checks)]
STOOD_IN_FOR = [each for each in IN_CODE if any(check.stand_in for check in each.checks)]


def observed(exercise: Exercise, solution: object) -> Observations:
    checks = {
        check.name: Observation.from_json(
            observe(check.scenario, solution, exercise.inputs(check, SEED))
        )
        for check in exercise.checks
    }
    return Observations(True, "0" * 16, checks)


def own(exercise: Exercise) -> dict[str, Draw]:
    """The same inputs, as if no other submission had them."""
    return {check.name: Draw(SEED, own=not check.statements) for check in exercise.checks}


@pytest.mark.parametrize("exercise", QUICK, ids=lambda each: each.id)
def test_the_same_is_found_on_inputs_of_a_submission_s_own(exercise):
    solutions = [exercise.reference, *(each.solution for each in exercise.misconceptions)]
    for solution in solutions:
        seen = observed(exercise, solution)
        assert judge(exercise, seen, own(exercise)) == judge(
            exercise, seen, all_from(exercise, SEED)
        )


def test_a_misconception_is_looked_at_no_longer_than_it_fits():
    square, calls = load("fn-square"), []
    wrong, other = square.misconceptions[0], square.misconceptions[1]

    class Counted(other.solution):
        @staticmethod
        def forward(ctx, *arguments):
            calls.append(arguments)
            return other.solution.forward(ctx, *arguments)

    # Asked about before the one that fits.
    counting = dataclasses.replace(other, solution=Counted)
    exercise = dataclasses.replace(square, misconceptions=(counting, wrong))
    seen = observed(exercise, wrong.solution)
    for check in exercise.checks:
        observe(check.scenario, Counted, exercise.inputs(check, OTHER_INPUTS.seed))
    in_all = len(calls)
    judge(exercise, seen, own(exercise))
    calls.clear()
    assert judge(exercise, seen, own(exercise)).misconception == wrong.id
    assert 0 < len(calls) < in_all / 4


def test_who_can_explain_nothing_more_than_an_earlier_one_is_not_asked_what_takes_long():
    asked = []

    def dear(answers, lab):
        asked.append(answers["name"])
        lab.record("b", answers["b"])

    def answering(name, a, b):
        return Misconception(name, "", {"name": name, "a": a, "b": b})

    exercise = dataclasses.replace(
        load("fn-square"),
        reference={"name": "reference", "a": 1, "b": 1},
        checks=(
            Check("cheap", 1, scenarios.entries, keys("a"), "", ""),
            Check("dear", 1, dear, lambda rng: {}, "", "", costly=True),
        ),
        misconceptions=(
            answering("first", 1, 0),
            answering("alike", 1, 0),
            answering("other", 0, 1),
        ),
    )
    seen = observed(exercise, {"name": "student", "a": 0, "b": 0})

    assert judge(exercise, seen, own(exercise)).findings == ("first", "other")
    assert asked == ["student", "reference", "first", "other"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("exercise", STOOD_IN_FOR, ids=lambda each: each.id)
def test_the_reference_is_seen_to_do_what_its_stand_ins_do(exercise, seed):
    checks = [each for each in exercise.checks if each.stand_in is not None]
    seen = {
        each.name: Observation.from_json(
            observe(each.scenario, exercise.reference, exercise.inputs(each, seed))
        )
        for each in checks
    }
    deviations = deviations_from_reference(exercise, seen, all_from(exercise, seed))

    assert {each.name: deviations[each.name] for each in checks} == {each: {} for each in seen}


def test_a_stand_in_is_asked_in_place_of_the_reference_in_its_check_alone():
    asked = []

    def answer(answers, lab):
        asked.append(answers["name"])
        lab.record("right", answers["right"])

    check = Check("slow", 1, answer, lambda rng: {}, "", "")
    stood_in_for = dataclasses.replace(
        check, name="quick", stand_in={"name": "stand-in", "right": 1}
    )
    exercise = dataclasses.replace(
        load("fn-square"),
        reference={"name": "reference", "right": 1},
        checks=(check, stood_in_for),
        misconceptions=(),
    )
    seen = observed(exercise, {"name": "student", "right": 1})
    asked.clear()

    assert judge(exercise, seen, own(exercise)).status == "passed"
    assert asked == ["reference", "stand-in"]
