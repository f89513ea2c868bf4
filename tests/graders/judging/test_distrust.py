"""The trusted side given anything at all: it never fails, never passes it, and stays within bounds.

What a worker says is whatever a student's code wants it to be: arbitrary bytes, arbitrary JSON, and
events that look almost right.
"""

import base64
import contextlib
import json
import math
import os
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.exercise import PRELUDE, exercises_of, source_of
from graders.isolation import Limits, choose
from graders.isolation.events import (
    LINE_BYTES,
    TOTAL_BYTES,
    ChannelClosed,
    Events,
    WorkerFlood,
    WorkerTimeout,
    parse,
)
from graders.judging.judge import judge
from graders.observation import Observation
from graders.observe import codec
from graders.observe.codec import CodecError, ErrorData, Opaque, TensorData
from graders.observe.lab import observe
from graders.reading.cells import Cell
from graders.run.seeds import draws
from graders.sitting import Sitting, _Stop, _Watch
from graders.verdict import Verdict

LESSON = "07_custom_functions"
EXERCISES = exercises_of(LESSON)
SEED = 11
DRAWN = settings(max_examples=60)

numbers = st.integers() | st.floats() | st.booleans() | st.none()
texts = st.text(max_size=20)
anything = st.recursive(
    numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def arrays(draw):
    """Encoded arrays, some of them sound, with any numbers in them."""
    dtype = draw(st.sampled_from([*sorted(codec.DTYPES), "object", "complex64", "", 7]))
    shape = draw(st.lists(st.integers(0, 3) | st.sampled_from([-1, 10**6, 2**62]), max_size=4))
    known = dtype if isinstance(dtype, str) and dtype in codec.DTYPES else "float32"
    size = min(max(math.prod(shape), 0), 100) if draw(st.booleans()) else draw(st.integers(0, 9))
    raw = draw(st.binary(min_size=size * 8, max_size=size * 8))[: size * np.dtype(known).itemsize]
    data = base64.b64encode(raw).decode() if draw(st.integers(0, 9)) else draw(texts)
    tag = draw(st.sampled_from(["tensor", "array"]))
    return {"is": tag, "dtype": dtype, "shape": shape, "data": data}


tagged = st.fixed_dictionaries(
    {"is": st.sampled_from(["float", "error", "opaque", "list", "tuple", "dict", "tensor", "x"])},
    optional={
        "text": st.sampled_from(["nan", "inf", "-inf", "1e9"]) | anything,
        "type": st.sampled_from(["RuntimeError", "MemoryError", "PermissionError"]) | anything,
        "message": texts | anything,
        "why": texts,
        "items": st.lists(arrays() | anything | st.lists(anything, min_size=2, max_size=2)),
    },
)
values = arrays() | tagged | anything
errors = (
    st.none()
    | anything
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["ValueError", "FileNotFoundError", "OSError"]), "message": texts},
        optional={"line": st.integers() | anything, "source_line": anything},
    )
)


def _record_names():
    names = set()
    for exercise in EXERCISES:
        for check in exercise.checks:
            seen = observe(check.scenario, exercise.reference, exercise.inputs(check, SEED))
            names |= seen["records"].keys() | seen["notes"].keys()
    return sorted(names)


records = st.dictionaries(st.sampled_from(_record_names()) | texts, values, max_size=8)
few_records = st.dictionaries(st.sampled_from(_record_names()) | texts, values, max_size=2)
ids = st.sampled_from([each.id for each in EXERCISES])
checks = st.sampled_from(sorted({check.name for each in EXERCISES for check in each.checks}))
indices = st.integers(-1, len(EXERCISES) + 1) | anything
kinds = st.sampled_from(
    [
        *("ready", "cell", "cell_error", "cell_output", "examining", "symbol"),
        *("observing", "observation", "broken", "done"),
    ]
)
events = st.fixed_dictionaries(
    {"event": kinds | anything},
    optional={
        "index": indices,
        "exercise": ids | anything,
        "check": checks | anything,
        "error": errors,
        "stdout": texts | anything,
        "found": st.booleans() | anything,
        "fingerprint": texts | anything,
        "status": st.just("passed"),
        "points": st.just(100),
        "seen": st.fixed_dictionaries(
            {},
            optional={
                "records": records | anything,
                "notes": records | anything,
                "error": errors,
                "stdout": texts | anything,
            },
        )
        | anything,
    },
)


@st.composite
def stories(draw):
    """Events in an order in which they are listened to, with others in between."""
    exercise = draw(st.sampled_from(EXERCISES))
    place = 1 + EXERCISES.index(exercise)
    told = [
        {"event": "cell", "index": place},
        {"event": "examining", "exercise": exercise.id},
        {"event": "symbol", "exercise": exercise.id, "found": True, "fingerprint": "f"},
    ]
    for check in exercise.checks:
        about = {"event": "observation", "exercise": exercise.id, "check": check.name}
        seen = {"records": draw(few_records), "notes": draw(few_records)}
        told.append({**about, "seen": {**seen, "error": draw(errors), "stdout": draw(texts)}})
        told += draw(st.lists(events, max_size=1))
    return told


def sitting():
    cells = [Cell(0, PRELUDE, PRELUDE)]
    for index, each in enumerate(EXERCISES, start=1):
        source = source_of(each.reference, each.symbol)
        cells.append(Cell(index, source, source, each.id))
    return Sitting(cells, EXERCISES, choose("none"), Limits(), SEED)


def judged(told):
    """The verdicts on whatever was made of `told`, of exercises that it is about."""
    observed = sitting()
    watch = _Watch(observed, Limits())
    for event in told:
        with contextlib.suppress(_Stop):
            watch.take(parse(json.dumps(event).encode()) or {})
    watch.blame("timeout", None)
    observed.stop_all("timeout", None)
    answers = [answer for answer in observed.answers.values() if answer.examined or answer.error]
    return [
        judge(each.exercise, each.observations(), draws(SEED, each.exercise)) for each in answers
    ]


@DRAWN
@given(st.lists(events, max_size=12))
def test_no_events_make_the_grader_fail_or_pass_them(told):
    assert "passed" not in {verdict.status for verdict in judged(told)}


@DRAWN
@given(stories())
def test_no_story_makes_the_grader_fail_or_pass_it(told):
    verdicts = judged(told)

    assert "passed" not in {verdict.status for verdict in verdicts}
    for verdict in verdicts:
        kept = json.dumps(verdict.to_json())
        assert Verdict.from_json(json.loads(kept)) == verdict or "NaN" in kept
        assert len(kept) < 200_000


def size_of(value):
    """Bytes in the arrays and texts of a decoded value, and how many things there are."""
    if isinstance(value, TensorData):
        return size_of(value.values)
    if isinstance(value, np.ndarray):
        assert value.dtype.name in codec.DTYPES
        return value.nbytes
    if isinstance(value, dict):
        return sum(size_of(key) + size_of(each) for key, each in value.items())
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    if isinstance(value, ErrorData | Opaque):
        return sum(len(text) for text in vars(value).values())
    assert value is None or isinstance(value, bool | int | float | str)
    return len(value) if isinstance(value, str) else 1


@DRAWN
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "records": records | anything,
            "notes": records | anything,
            "error": errors,
            "stdout": anything,
        },
    )
)
def test_an_observation_is_plain_data_or_refused(told):
    with contextlib.suppress(CodecError):
        seen = Observation.from_json(told)
        for value in (*seen.records.values(), *seen.notes.values()):
            assert size_of(value) <= codec.MAX_BYTES + 10 * codec.MAX_TEXT


def received(data, pieces=1):
    """The events in `data`, and how listening to it ended."""
    ours, theirs = os.pipe()
    step = max(1, -(-len(data) // pieces))

    def write():
        with contextlib.suppress(BrokenPipeError):
            for start in range(0, len(data), step):
                rest = data[start : start + step]
                while rest:
                    rest = rest[os.write(theirs, rest) :]
        os.close(theirs)

    writer = threading.Thread(target=write, daemon=True)
    channel = Events(ours)
    found = []
    writer.start()
    try:
        while True:
            found.append(channel.next(time.monotonic() + 30))
    except (ChannelClosed, WorkerFlood, WorkerTimeout) as end:
        return found, type(end)
    finally:
        channel.close()
        writer.join(10)


@DRAWN
@given(
    st.lists(st.binary(max_size=60) | anything.map(lambda each: json.dumps(each).encode())),
    st.integers(1, 5),
)
def test_no_bytes_make_the_listener_fail(lines, pieces):
    found, end = received(b"\n".join(lines), pieces)

    assert end is ChannelClosed
    assert all(type(event) is dict for event in found)


@pytest.mark.parametrize(
    "data",
    [
        b"x" * (LINE_BYTES + 1),
        b"x" * (LINE_BYTES - 1) + b"\n" + b"y" * (LINE_BYTES + 1),
        (b"x" * 1000 + b"\n") * (TOTAL_BYTES // 1000),
        b"\n" * 50_000,
    ],
    ids=["a long line", "a long second line", "too much", "too many lines"],
)
def test_floods_are_told_from_silence(data):
    assert received(data) == ([], WorkerFlood)


@pytest.mark.parametrize(
    "line",
    [
        b'{"event": ' + b"[" * 500_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"event": ' + b"9" * 1_000_000 + b"}",
        b'{"event": "' + b"\\ud800" * 100_000 + b'"',
        b"\xff" * 1000,
    ],
    ids=["open lists", "lists", "objects", "a number", "half characters", "no text"],
)
def test_a_line_that_cannot_be_read_is_passed_over(line):
    honest = {"event": "done"}

    assert received(line + b"\n" + json.dumps(honest).encode() + b"\n") == ([honest], ChannelClosed)
