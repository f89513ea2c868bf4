"""What is remembered of submissions: the same for the same, and never too much."""

import json

import pytest

from graders import remembered
from graders.draws import Draw, all_from
from graders.exercise import load
from graders.observation import Observations
from graders.observe.codec import CodecError, encode
from graders.observe.lab import observe
from graders.remembered import MAX_BYTES, observation_in, verdict_on

EXERCISE = load("fn-square")
SEED = 3
ASKED = all_from(EXERCISE, SEED)


def written(value):
    return json.dumps({"records": {"x": encode(value)}, "notes": {}, "error": None, "stdout": ""})


def observed(solution, output="", seed=SEED):
    checks = {
        check.name: observation_in(
            json.dumps(observe(check.scenario, solution, EXERCISE.inputs(check, seed))).encode()
        )
        for check in EXERCISE.checks
    }
    return Observations(True, "f", checks, output=output)


def test_the_same_bytes_are_read_once():
    one, other = written(1).encode(), written(2).encode()

    assert observation_in(one) is observation_in(bytes(one))
    assert observation_in(other).records == {"x": 2}


def test_what_is_large_is_read_and_not_kept():
    large = written("x" * 100).encode() + b" " * MAX_BYTES

    assert observation_in(large).records == {"x": "x" * 100}
    assert observation_in(large) is not observation_in(large)


@pytest.mark.parametrize("raw", [None, {}, b"", b"[]", b"{", b'{"records": 1}', b"\xff"])
def test_what_tells_nothing_is_refused(raw):
    with pytest.raises(CodecError):
        observation_in(raw)


def test_a_memory_forgets_the_oldest():
    memory = remembered._Memory(2)
    for key in "abc":
        memory.keep(key, key)

    assert [memory.get(key) for key in "abc"] == [None, "b", "c"]


def test_verdicts_are_remembered_for_what_they_were_found_on(monkeypatch):
    asked = []
    judge = remembered.judge
    monkeypatch.setattr(remembered, "_verdicts", remembered._Memory(10))
    monkeypatch.setattr(remembered, "judge", lambda *about: asked.append(about) or judge(*about))
    wrong = EXERCISE.misconceptions[0]

    right = [verdict_on(EXERCISE, observed(EXERCISE.reference), ASKED) for _ in range(2)]
    found = [verdict_on(EXERCISE, observed(wrong.solution), ASKED) for _ in range(2)]
    noisy = verdict_on(EXERCISE, observed(wrong.solution, "printed"), ASKED)
    elsewhere = verdict_on(EXERCISE, observed(EXERCISE.reference), all_from(EXERCISE, SEED + 1))
    own = {**ASKED, "output": Draw(SEED, own=True)}
    alone = [verdict_on(EXERCISE, observed(EXERCISE.reference), own) for _ in range(2)]

    assert len(asked) == 6
    assert {each.status for each in (*right, *alone)} == {"passed"}
    assert {each.misconception for each in (*found, noisy)} == {wrong.id}
    assert noisy.output == "printed"
    # What is right on one seed's inputs is not what was asked on another's.
    assert elsewhere.status != "passed"


def test_whoever_has_another_name_is_not_taken_for_who_has_none():
    missing, misnamed = Observations(False), Observations(False, instead="square")
    verdicts = [verdict_on(EXERCISE, each, ASKED) for each in (missing, misnamed, missing)]

    assert [each.status for each in verdicts] == ["not_attempted", "failed", "not_attempted"]
