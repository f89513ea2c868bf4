from pathlib import Path

from graders.executors import shares as limits
from graders.executors.shares import Shares
from graders.reading.submissions import Submission
from graders.reading.written import PackedCells, Written
from graders.run.batch import Job
from tests.graders.classroom import entry

EMPTY = Submission("ada", "07_custom_functions", Path())


def jobs(*seeds):
    return [Job(entry(f"student {place}"), EMPTY, seed) for place, seed in enumerate(seeds)]


def seeds_of(shares, asker, count):
    return [job.seed for job in (shares.next(asker) for _ in range(count)) if job is not None]


def test_who_has_begun_with_some_inputs_goes_on_with_them():
    shares = Shares(jobs(1, 2, 1, 2, 1, 2))

    first, second = shares.next("a"), shares.next("b")

    assert (first.seed, second.seed) == (1, 2)
    assert seeds_of(shares, "a", 2) == [1, 1]
    assert seeds_of(shares, "b", 2) == [2, 2]


def test_who_is_done_takes_the_next_inputs():
    shares = Shares(jobs(1, 2, 3, 3))
    shares.next("a")
    shares.next("b")

    assert seeds_of(shares, "b", 2) == [3, 3]
    assert shares.next("a") is None


def test_who_has_nothing_left_takes_half_of_the_largest_rest():
    shares = Shares(jobs(1, 1, 1, 1, 1))
    shares.next("a")

    assert seeds_of(shares, "b", 2) == [1, 1]
    assert len(seeds_of(shares, "a", 9) + seeds_of(shares, "b", 9)) == 2


def test_what_comes_later_goes_to_whoever_is_at_its_inputs():
    shares = Shares(jobs(1, 2))
    shares.next("a")
    shares.next("b")
    for late in jobs(2, 1, 3):
        shares.add(late)

    assert seeds_of(shares, "a", 2) == [1, 3]
    assert seeds_of(shares, "b", 1) == [2]


def test_one_lesson_is_graded_after_the_other():
    shares = Shares()
    for seed in (1, 2):
        for lesson in ("02_leaf_nodes", "07_custom_functions"):
            shares.add(Job(entry("ada", lesson), EMPTY, seed))

    dealt = [shares.next("a").entry.lesson for _ in range(4)]

    assert dealt == ["02_leaf_nodes"] * 2 + ["07_custom_functions"] * 2


def test_every_job_is_dealt_once():
    given = jobs(*(n % 3 for n in range(50)))
    shares = Shares(given)
    dealt = []
    for turn in range(200):
        # One asker is much faster than the other.
        job = shares.next("slow" if turn % 7 == 0 else "fast")
        if job is not None:
            dealt.append(job.entry.student)

    assert sorted(dealt) == sorted(job.entry.student for job in given)


def test_no_more_is_to_come_while_enough_is_waiting(monkeypatch):
    monkeypatch.setattr(limits, "LOOK_AHEAD", 3)
    shares = Shares(jobs(1, 2))
    assert not shares.full
    shares.add(jobs(1)[0])
    assert shares.full
    shares.next("a")
    assert not shares.full


def test_long_code_counts_for_more(monkeypatch):
    cells = PackedCells([Written(0, "".join(map(chr, range(300, 3_000))))])
    monkeypatch.setattr(limits, "LOOK_AHEAD_BYTES", 2 * cells.packed_bytes)
    shares = Shares()
    for _ in range(2):
        assert not shares.full
        shares.add(Job(entry("ada"), Submission("ada", "", Path(), cells), 1))
    assert shares.full
    while shares.next("a"):
        pass
    assert not shares.full
