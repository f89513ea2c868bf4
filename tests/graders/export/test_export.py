import csv
import io
import json

import pytest

from graders.export import (
    for_spreadsheet,
    grades_csv,
    gradescope,
    number,
    plain_text,
    write_gradescope,
    write_whole,
)
from tests.graders.classroom import entry, grading, misled, stopped, verdict
from tests.graders.export.gradescope_format import check_results


def table(*gradings):
    return list(csv.DictReader(io.StringIO(grades_csv(gradings))))


def test_the_csv_has_the_columns_of_the_contract_and_a_row_an_exercise():
    text = grades_csv([grading("ada", [verdict(), misled("fn-exp")])])
    assert text.splitlines() == [
        "student,exercise,points,max_points,status,findings",
        "ada,fn-square,4,4,passed,",
        "ada,fn-exp,0,4,failed,ignores-grad-output",
    ]


def test_several_findings_are_joined_by_semicolons():
    rows = table(grading("ada", [verdict(status="failed", findings=("values", "gradient"))]))
    assert rows[0]["findings"] == "values;gradient"


@pytest.mark.parametrize(
    ("points", "written"), [(2.0, "2"), (1.5, "1.5"), (4 / 3, "1.33"), (0.0, "0"), (100.0, "100")]
)
def test_points_are_written_as_people_write_them(points, written):
    assert number(points) == written


@pytest.mark.parametrize(
    "name", ["=HYPERLINK(1)", "+1", "-2+3", "@SUM(A1)", "\t=1", " =1", "\uff1d1", "\n=1"]
)
def test_a_name_that_a_spreadsheet_would_run_is_quoted(name):
    assert table(grading(name))[0]["student"] == "'" + name


@pytest.mark.parametrize(
    "name",
    ["ada", "Anne-Marie O'Neil", "山田 太郎", "Silva, Rosa", 'Jo "Jo" K', "a=b", "x+y@z.org"],
)
def test_an_ordinary_name_is_written_as_it_is(name):
    assert for_spreadsheet(name) == name
    assert table(grading(name))[0]["student"] == name


def test_gradescope_gets_a_test_for_each_exercise():
    partly = verdict("fn-exp", "partial", findings=("gradient",))
    made = gradescope([grading("ada", [verdict(), partly])])
    assert made["score"] == 6
    assert [test["score"] for test in made["tests"]] == [4, 2]
    assert [test["max_score"] for test in made["tests"]] == [4, 4]
    assert [test["status"] for test in made["tests"]] == ["passed", "failed"]
    assert made["tests"][1]["tags"] == ["fn-exp", "partial", "gradient"]


def test_the_json_holds_what_gradescope_documents_and_nothing_else(tmp_path):
    own = [
        grading("ada", [verdict(), misled("fn-exp"), stopped("fn-linear")]),
        grading("ada", [], entry=entry("ada", "08_mark_dirty", problem="Torn.")),
    ]
    write_gradescope(tmp_path / "ada.json", own)
    made = json.loads((tmp_path / "ada.json").read_text(encoding="utf-8"))
    check_results(made)
    for test in made["tests"]:
        assert 0 <= test["score"] <= test["max_score"]


def test_gradescope_tells_which_file_could_not_be_read():
    torn = grading("ada", entry=entry("ada", problem="The file ends in the middle."))
    assert "07_custom_functions.ipynb: The file ends in the middle." in gradescope([torn])["output"]


def test_the_text_for_students_has_sentences_and_no_hidden_inputs():
    text = plain_text(verdict(status="partial", remarks=("The engine summed it for you.",)))
    assert "Summary of fn-square." in text
    assert "✓ The values are right." in text
    assert "✗ The gradient is right." in text
    assert "Note: The engine summed it for you." in text
    assert "1.23456" not in text


def test_the_text_for_students_names_their_own_error_and_line():
    assert "NameError: name 'toch' is not defined (line 7)" in plain_text(stopped())


def test_a_file_is_replaced_as_a_whole_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "deep" / "grades.csv"
    write_whole(path, "first, and longer")
    write_whole(path, "山\n")
    assert path.read_bytes() == "山\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "grades.csv"
    path.mkdir()
    with pytest.raises(OSError, match=r"grades\.csv"):
        write_whole(path, "new")
    assert list(tmp_path.iterdir()) == [path]


def test_a_lesson_that_was_handed_in_twice_counts_once_on_gradescope():
    again = grading("ada", [verdict("fn-exp"), misled()], entry=entry("ada", path="ada/copy.ipynb"))
    made = gradescope([grading("ada", [verdict(), misled("fn-exp")]), again])
    assert [test["score"] for test in made["tests"]] == [4, 4]
    assert made["score"] == 8


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("=1+1", "'=1+1"),
        ("  @SUM(1)", "'  @SUM(1)"),
        ("\u00a0+1", "'\u00a0+1"),
        ("\ufeff=1+1", "'\ufeff=1+1"),
        ("\u200b\uff1d1", "'\u200b\uff1d1"),
        ("\tada", "'\tada"),
        ("ada;=1+1", "ada;'=1+1"),
        ("ada\t@SUM(1);-2", "ada\t'@SUM(1);'-2"),
        ("-12.5", "-12.5"),
    ],
)
def test_what_a_spreadsheet_would_run_stands_behind_an_apostrophe(name, written):
    assert for_spreadsheet(name) == written
