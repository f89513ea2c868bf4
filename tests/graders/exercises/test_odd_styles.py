"""Right answers in the styles in which students really write: none may be refused.

The files of `odd_styles/` hold one answer after the other, each under the exercise it is for and,
where it passes with a remark, the ids of its remarks.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.exercise import PRELUDE, load
from graders.selftest import judged

REMARKED = "# remarked: "
STYLES = sorted((Path(__file__).parent / "odd_styles").glob("*.txt"))
ANSWERS = [
    text.split("\n", 1)
    for path in STYLES
    for text in re.split(r"^# %% ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
]


@pytest.fixture(autouse=True)
def _recursion_limit() -> Iterator[None]:
    """Put back what an answer may have raised: C's stack would not last for the tests to come."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    ("heading", "source"), [pytest.param(*each, id=each[0]) for each in ANSWERS]
)
def test_a_right_answer_passes_however_it_is_written(heading, source):
    exercise = load(heading.partition(":")[0])
    namespace = {"__name__": "__main__"}
    exec(compile(PRELUDE + source, f"<{heading}>", "exec"), namespace)

    verdict = judged(exercise, namespace[exercise.symbol], 5)

    assert verdict.status == "passed", verdict.summary
    first = source.partition("\n")[0]
    if first.startswith(REMARKED):
        assert "; ".join(verdict.basis.remarks) == first.removeprefix(REMARKED)
