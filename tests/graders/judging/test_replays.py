"""What is told of one submission is of no use for another, which is asked about other inputs.

Whoever has learned, at home, what a right solution is observed to do, and has found a way to have
it told, still has to find the right numbers for inputs that nobody has seen before.
"""

import json

import pytest

from graders.draws import all_from
from graders.exercise import all_exercises
from graders.judging.judge import judge
from graders.observation import Observation, Observations
from graders.observe.lab import observe
from graders.run.seeds import Seeds, draws
from tests.graders.classroom import entry

IN_CODE = [each for each in all_exercises() if not each.written]


def told(exercise, asked):
    """What the reference is observed to do on the inputs `asked`, as a worker would tell it."""
    seen = {
        check.name: observe(
            check.scenario, exercise.reference, exercise.inputs(check, asked[check.name].seed)
        )
        for check in exercise.checks
    }
    checks = {name: Observation.from_json(json.loads(json.dumps(seen[name]))) for name in seen}
    return Observations(True, "0" * 16, checks)


@pytest.mark.parametrize("exercise", IN_CODE, ids=lambda each: each.id)
def test_what_was_told_about_other_inputs_does_not_pass(exercise):
    before, now = all_from(exercise, 101), all_from(exercise, 102)

    assert judge(exercise, told(exercise, now), now).status == "passed"
    assert judge(exercise, told(exercise, before), now).status != "passed"


@pytest.mark.parametrize("exercise", IN_CODE, ids=lambda each: each.id)
def test_what_was_told_of_another_submission_of_the_run_does_not_pass(exercise):
    mine, theirs = (draws(Seeds(7).seed_of(entry(name)), exercise) for name in ("ada", "ben"))

    assert judge(exercise, told(exercise, mine), mine).status == "passed"
    assert judge(exercise, told(exercise, mine), theirs).status != "passed"
