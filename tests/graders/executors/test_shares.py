from pathlib import Path

from graders.executors import shares as limits
from graders.executors.shares import Shares
from graders.reading.submissions import Submission
from graders.reading.written import PackedCells, Written
from graders.run.batch import Job
from tests.graders.classroom import entry

EMPTY = Submission("ada", "07_custom_functions", Path())


def jobs(*lessons):
    return [Job(entry(f"student {n}", lesson), EMPTY, n) for n, lesson in enumerate(lessons)]


def lessons_of(shares, asker, count):
    dealt = (shares.next(asker) for _ in range(count))
    return "".join(job.entry.lesson for job in dealt if job is not None)


def test_who_has_begun_with_a_lesson_goes_on_with_it():
    shares = Shares(jobs(*"ababab"))

    assert lessons_of(shares, "first", 1) + lessons_of(shares, "second", 1) == "ab"
    assert lessons_of(shares, "first", 2) == "aa"
    assert lessons_of(shares, "second", 2) == "bb"


def test_who_is_done_takes_the_next_lesson():
    shares = Shares(jobs(*"abcc"))
    shares.next("first")
    shares.next("second")

    assert lessons_of(shares, "second", 2) == "cc"
    assert shares.next("first") is None


def test_who_has_nothing_left_takes_half_of_the_largest_rest():
    shares = Shares(jobs(*"aaaaa"))
    shares.next("first")

    assert lessons_of(shares, "second", 2) == "aa"
    assert len(lessons_of(shares, "first", 9) + lessons_of(shares, "second", 9)) == 2


def test_what_comes_later_goes_to_whoever_is_at_its_lesson():
    shares = Shares(jobs(*"ab"))
    shares.next("first")
    shares.next("second")
    for late in jobs(*"bac"):
        shares.add(late)

    assert lessons_of(shares, "first", 2) == "ac"
    assert lessons_of(shares, "second", 1) == "b"


def test_every_job_is_dealt_once():
    given = jobs(*("abc"[n % 3] for n in range(50)))
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
    shares = Shares(jobs(*"ab"))
    assert not shares.full
    shares.add(jobs("a")[0])
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
