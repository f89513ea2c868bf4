"""What the trusted side makes of a worker that tells whatever it likes."""

import itertools
import json
import sys

import pytest

from graders.exercise import exercises_of, load
from graders.isolation import Isolation
from graders.isolation.inner import protocol
from graders.isolation.nursery import WorkerFailed
from graders.observe import codec
from graders.observe.lab import observe
from graders.runner import grade_submission
from tests.graders.test_runner import LESSON, RIGHT, SHORT, grade, submission


class Told(Isolation):
    """A worker that tells what it is made to tell, once for each start; the last one repeats.

    Its nursery is good for one worker.
    """

    name = "told"

    def __init__(self, *tellings):
        self.tellings = itertools.chain(tellings, itertools.repeat(tellings[-1]))
        self.starts = 0

    def command(self, limits, control):
        self.starts += 1
        events = next(self.tellings)
        script = (
            "import json, os, pickle, socket\n"
            f"control = socket.socket(fileno={control})\n"
            f"control.sendall({protocol.READY!r})\n"
            "_, descriptors, _, _ = socket.recv_fds(control, 1, 3)\n"
            "key = pickle.load(open(descriptors[0], 'rb', closefd=False))['key']\n"
            f"for event in json.loads({json.dumps(events)!r}):\n"
            "    line = json.dumps({'key': key, **event}) + '\\n'\n"
            "    os.write(descriptors[1], line.encode())\n"
            "os.closerange(min(descriptors), max(descriptors) + 1)\n"
            f"control.sendall({protocol.STATUS.pack(0)!r})\n"
            "control.recv(1)\n"
        )
        return [sys.executable, "-c", script]


READY, DONE = {"event": "ready"}, {"event": "done"}
GOOD_END = [
    READY,
    *(
        event
        for each in exercises_of(LESSON)
        for event in (
            {"event": "examining", "exercise": each.id},
            {"event": "symbol", "exercise": each.id, "found": False, "fingerprint": ""},
        )
    ),
    DONE,
]
ERROR = {"type": "MemoryError", "message": "", "line": 1, "source_line": ""}


def told(*tellings, limits=SHORT):
    isolation = Told(*tellings)
    (graded,) = [
        verdict
        for verdict in grade_submission(submission((RIGHT, "fn-square")), isolation, limits, 5)
        if verdict.exercise == "fn-square"
    ]
    return graded, isolation


def seen(**change):
    return {
        "event": "observation",
        "exercise": "fn-square",
        "check": "output",
        "seen": {"records": {}, "notes": {}, "error": None, "stdout": "", **change},
    }


EXAMINING = [
    READY,
    {"event": "cell", "index": 1},
    {"event": "examining", "exercise": "fn-square"},
    {"event": "symbol", "exercise": "fn-square", "found": True, "fingerprint": "f"},
]


@pytest.mark.parametrize(
    "claim",
    [
        {"event": "verdict", "exercise": "fn-square", "status": "passed", "points": 4},
        {"event": "observation", "exercise": "fn-square", "status": "passed", "passed": True},
        seen(passed=True, points=4, records=None),
        seen(records={"output": {"is": "tensor", "dtype": "object", "shape": [1], "data": ""}}),
        seen(records={"a": {"is": "array", "dtype": "float32", "shape": [10**9], "data": ""}}),
        seen(
            records={
                "a": {"is": "array", "dtype": "int8", "shape": [0] + [500_000] * 7, "data": ""}
            }
        ),
        seen(records={"a": {"is": "list", "items": [[[[[[[[[[]]]]]]]]]]}}),
        seen(records={"x" * 10_000: 1}),
        seen(check=["output"]),
        seen(check=None),
        seen(exercise="fn-exp"),
        seen(stdout=7, notes=[]),
        {"event": "symbol", "exercise": {}, "found": 1, "fingerprint": []},
        {"event": "cell", "index": "1"},
        {"event": "cell", "index": 10**30},
        {"event": "cell_output", "index": 1, "stdout": ["x"]},
        {"event": "cell_error", "index": 1, "error": "MemoryError"},
        {"event": ["done"]},
    ],
    ids=lambda claim: str(claim)[:60],
)
def test_no_claim_of_a_worker_is_a_verdict(claim):
    verdict, _ = told([*EXAMINING, claim, DONE])

    assert verdict.status in ("failed", "error")
    assert verdict.points == 0


@pytest.mark.parametrize("key", [None, "", "0" * 32, ["key"]])
def test_who_does_not_know_the_key_is_not_heard(key):
    shouting = [{**event, "key": key} for event in (*EXAMINING[1:], seen(), DONE)]

    verdict, _ = told([READY, *shouting, *GOOD_END[1:]])

    assert verdict.status == "not_attempted"


@pytest.mark.parametrize("id", ["fn-square", "leaf-walk", "reqgrad-sequential"])
def test_what_a_right_solution_was_observed_to_do_cannot_be_told_again(id):
    exercise = load(id)
    events = [
        {"event": "examining", "exercise": id},
        {"event": "symbol", "exercise": id, "found": True, "fingerprint": "0" * 16},
    ]
    for check in exercise.checks:
        observed = observe(check.scenario, exercise.reference, exercise.inputs(check, 5))
        events.append(
            {"event": "observation", "exercise": id, "check": check.name, "seen": observed}
        )
    lines = "".join(json.dumps(event) + "\n" for event in events)
    cell = f"import os\n{exercise.symbol} = None\nos.write(3, {lines!r}.encode())"

    # The seed is the same, as it never is: not even the inputs would tell.
    verdict = grade((cell, id), lesson=exercise.lesson)[id]

    assert (verdict.status, verdict.points) in {("failed", 0), ("error", 0)}


def test_an_observation_counts_once():
    nothing = seen(records={"output": codec.encode(0.0)})
    verdict, _ = told([*EXAMINING, nothing, *[seen(check="gradient")] * 2, DONE])

    assert verdict.points == 0


def test_whoever_says_that_it_was_somebody_else_gains_nothing():
    blames_other = [
        READY,
        {"event": "cell", "index": 0},
        {"event": "cell_error", "index": 0, "error": ERROR},
    ]

    verdict, isolation = told(blames_other, GOOD_END)

    assert verdict.status == "not_attempted"
    assert isolation.starts == 2


def test_a_worker_that_ends_again_and_again_is_not_started_for_ever():
    verdict, isolation = told([*EXAMINING[:2]])

    assert verdict.status == "error"
    assert isolation.starts <= 3


def test_a_worker_that_is_done_too_early_is_not_believed():
    verdict, isolation = told([*EXAMINING[:2], DONE], GOOD_END)

    assert (verdict.status, verdict.points, isolation.starts) == ("error", 0, 2)


def test_a_worker_that_tells_nothing_settles_everything():
    verdict, isolation = told([READY])

    assert (verdict.status, isolation.starts) == ("error", 1)


def test_a_worker_that_fails_to_start_is_started_again():
    verdict, isolation = told([], GOOD_END)

    assert (verdict.status, isolation.starts) == ("not_attempted", 2)


def test_a_machine_that_starts_no_worker_is_nobody_s_zero():
    with pytest.raises(WorkerFailed):
        told([])
