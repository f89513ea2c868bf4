"""What the table says of numbers that are given."""

import pytest

from . import table
from .bars import AHEAD, Bar, Row


@pytest.mark.parametrize(
    ("bar", "ours", "verdict"),
    [
        (AHEAD, 0.9, "holds"),
        (AHEAD, 1.0, "misses"),
        (Bar(1.25), 1.25, "holds"),
        (Bar(1.25), 1.26, "misses"),
        (None, 9.0, ""),
    ],
)
def test_verdict_on_a_ratio(bar, ours, verdict):
    assert Row("work", ours, "other", 1.0, bar).verdict == verdict


def test_a_workload_is_named_once():
    rows = [Row("work", 2e-6, "one", 4e-6, AHEAD), Row("work", 2e-6, "two", 1e-6, Bar(1.1))]
    assert [text.split() for text in table.lines(rows)] == [
        ["work", "2", "us", "one", "4", "us", "0.50", "<", "1", "holds"],
        ["two", "1", "us", "2.00", "<=", "1.10", "misses"],
    ]


def test_workloads_that_follow_each_other_are_both_named():
    rows = [Row("one", 1e-3, "the bar", 1.0, AHEAD), Row("two", 2e-3, "the bar", 1.0, AHEAD)]
    assert [text.split()[0] for text in table.lines(rows)] == ["one", "two"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.5, "2.5 s"), (0.0312, "31.2 ms"), (1.5e-5, "15 us"), (4e-8, "0.04 us")]
)
def test_duration_in_the_unit_that_suits_it(seconds, text):
    assert table.duration(seconds) == text
