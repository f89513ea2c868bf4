import csv
import io
from dataclasses import replace

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.export.canvas import canvas_csv
from graders.export.nbgrader import nbgrader_csv
from graders.export.roster import RosterError, read_roster
from graders.export.scores import scores
from graders.gradebook import Gradebook
from tests.graders.classroom import entry, grading, misled, verdict

DIRTY = "08_mark_dirty"


def on(lesson, student, *verdicts, **changes):
    return grading(
        student,
        [verdict("dirty-exp", status, lesson=lesson) for status in verdicts],
        entry=entry(student, lesson, **changes),
    )


CLASS = [
    grading("ada", [verdict(), verdict("fn-exp", "partial")]),
    on(DIRTY, "ada", "passed"),
    grading("ben", [misled(), verdict("fn-exp")]),
    grading("cleo", [verdict("unknown", "error", max_points=0.0)], entry=entry("cleo", "")),
]


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def roster_of(tmp_path, text):
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    return read_roster(tmp_path / "roster.csv")


def test_a_score_is_the_sum_of_a_lessons_points():
    known = scores(CLASS)
    assert known.points == {
        "ada": {"07_custom_functions": 6, DIRTY: 4},
        "ben": {"07_custom_functions": 4},
        "cleo": {},
    }
    assert known.worth == {"07_custom_functions": 8, DIRTY: 4}


def test_a_lesson_that_was_handed_in_twice_counts_once_with_the_better_answers():
    twice = [
        grading("ada", [verdict(), misled("fn-exp")]),
        grading("ada", [misled(), verdict("fn-exp", "partial")], entry=entry("ada", path="b")),
    ]
    known = scores(twice)
    assert known.points["ada"] == {"07_custom_functions": 6}
    assert known.worth == {"07_custom_functions": 8}


def test_nbgraders_table_has_its_columns_and_a_row_for_each_assignment_and_student():
    header, *table = rows(nbgrader_csv(CLASS))
    assert ",".join(header) == (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
        "late_submission_penalty,score,max_score"
    )
    assert [(row[0], row[3], *row[7:]) for row in table] == [
        ("07_custom_functions", "ada", "6.0", "0.0", "6.0", "8.0"),
        ("07_custom_functions", "ben", "4.0", "0.0", "4.0", "8.0"),
        ("07_custom_functions", "cleo", "0.0", "0.0", "0.0", "8.0"),
        (DIRTY, "ada", "4.0", "0.0", "4.0", "4.0"),
        (DIRTY, "ben", "0.0", "0.0", "0.0", "4.0"),
        (DIRTY, "cleo", "0.0", "0.0", "0.0", "4.0"),
    ]


def test_nbgraders_table_takes_names_from_a_roster(tmp_path):
    known = roster_of(
        tmp_path, "student_id,last_name,first_name,email\nada,Lovelace,Ada,ada@example.org\n"
    )
    _, first, second, *_ = rows(nbgrader_csv(CLASS, known))
    assert first[3:7] == ["ada", "Lovelace", "Ada", "ada@example.org"]
    assert second[3:7] == ["ben", "", "", ""]


def test_canvas_gets_points_possible_and_blanks_for_what_was_not_handed_in():
    assert rows(canvas_csv(CLASS)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "07_custom_functions", DIRTY],
        ["    Points Possible", "", "", "", "", "8", "4"],
        ["ada", "", "", "ada", "", "6", "4"],
        ["ben", "", "", "ben", "", "4", ""],
        ["cleo", "", "", "cleo", "", "", ""],
    ]


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,07 Custom Functions (4711),Homework (12),Final Score
,,,,,Manual Posting,,
    Points Possible,,,,,8,10,(read only)
"Lovelace, Ada",101,S1,ada,Monday,,,
"Nowak, Ben",102,S2,bnowak,Tuesday,,,
"""


def test_canvas_gets_its_own_ids_and_headings_back(tmp_path):
    known = roster_of(tmp_path, CANVAS)
    header, _, *students = rows(canvas_csv(CLASS, known, {DIRTY: "4712"}))
    assert header[5:] == ["07 Custom Functions (4711)", f"{DIRTY} (4712)"]
    assert students == [["Lovelace, Ada", "101", "S1", "ada", "Monday", "6", "4"]]
    assert known.unknown(["ada", "ben", "cleo"]) == ["ben", "cleo"]


@pytest.mark.parametrize(
    "folder",
    ["ada", "ADA", "101", "S1", "Lovelace, Ada", "lovelace ada", "Ada Lovelace", "ada_lovelace"],
)
def test_a_folder_is_found_by_login_id_or_name(tmp_path, folder):
    assert roster_of(tmp_path, CANVAS).person(folder)["id"] == "101"


def test_a_column_of_folders_decides_alone(tmp_path):
    known = roster_of(tmp_path, "folder,Student,ID\ngroup 7,Ada Lovelace,101\n,Ben Nowak,102\n")
    assert known.person("group 7")["id"] == "101"
    assert known.person("Ada Lovelace") is None
    assert known.person("Ben Nowak")["id"] == "102"


def test_a_name_that_two_have_is_nobodys(tmp_path):
    known = roster_of(tmp_path, "Student;ID\nAda;101\nAda;102\n")
    assert known.person("Ada") is None
    assert known.person("102")["student"] == "Ada"


def test_nobody_s_folder_passes_for_another_s(tmp_path):
    known = roster_of(tmp_path, CANVAS)
    for false in ("Ada", "ada ", "ada.", "\uff41\uff44\uff41", "lovelace ada"):
        assert known.owners([false, "ada"]).keys() == {"ada"}
        assert known.unknown(["ada", false]) == [false]
    assert known.owners(["Ada", "ADA"]) == known.owners(["ada", "101"]) == {}
    assert known.unknown(["ada", "101"]) == ["ada", "101"]


def test_a_folder_that_is_taken_for_another_s_changes_no_row(tmp_path):
    known = roster_of(tmp_path, CANVAS)
    false = [
        replace(each, entry=replace(each.entry, student="ada!"))
        for each in CLASS
        if each.entry.student == "ada"
    ]

    assert canvas_csv([*CLASS, *false], known) == canvas_csv(CLASS, known)
    rows_of_both = rows(nbgrader_csv([*CLASS, *false], known))
    assert [row for row in rows_of_both if row[3] != "ada!"] == rows(nbgrader_csv(CLASS, known))


@pytest.mark.parametrize(
    ("raw", "says"), [(b"a,b\n1,2\n", "no column"), (b"", "no column"), (b"ID\n\xff", "not UTF-8")]
)
def test_what_is_no_roster_is_told(tmp_path, raw, says):
    (tmp_path / "roster.csv").write_bytes(raw)
    with pytest.raises(RosterError, match=says):
        read_roster(tmp_path / "roster.csv")


def test_no_table_has_anything_that_a_spreadsheet_would_run():
    evil = [grading("=1+1", [verdict()])]
    assert rows(canvas_csv(evil))[2][0] == "'=1+1"
    assert rows(nbgrader_csv(evil))[1][3] == "'=1+1"


@pytest.fixture
def graded(tmp_path):
    """A folder with a gradebook, and nothing else."""
    with Gradebook(tmp_path / "graded" / "gradebook.db") as book:
        book.enroll([each.entry for each in CLASS])
        for each in CLASS:
            book.record(each)
    return tmp_path / "graded"


def export(kind, out, *options):
    return CliRunner().invoke(main, ["export", kind, "--out", str(out), *map(str, options)])


@pytest.mark.parametrize(
    ("kind", "name"),
    [("csv", "grades.csv"), ("nbgrader", "nbgrader.csv"), ("canvas", "canvas.csv")],
)
def test_tables_are_made_from_the_gradebook_alone(graded, kind, name):
    result = export(kind, graded)
    assert result.exit_code == 0, result.output
    assert "ada" in (graded / name).read_text("utf-8")
    assert str(graded / name) in result.output


def test_an_export_may_go_elsewhere(graded, tmp_path):
    result = export("csv", tmp_path / "there", "--gradebook", graded / "gradebook.db")
    assert result.exit_code == 0
    assert (tmp_path / "there" / "grades.csv").exists()
    assert not (graded / "grades.csv").exists()


def test_students_whom_canvas_does_not_know_are_told(graded, tmp_path):
    roster_of(tmp_path, CANVAS)
    result = export("canvas", graded, "--roster", tmp_path / "roster.csv")
    assert result.exit_code == 1
    assert "'ben', 'cleo'" in result.output
    assert len(rows((graded / "canvas.csv").read_text("utf-8"))) == 3


def test_an_assignment_may_be_told_by_its_lessons_number(graded):
    result = export("canvas", graded, "--assignment", "07=12")
    assert result.exit_code == 0
    assert "07_custom_functions (12)" in (graded / "canvas.csv").read_text("utf-8")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_roster_may_end_its_lines_as_any_spreadsheet_does(tmp_path, end):
    lines = ["student_id;email", 'ada;"ada@example.org"', "ben;"]
    (tmp_path / "roster.csv").write_bytes(end.join(lines).encode())
    ada, ben = read_roster(tmp_path / "roster.csv").people
    assert (ada["email"], ben["student_id"]) == ("ada@example.org", "ben")


def test_a_roster_that_is_no_table_is_refused(tmp_path):
    with pytest.raises(RosterError, match="is not a CSV"):
        roster_of(tmp_path, 'student_id\n"' + "x" * 200_000)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--assignment", "07_custom_functions"), "not of the form"),
        (("--assignment", "07_custom_function=12"), "not of the form"),
        (("--assignment", "=12"), "not of the form"),
        (("--roster", "bad.csv"), "no column"),
    ],
)
def test_unusable_arguments_are_explained(graded, tmp_path, monkeypatch, options, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.csv").write_text("a,b\n")
    result = export("canvas", graded, *options)
    assert result.exit_code == 2
    assert says in result.output


def test_a_folder_without_a_gradebook_is_told(tmp_path):
    result = export("csv", tmp_path)
    assert result.exit_code == 2
    assert "no gradebook in" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(graded, tmp_path):
    (tmp_path / "gradescope").write_text("a file of that name")
    (tmp_path / "grades.csv").mkdir()
    for kind in ("results", "csv"):
        result = export(kind, tmp_path, "--gradebook", graded / "gradebook.db")
        assert result.exit_code == 2
        assert "Cannot write" in result.output
