"""What the command says of hand-ins: how many there were, what was ignored, what does not count."""

import functools

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.exercise import exercises_of
from graders.gradebook import Gradebook
from graders.run.batch import Settings
from graders.run.found import IgnoredFiles, notes_of
from tests.graders.classroom import entry, verdict
from tests.graders.reading.hand_ins import LESSON, NAME, cell, hand_in, notebook, zipped

OK = notebook(cell("x = 1", "fn-square"))


def nothing_run(submission, isolation, limits, seed):
    return [verdict(each.id, lesson=each.lesson) for each in exercises_of(submission.lesson)]


@pytest.fixture
def grade(monkeypatch, tmp_path):
    """Grade a folder without running anything; what was printed."""
    monkeypatch.setattr(
        "graders.run.grading_run.Settings", functools.partial(Settings, grade=nothing_run)
    )

    def grade(submissions, out=tmp_path / "out", status=0, more=()):
        arguments = ["grade", submissions, "--out", out, "--isolation", "none", "--jobs", 1, *more]
        result = CliRunner().invoke(main, [str(each) for each in arguments], env={"COLUMNS": "300"})
        assert result.exit_code == status, result.output
        return result.output

    return grade


def students(out):
    lines = (out / "grades.csv").read_text(encoding="utf-8").splitlines()[1:]
    return sorted({line.partition(",")[0] for line in lines})


def test_found_graded_and_unreadable_are_counted(grade, tmp_path):
    hand_in(tmp_path, f"in/ada/{NAME}", OK)
    hand_in(tmp_path, f"in/bob/{NAME}", "{")
    (tmp_path / "in" / "eve").mkdir()

    output = grade(tmp_path / "in", status=1)

    assert "Submissions found: 3; graded: 1; unreadable: 2." in output
    assert students(tmp_path / "out") == ["ada", "bob", "eve"]


def test_ignored_files_are_named(grade, tmp_path):
    hand_in(tmp_path, f"in/ada/{NAME}", OK)
    hand_in(tmp_path, "in/ada/notes.txt", "x")
    hand_in(tmp_path, "in/roster.csv", "x")

    assert "2 files are no submission: ada/notes.txt, roster.csv." in grade(tmp_path / "in")


def test_what_does_not_count_is_told_and_stays_in_the_gradebook(grade, tmp_path):
    hand_in(tmp_path, f"in/ada/{NAME}", OK)
    hand_in(tmp_path, "in/ada/07_custom_functions (1).ipynb", OK)

    output = grade(tmp_path / "in")

    assert "ada: This lesson was handed in 2 times. 07_custom_functions (1).ipynb counts" in output
    with Gradebook(tmp_path / "out" / "gradebook.db") as gradebook:
        (kept,) = gradebook.results()
    assert kept.entry.note.endswith(f"not graded: {NAME}.")
    assert len(kept.verdicts) == len(exercises_of(LESSON))
    page = (tmp_path / "out" / "feedback" / "ada.html").read_text(encoding="utf-8")
    assert "This lesson was handed in 2 times." in page
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "This lesson was handed in 2 times." in report


def test_the_report_tells_of_ignored_files_and_counts(grade, tmp_path):
    hand_in(tmp_path, f"in/ada/{NAME}", OK)
    hand_in(tmp_path, "in/ada/<b>.txt", "x")
    grade(tmp_path / "in")

    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")

    assert "Submissions found: 1; graded: 1; unreadable: 0." in report
    assert "1 file is no submission: ada/&lt;b&gt;.txt." in report


def test_a_class_in_a_zip_is_graded(grade, tmp_path):
    top = hand_in(tmp_path, "class.zip", zipped({f"ada/{NAME}": OK, f"class/bob/{NAME}": OK}))
    grade(top)

    assert students(tmp_path / "out") == ["ada", "class"]


def test_a_class_that_is_no_zip_is_refused(grade, tmp_path):
    archive = hand_in(tmp_path, "class.zip", "x")
    output = grade(archive, status=2)

    assert f"Cannot read {archive}. It is a damaged zip archive." in output


def test_a_notebook_in_the_place_of_a_class_is_told_what_is_expected(grade, tmp_path):
    notebook = hand_in(tmp_path, f"ada/{NAME}", OK)
    output = grade(notebook, status=2)

    assert f"Cannot read {notebook}. It is one file. Expected a folder with one folder" in output


def test_results_in_the_folder_of_submissions_are_nobody_s(grade, tmp_path):
    hand_in(tmp_path, f"ada/{NAME}", OK)
    out = tmp_path / "graded"
    grade(tmp_path, out)
    grade(tmp_path, out)

    assert students(out) == ["ada"]


def test_parts_of_one_folder_have_ignored_the_same_and_parts_of_others_more():
    one, other = IgnoredFiles(2, ("a", "b")), IgnoredFiles(1, ("c",))

    assert IgnoredFiles.joined({"in": one}) == one
    assert IgnoredFiles.joined({"in": one, "out": other}) == IgnoredFiles(3, ("a", "b", "c"))


def test_merging_parts_tells_what_was_ignored_and_does_not_count(grade, tmp_path):
    hand_in(tmp_path, f"in/ada/{NAME}", OK)
    hand_in(tmp_path, "in/ada/07_custom_functions (1).ipynb", OK)
    hand_in(tmp_path, "in/ada/notes.txt", "x")
    for shard in ("1/2", "2/2"):
        grade(tmp_path / "in", tmp_path / shard[0], more=("--shard", shard))

    arguments = ["merge", tmp_path / "all", tmp_path / "1", tmp_path / "2"]
    result = CliRunner().invoke(main, [str(each) for each in arguments], env={"COLUMNS": "300"})

    assert result.exit_code == 0, result.output
    assert "Submissions found: 1; graded: 1; unreadable: 0." in result.output
    assert "ada: This lesson was handed in 2 times." in result.output
    assert "1 file is no submission: ada/notes.txt." in result.output


def test_ignored_files_survive_the_gradebook():
    ignored = IgnoredFiles(3, ("a", "b"))

    assert IgnoredFiles.from_json(ignored.to_json()) == ignored
    assert str(ignored) == "3 files are no submission: a, b and 1 more."
    assert str(IgnoredFiles.from_json("damaged")) == ""


def test_not_every_note_is_printed():
    entries = [entry(f"s{number}", note="Look.") for number in range(15)]

    assert len(notes_of(entries)) == 12
    assert notes_of(entries)[-1] == "… and 5 more such notes, in the report."
