"""Solutions that no exercise lists: what is wrong is refused, and told by what came out."""

import textwrap

import pytest

from graders.exercise import PRELUDE, load
from graders.selftest import SEEDS, judged, sentences
from tests.graders.exercises import unlisted_functions, unlisted_up_to_detach

WRONG = unlisted_up_to_detach.WRONG | unlisted_functions.WRONG


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("id", "source", "status", "words"), WRONG.values(), ids=list(WRONG))
def test_what_is_wrong_in_no_listed_way_is_told_by_what_came_out(id, source, status, words, seed):
    exercise = load(id)
    namespace: dict = {}
    exec(PRELUDE + textwrap.dedent(source), namespace)

    verdict = judged(exercise, namespace[exercise.symbol], seed)

    assert verdict.status == status
    assert words in verdict.summary
    assert sentences(verdict.summary) <= 3
