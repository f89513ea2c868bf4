import io
import sys

import pytest
from rich.cells import cell_len

from graders.report import summarize
from graders.report.terminal import NAMED, plain, tell
from tests.graders.classroom import entry, grading, misled, verdict


@pytest.fixture
def said(capsys, monkeypatch, tmp_path):
    """What is told of some gradings on a terminal of 80 columns, without colours."""
    monkeypatch.setenv("COLUMNS", "80")

    def tell_of(gradings, **more):
        tell(summarize(gradings), tmp_path, **more)
        return capsys.readouterr().out

    return tell_of


def unreadable(student, problem="It is empty."):
    return grading(student, [verdict(status="error")], entry=entry(student, problem=problem))


def test_counts_scores_and_times_are_told(said):
    text = said([grading("ada"), grading("ben", [misled()], seconds=3.0)], kept=1)
    assert "2 submissions by 2 students (1 unchanged, not graded again)" in text
    assert "Mean score 50%, median 50%" in text
    assert "longest 3.0 s (ben/07_custom_functions.ipynb)" in text
    assert "✓ passed" in text
    assert "✗ not right yet" in text


def test_the_five_most_common_misconceptions_are_told_in_words(said):
    many = [misled(f"fn-{k}", f"idea-{k}", summary=f"You add {k}.") for k in range(7)]
    text = said([grading(f"s{n}", many[n:]) for n in range(7)])
    told = [line for line in text.splitlines() if "idea-" in line]
    assert [line.split()[0] for line in told] == ["7", "6", "5", "4", "3"]
    assert "You add 6." in text


def test_80_columns_are_enough_but_for_paths_and_there_are_no_colours(said, tmp_path):
    text = said([grading("ada", [misled("fn-square", "forgets-the-two", summary="Long. " * 60)])])
    lines = [line for line in text.splitlines() if str(tmp_path) not in line]
    assert max(cell_len(line) for line in lines) <= 80
    assert "\x1b" not in text


def test_unreadable_submissions_are_named_up_to_a_number(said):
    text = said([unreadable(f"s{k:02}") for k in range(NAMED + 3)])
    assert f"{NAMED + 3} could not be read:" in text
    assert "s00/07_custom_functions.ipynb: It is empty." in text
    assert f"s{NAMED:02}" not in text
    assert "and 3 more, which the report names" in text


def test_notes_and_where_things_are_stand_on_lines_of_their_own(said, tmp_path):
    lines = said([grading()], notes=["Inputs drawn from: --seed 5"]).splitlines()
    assert "Inputs drawn from: --seed 5" in lines
    assert f"Report:     {tmp_path / 'report.html'}" in lines
    assert f"Gradebook:  {tmp_path / 'gradebook.db'}" in lines


def test_a_terminal_without_unicode_gets_question_marks_and_no_crash(monkeypatch, tmp_path):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    tell(summarize([unreadable("Zoë")]), tmp_path)
    stream.flush()
    assert b"Zo?/07_custom_functions.ipynb" in stream.buffer.getvalue()


def test_names_cannot_command_the_terminal():
    assert plain("a\x1b[31mb\nc") == "a\ufffd[31mb\ufffdc"
