"""Wrong answers as students give them: each is refused, with what is to be found in it.

The files of `plausible_mistakes/` hold one answer after the other, each under its exercise and the
ids of the misconceptions or checks that it leads to.
"""

import re
from pathlib import Path

import pytest

from graders.exercise import PRELUDE, load
from graders.selftest import judged, sentences

MISTAKES = sorted((Path(__file__).parent / "plausible_mistakes").glob("*.txt"))
ANSWERS = [
    text.split("\n", 2)
    for path in MISTAKES
    for text in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
]


@pytest.mark.parametrize(
    ("heading", "finds", "source"), [pytest.param(*each, id=each[0]) for each in ANSWERS]
)
def test_a_wrong_answer_is_told_what_is_wrong(heading, finds, source):
    exercise = load(heading.partition(":")[0])
    namespace = {"__name__": "__main__"}
    exec(compile(PRELUDE + source, f"<{heading}>", "exec"), namespace)

    verdict = judged(exercise, namespace[exercise.symbol], 5)

    assert verdict.status in ("failed", "partial")
    assert "; ".join(verdict.findings) == finds.removeprefix("# finds: ")
    assert sentences(verdict.summary) <= 4


@pytest.mark.parametrize(
    ("id", "title", "points"),
    [
        ("fn-square", "numbers fail len(x)", 3.6),
        ("fn-exp", "numbers fail (uses shape[0])", 3.5),
        ("fn-exp", "forward fails on numbers", 3.0),
        ("fn-scaled-add", "g divided by k", 1.5),
        ("fn-linear", "forgets x grad", 5.5),
        ("fn-linear", "forgets the weight's gradient", 5.5),
        ("fn-linear", "mean of bias", 6.0),
        ("fn-linear", "sum without dim", 5.5),
        ("fn-linear", "nothing comes back", 1.5),
        ("fn-logsin", "both ways added, and grad_output forgotten", 1.0),
        ("fn-logsin", "grad_output used, and the first way overwritten", 1.0),
        ("cap-mse", "half of the mean everywhere", 1.0),
        ("cap-mse", "half of the mean in forward alone", 2.0),
    ],
)
def test_who_has_forgotten_one_thing_loses_no_more_than_that(id, title, points):
    (source,) = [source for heading, _, source in ANSWERS if heading == f"{id}: {title}"]
    namespace = {}
    exec(PRELUDE + source, namespace)

    assert judged(load(id), namespace[load(id).symbol], 5).points == points
