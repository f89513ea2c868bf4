import csv
import json

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.exercise import load
from graders.export import by_hand, gradescope
from graders.gradebook import Gradebook
from graders.gradebook.overrides import Override, OverrideError, check_points, overridden
from graders.report import feedback_page, report_page, summarize
from tests.graders.classroom import entry, grading, misled, verdict
from tests.graders.report.test_report import words_of
from tests.graders.test_cli import grade, hand_in, quick, right, rows, submissions, wrong

__all__ = ["quick", "submissions"]

WHY = "Explained it in person"
ADAS = Override("ada", "fn-square", 3.5, WHY)


@pytest.fixture
def graded(quick, submissions, tmp_path):
    """A folder that a run has written."""
    hand_in(submissions, "ada", wrong())
    grade(submissions, tmp_path / "out")
    return tmp_path / "out"


def override(out, *arguments):
    return CliRunner().invoke(main, ["override", "--out", str(out), *arguments])


def points(out, student="ada", exercise="fn-square"):
    (row,) = [r for r in rows(out) if (r["student"], r["exercise"]) == (student, exercise)]
    return row["points"]


def test_points_are_replaced_and_those_found_noted():
    changed = overridden(misled(), ADAS)
    assert (changed.points, changed.max_points, changed.status) == (3.5, 4, "failed")
    assert (changed.by_hand.reason, changed.by_hand.found) == (WHY, 0)
    assert overridden(misled(), None) == misled()


@pytest.mark.parametrize("given", [0, 2.5, 4])
def test_points_up_to_the_whole_may_be_set(given):
    check_points(given, 4, extra=False)


@pytest.mark.parametrize("given", [-0.5, 4.5, 40])
def test_other_points_only_if_they_are_meant(given):
    with pytest.raises(OverrideError, match=r"not between 0 and 4.*--extra"):
        check_points(given, 4, extra=False)
    check_points(given, 4, extra=True)


@pytest.mark.parametrize("given", [float("nan"), float("inf")])
def test_what_is_no_number_never(given):
    with pytest.raises(OverrideError, match="not a number of points"):
        check_points(given, 4, extra=True)


def test_the_gradebook_keeps_overrides_apart_from_what_was_found(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.enroll([entry("ada"), entry("ben")])
        for name in ("ada", "ben"):
            book.record(grading(name, [misled(), verdict("fn-exp")]))
        book.override(ADAS)
        assert [[v.points for v in g.verdicts] for g in book.results()] == [[3.5, 4], [0, 4]]
        assert book.grading(entry("ada")).verdicts[0].points == 0
        book.record(grading("ada", [verdict(), verdict("fn-exp")]))
        assert book.results()[0].verdicts[0].by_hand.found == 4
        book.override(Override("ada", "fn-square", 1, "Again"))
        assert [each.points for each in book.overrides().values()] == [1]
        book.remove_override("ada", "fn-square")
        assert book.results()[0].verdicts[0] == verdict()


def test_what_is_set_shows_everywhere(graded):
    result = override(graded, "ada", "fn-square", "3.5", "--reason", WHY)
    assert result.exit_code == 0, result.output
    assert "ada has 3.5 of 4 points in fn-square." in result.output
    assert points(graded) == "3.5"
    report = words_of((graded / "report.html").read_text("utf-8"))
    assert "Points set by hand" in report
    assert "3.5 / 4" in report
    assert WHY in report
    feedback = words_of((graded / "feedback" / "ada.html").read_text("utf-8"))
    assert f"Points set by hand (the checks gave 4 of 4): {WHY}" in feedback
    results = json.loads((graded / "gradescope" / "ada.json").read_text("utf-8"))
    test = next(each for each in results["tests"] if "fn-square" in each["tags"])
    assert (test["score"], test["status"]) == (3.5, "failed")
    assert WHY in test["output"]
    assert "by hand" not in (graded / "feedback" / "=1+1.html").read_text("utf-8")


def test_it_survives_another_hand_in_and_a_regrading(graded, submissions):
    override(graded, "ada", "fn-square", "1", "--reason", WHY)
    hand_in(submissions, "ada", right())
    grade(submissions, graded)
    assert points(graded) == "1"
    grade(submissions, graded, "--regrade", "all")
    assert points(graded) == "1"
    assert WHY in override(graded).output


def test_it_can_be_taken_back(graded):
    before = (graded / "grades.csv").read_text("utf-8")
    override(graded, "ada", "fn-square", "1", "--reason", WHY)
    assert (graded / "grades.csv").read_text("utf-8") != before
    result = override(graded, "ada", "fn-square", "--remove")
    assert "The graded points count again" in result.output
    assert (graded / "grades.csv").read_text("utf-8") == before
    assert override(graded).output == "No points are set by hand.\n"


def test_a_second_one_replaces_the_first(graded):
    override(graded, "ada", "fn-square", "1", "--reason", WHY)
    result = override(graded, "ada", "fn-square", "2", "--reason", "A slip")
    assert "2 of 4 points in fn-square instead of 1" in result.output
    assert override(graded).output.split()[:5] == ["ada", "fn-square", "2", "A", "slip"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["adda", "fn-square", "1"], "no student 'adda' (did you mean 'ada'?)."),
        (["ada", "fn-sqare", "1"], "no exercise 'fn-sqare' (did you mean 'fn-square'?)."),
        (["ada", "dirty-exp", "1"], "has handed in nothing for 08_mark_dirty"),
        (["ada", "fn-square", "5"], "5 points are not between 0 and 4"),
        (["ada", "fn-square", "nan"], "not a number of points"),
        (["ada", "fn-square", "--remove"], "Nothing was set by hand for ada in fn-square"),
        (["ada"], "Missing argument 'EXERCISE'"),
        (["ada", "fn-square"], "Missing argument 'POINTS'"),
        (["ada", "fn-square", "many"], "is not a valid float"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(graded, arguments, says):
    before = (graded / "grades.csv").read_bytes()
    result = override(graded, *arguments, "--reason", WHY)
    assert result.exit_code == 2
    assert says in result.output
    assert (graded / "grades.csv").read_bytes() == before


def test_extra_points_are_possible(graded):
    assert override(graded, "ada", "fn-square", "5", "--reason", WHY, "--extra").exit_code == 0
    assert points(graded) == "5"


def test_points_below_none_are_arguments_not_options(graded):
    assert "Use --extra" in override(graded, "ada", "fn-square", "-1", "--reason", WHY).output
    assert override(graded, "ada", "fn-square", "-1.5", "--reason", WHY, "--extra").exit_code == 0
    assert points(graded) == "-1.5"


def test_a_reason_is_needed(graded):
    result = override(graded, "ada", "fn-square", "1", "--reason", "  ")
    assert result.exit_code == 2
    assert "--reason" in result.output


def test_a_folder_without_a_gradebook_is_named(tmp_path):
    result = override(tmp_path, "ada", "fn-square", "1", "--reason", WHY)
    assert result.exit_code == 2
    assert "no gradebook in" in result.output
    assert list(tmp_path.iterdir()) == []


def test_while_a_run_is_writing_nothing_is_set(graded, monkeypatch):
    monkeypatch.setattr("graders.gradebook.file.WAIT", 0.05)
    with Gradebook(graded / "gradebook.db"):
        result = override(graded, "ada", "fn-square", "1", "--reason", WHY)
    assert result.exit_code == 2
    assert "Another run is writing" in result.output


def test_an_unreadable_hand_in_can_be_given_points(quick, submissions, tmp_path):
    hand_in(submissions, "zoe", '{"cells": [')
    grade(submissions, tmp_path / "out")
    assert override(tmp_path / "out", "zoe", "fn-square", "2", "--reason", WHY).exit_code == 0
    assert points(tmp_path / "out", "zoe") == "2"


def test_full_points_by_hand_count_as_passed_in_gradescope():
    full = overridden(misled(), Override("ada", "fn-square", 4, WHY))
    results = gradescope([grading("ada", [full, misled("fn-exp")])])
    assert [test["status"] for test in results["tests"]] == ["passed", "failed"]
    assert results["score"] == 4


def test_a_reason_is_text_wherever_it_shows():
    hostile = overridden(verdict(), Override("ada", "fn-square", 1, "<script>alert(1)</script>"))
    gradings = [grading("ada", [hostile])]
    for page in (feedback_page("ada", gradings), report_page(summarize(gradings))):
        assert "<script>alert" not in page
        assert "alert(1)" in words_of(page)
    assert by_hand(verdict()) == ""


def test_what_is_set_for_somebody_who_is_gone_is_kept(graded, submissions, tmp_path):
    override(graded, "ada", "fn-square", "1", "--reason", WHY)
    (submissions / "ada").rename(tmp_path / "elsewhere")
    grade(submissions, graded)
    assert "ada" not in {row["student"] for row in rows(graded)}
    assert override(graded, "ada", "fn-exp", "1", "--reason", WHY).exit_code == 0
    grade(submissions, graded, "--with-absent")
    assert (points(graded), points(graded, exercise="fn-exp")) == ("1", "1")
    override(graded, "ada", "fn-exp", "0", "--reason", WHY)
    assert points(graded, exercise="fn-exp") == "0"


def test_the_csv_stays_the_one_of_the_contract(graded):
    override(graded, "ada", "fn-square", "0.25", "--reason", WHY)
    with (graded / "grades.csv").open(encoding="utf-8", newline="") as sheet:
        header, *_ = csv.reader(sheet)
    assert header == ["student", "exercise", "points", "max_points", "status", "findings"]
    assert load("fn-square").points == 4
