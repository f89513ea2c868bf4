"""What is read of an observation that comes from a worker."""

import pytest

from graders.observation import Observation
from graders.observe.codec import CodecError, encode
from graders.verdict import StudentError


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"records": [], "notes": {}},
        {"records": {"x": [1]}, "notes": {}},
        {"records": {}, "notes": {"a" * 5_000: 1}},
        {"records": {str(i): 1 for i in range(3_000)}, "notes": {}},
    ],
    ids=str,
)
def test_hostile_observations_are_refused(event):
    with pytest.raises(CodecError):
        Observation.from_json(event)


def test_an_observation_is_read_leniently_where_it_is_only_words():
    seen = Observation.from_json(
        {"records": {"x": encode(1)}, "notes": {}, "error": "odd", "stdout": 7}
    )

    assert seen == Observation({"x": 1}, {}, None, "")
    told = StudentError.from_json({"type": "E", "message": 3, "line": -1, "source_line": None})
    assert told == StudentError("E", "3", None, "None")
