"""What a long run's times and samples say of its quarters, on a run that is given."""

from .endurance import memory_of_quarters, quarters
from .watched_grading import Watched

# Eight results: a second each at first, three seconds each at last.
RUN = Watched(
    results=[10.0, 11.0, 12.0, 14.0, 16.0, 18.0, 21.0, 24.0],
    seconds=40.0,
    samples=[(1.0, 900.0), (10.5, 200.0), (11.5, 210.0), (15.0, 600.0), (22.0, 250.0), (30.0, 1.0)],
)


def test_seconds_of_the_first_and_the_last_quarter():
    assert quarters(RUN) == (1.0, 3.0)


def test_memory_while_a_quarter_was_graded():
    assert memory_of_quarters(RUN) == (210.0, 250.0)


def test_the_most_memory_is_that_of_the_whole_run():
    assert RUN.megabytes == 900.0
