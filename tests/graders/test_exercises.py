"""Every exercise held against itself: what should pass passes, what should not is named."""

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest

import autograd_core as torch
import graders
from graders.exercise import PRELUDE, Exercise, all_exercises, source_of
from graders.judge import judge
from graders.observation import Observation, Observations
from graders.observe import codec
from graders.observe.fingerprint import fingerprint
from graders.observe.lab import observe
from graders.observe.scenarios import resolve
from graders.verdict import Verdict

SEEDS = (1, 2, 3)
EXERCISES = all_exercises()
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.id)


def rows(parts: str, label: str) -> list:
    return [
        pytest.param(exercise, each, id=f"{exercise.id}: {getattr(each, label)}")
        for exercise in EXERCISES
        for each in getattr(exercise, parts)
    ]


def judged(exercise: Exercise, solution: object, seed: int) -> Verdict:
    checks = {
        check.name: Observation.from_json(
            json.loads(json.dumps(observe(check.scenario, solution, exercise.inputs(check, seed))))
        )
        for check in exercise.checks
    }
    return judge(exercise, Observations(True, fingerprint(solution), checks), seed)


def handed_in(exercise: Exercise, solution: object) -> object:
    """Return what `solution` becomes when it is written into a file and run."""
    namespace: dict = {}
    exec(PRELUDE + source_of(solution, exercise.symbol), namespace)
    return namespace[exercise.symbol]


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?…](?=\s|$)", re.sub(r"`[^`]*`", "code", text)))


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
@pytest.mark.parametrize("seed", SEEDS)
def test_the_reference_passes_with_full_points(exercise, seed):
    verdict = judged(exercise, exercise.reference, seed)

    assert verdict.status == "passed", verdict.summary
    assert verdict.points == exercise.points


@every_exercise
def test_the_reference_is_observed_to_the_end(exercise):
    for check in exercise.checks:
        seen = observe(check.scenario, exercise.reference, exercise.inputs(check, 1))

        assert seen["error"] is None
        assert seen["records"], f"{check.name} looks at nothing"


@pytest.mark.parametrize(("exercise", "variant"), rows("variants", "name"))
@pytest.mark.parametrize("seed", SEEDS)
def test_right_solutions_in_other_styles_pass(exercise, variant, seed):
    verdict = judged(exercise, variant.solution, seed)

    assert verdict.status == "passed", verdict.summary
    assert verdict.points == exercise.points


@pytest.mark.parametrize(("exercise", "misconception"), rows("misconceptions", "id"))
@pytest.mark.parametrize("seed", SEEDS)
def test_each_misconception_is_rejected_and_named_as_itself(exercise, misconception, seed):
    verdict = judged(exercise, misconception.solution, seed)

    assert verdict.status in ("failed", "partial")
    assert verdict.points < exercise.points
    assert verdict.misconception == misconception.id
    assert verdict.findings[0] == misconception.id
    assert misconception.says in verdict.summary
    assert sentences(verdict.summary) <= 3


@pytest.mark.parametrize(("exercise", "misconception"), rows("misconceptions", "id"))
def test_a_misconception_is_recognised_in_handed_in_source(exercise, misconception):
    verdict = judged(exercise, handed_in(exercise, misconception.solution), 1)

    assert verdict.misconception == misconception.id


@every_exercise
def test_right_solutions_pass_as_handed_in_source(exercise):
    for solution in (exercise.reference, *(each.solution for each in exercise.variants)):
        assert judged(exercise, handed_in(exercise, solution), 1).status == "passed"


@every_exercise
def test_the_starter_defines_the_symbol_and_is_not_attempted(exercise):
    started = exercise.started()

    assert started is not None
    assert judged(exercise, started, 1).status == "not_attempted"
    assert not exercise.untouched(fingerprint(exercise.reference))


@every_exercise
def test_scenarios_work_as_the_isolated_worker_gets_them(exercise):
    for check, request in zip(exercise.checks, exercise.requests(1), strict=True):
        inputs = {name: codec.decode(value) for name, value in request["inputs"].items()}

        sent = observe(resolve(request["scenario"]), exercise.reference, inputs)

        assert sent == observe(check.scenario, exercise.reference, exercise.inputs(check, 1))


@every_exercise
def test_inputs_differ_from_seed_to_seed(exercise):
    for check in exercise.checks:
        one, other = (json.dumps(codec.encode(exercise.inputs(check, seed))) for seed in (1, 2))

        assert one != other


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


def words_of(exercise: Exercise) -> list[str]:
    """Return what a student reads before having solved the exercise."""
    return [
        *exercise.hints,
        *(each.says for each in exercise.misconceptions),
        *(check.fails for check in exercise.checks),
    ]


def lines_of_solution(exercise: Exercise) -> set[str]:
    """Return the statements and returned expressions that only the solution has."""
    given = re.sub(r"\s+", "", PRELUDE + exercise.starter + exercise.task)
    tree = ast.parse(source_of(exercise.reference, exercise.symbol))
    statements = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
    found = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, statements)]
    bare = {re.sub(r"\s+", "", line.removeprefix("return ")) for line in found}
    return {line for line in bare if len(line) > 8 and line not in given}


@every_exercise
def test_hints_and_feedback_never_give_code(exercise):
    solution = lines_of_solution(exercise)

    for text in words_of(exercise):
        for code in re.findall(r"`([^`]+)`", text):
            assert re.fullmatch(r"[\w.]+(\(\))?|[^\w\s]{1,2}", code), (
                f"{code!r} is more than a name"
            )
        squeezed = re.sub(r"\s+", "", text)
        assert not [line for line in solution if line in squeezed]


@every_exercise
def test_there_are_three_hints_and_feedback_is_short(exercise):
    assert len(exercise.hints) == 3
    assert len(set(exercise.hints)) == 3
    for misconception in exercise.misconceptions:
        assert 1 <= sentences(misconception.says) <= 2, misconception.id
    for check in exercise.checks:
        assert sentences(check.passes) == 1
        assert sentences(check.fails) == 1
    for remark in exercise.remarks:
        assert 1 <= sentences(remark.says) <= 2
