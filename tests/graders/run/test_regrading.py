from dataclasses import asdict, replace

import pytest

from graders.exercise import exercises_of
from graders.gradebook import Gradebook
from graders.run.regrading import Planning, Regrading, RegradingError, still_holds
from graders.run.seeds import Seeds
from graders.runner import unjudged
from tests.graders.classroom import entry, grading, misled, verdict

LIMITS = {"seconds": 10.0}
NOTHING = Regrading()
CLASS = ("ada", "ben", "all")


def to_run(book, found, regrading=NOTHING, seeds=None):
    planning = Planning(book, regrading, LIMITS, seeds)
    return [each for each in found if planning.has_to_run(each)]


def reworded(book, found):
    planning = Planning(book, NOTHING, LIMITS)
    assert not any(planning.has_to_run(each) for each in found)
    return planning.reworded


def names(entries):
    return [each.student for each in entries]


@pytest.fixture
def book(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        yield book


def test_what_is_new_or_changed_has_to_be_run(book):
    book.record(grading("ada"))
    book.record(grading("ben"))
    found = [
        entry("ada"),
        entry("ben", digest="d2"),
        entry("cleo"),
        entry("ada", path="ada/again/07_custom_functions.ipynb"),
        entry("ben", exercise_set="v2"),
    ]
    assert to_run(book, found) == found[1:]


def test_the_inputs_it_was_checked_on_do_not_matter_unless_they_are_asked_for(book):
    mine = Seeds(5)
    book.record(grading("ada", seed=mine.seed_of(entry("ada"))))
    assert not to_run(book, [entry("ada")])
    assert not to_run(book, [entry("ada")], seeds=mine)
    assert names(to_run(book, [entry("ada")], seeds=Seeds(6))) == ["ada"]


def test_other_limits_matter_only_to_what_hit_one():
    slow = grading("ada", [verdict(status="timeout")])
    assert still_holds(slow, LIMITS)
    assert not still_holds(slow, {"seconds": 60.0})
    assert still_holds(grading("ben"), {"seconds": 60.0})


def test_what_never_ran_is_tried_again():
    assert not still_holds(grading(isolation=""), LIMITS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], []),
        (["changed"], []),
        (["all"], ["ada", "ben", "all"]),
        (["failed"], ["ben"]),
        (["ada"], ["ada"]),
        (["failed", "ada"], ["ada", "ben"]),
        (["student:ben"], ["ben"]),
        (["student:all"], ["all"]),
    ],
)
def test_what_is_asked_for_is_run_again(book, words, expected):
    for name in CLASS:
        book.record(grading(name, [misled()] if name == "ben" else ()))
    entries = [entry(name) for name in CLASS]
    assert names(to_run(book, entries, Regrading.asked(words, CLASS))) == expected


@pytest.mark.parametrize(
    ("status", "again"),
    [
        ("passed", False),
        ("not_attempted", False),
        ("partial", True),
        ("error", True),
        ("timeout", True),
        ("memory_limit", True),
        ("blocked", True),
    ],
)
def test_failed_means_attempted_and_not_passed(status, again):
    asked = Regrading.asked(["failed"], CLASS)
    assert asked.includes(grading("ada", [verdict(), verdict(status=status)])) is again


def test_an_unknown_student_is_named_with_the_nearest():
    with pytest.raises(RegradingError, match=r"called 'adda'.*did you mean 'ada'"):
        Regrading.asked(["adda"], CLASS)
    with pytest.raises(RegradingError, match="takes all, changed, failed or a student's name"):
        Regrading.asked(["zzzzzz"], CLASS)


def test_a_stopped_regrading_goes_on_where_it_was(book):
    entries = [entry(name) for name in CLASS]
    book.enroll(entries)
    for one in entries:
        book.record(grading(one.student))
    book.finish()

    def begin(*words):
        asked = Regrading.asked(words, CLASS)
        asked = replace(asked, since=book.begin(str(asked)))
        book.enroll(entries)
        return names(to_run(book, entries, asked))

    assert begin("all") == ["ada", "ben", "all"]
    book.record(grading("ben"))
    assert begin("all") == ["ada", "all"]
    book.record(grading("ada"))
    assert begin("all") == ["all"]
    assert begin("ada") == ["ada"]
    book.finish()
    assert begin("all") == ["ada", "ben", "all"]


def test_what_a_run_found_that_was_stopped_before_all_was_read_counts_for_its_request_only(book):
    one = entry("ada")

    def begin(*words):
        asked = Regrading.asked(words, CLASS)
        return names(to_run(book, [one], replace(asked, since=book.begin(str(asked)))))

    assert begin() == ["ada"]
    book.record(grading("ada"))
    assert book.roster() == []
    assert begin() == []
    assert begin("all") == ["ada"]
    book.record(grading("ada"))
    assert begin("all") == []
    book.enroll([one])
    assert begin("all") == []
    book.finish()
    assert begin("all") == ["ada"]


LESSON = "07_custom_functions"


def whole(student, words):
    verdicts = [
        replace(unjudged(each, "It stopped."), title=words) for each in exercises_of(LESSON)
    ]
    return grading(student, verdicts, entry=entry(student, wording="w1"))


def test_other_words_are_put_to_what_is_kept_without_a_run(book):
    book.record(whole("ada", "An old title"))
    now = entry("ada", wording="w2")
    assert reworded(book, [now]) == 1
    after = book.grading(now)
    assert after.entry.wording == "w2"
    assert [v.title for v in after.verdicts] == [each.title for each in exercises_of(LESSON)]
    assert reworded(book, [now]) == 0


def test_nothing_but_the_words_is_changed(book):
    before = whole("ada", "An old title")
    book.record(before)
    now = entry("ada", wording="w2")
    assert reworded(book, [now]) == 1
    after = book.grading(now)
    parts = [{**asdict(each), "entry": 0, "verdicts": 0} for each in (before, after)]
    assert {**parts[0], "run": 0} == {**parts[1], "run": 0}


def test_what_cannot_be_put_in_other_words_is_run_again(book):
    book.record(grading("ada", entry=entry("ada", wording="w1")))
    assert names(to_run(book, [entry("ada", wording="w2")])) == ["ada"]
