import csv
import functools
import json
import shutil
import sqlite3
import subprocess
import sys

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.exercise import exercises_of, source_of
from graders.gradebook import Gradebook
from graders.isolation import IsolationUnavailable, Limits
from graders.run.batch import Settings
from tests.graders.classroom import verdict
from tests.graders.environment import importing_from

LESSON = "07_custom_functions"
EXERCISES = exercises_of(LESSON)
PRELUDE = "import autograd_core as torch\nfrom autograd_core.autograd import Function\n"


def notebook(solutions):
    """A hand-in: `solutions` maps exercises to source."""
    cells = [{"cell_type": "code", "metadata": {}, "source": PRELUDE, "outputs": []}]
    for exercise, source in solutions.items():
        metadata = {"exercise": exercise}
        cells.append({"cell_type": "code", "metadata": metadata, "source": source, "outputs": []})
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def hand_in(folder, student, text, lesson=LESSON):
    path = folder / student / f"{lesson}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def right():
    return notebook({each.id: source_of(each.reference, each.symbol) for each in EXERCISES})


def wrong():
    first = EXERCISES[0]
    idea = first.misconceptions[0]
    return notebook({first.id: source_of(idea.solution, first.symbol)})


@pytest.fixture
def submissions(tmp_path):
    folder = tmp_path / "submissions"
    hand_in(folder, "ada", right())
    hand_in(folder, "山田 太郎", wrong())
    hand_in(folder, "=1+1", right())
    return folder


def by_marks(submission, isolation, limits, seed):
    """Grade without running anything: an exercise's cell, where there is one, is right."""
    answered = {cell.exercise for cell in submission.cells}
    return [
        verdict(each.id, "passed" if each.id in answered else "not_attempted", lesson=each.lesson)
        for each in exercises_of(submission.lesson)
    ]


@pytest.fixture
def quick(monkeypatch):
    """For tests of what is around the grading, not of the grading."""
    quick = functools.partial(Settings, grade=by_marks)
    monkeypatch.setattr("graders.run.grading_run.Settings", quick)


def grade(submissions, out, *options):
    arguments = ["grade", str(submissions), "--out", str(out), "--isolation", "none"]
    return CliRunner().invoke(main, [*arguments, "--jobs", "1", *options])


def rows(out):
    with (out / "grades.csv").open(encoding="utf-8", newline="") as sheet:
        return list(csv.DictReader(sheet))


def test_grading_writes_everything_the_contract_names(quick, submissions, tmp_path):
    out = tmp_path / "out"
    result = grade(submissions, out)
    assert result.exit_code == 0, result.output
    for name in ("gradebook.db", "grades.csv", "report.html"):
        assert (out / name).stat().st_size
    assert {path.name for path in (out / "feedback").iterdir()} == {
        "ada.html",
        "山田 太郎.html",
        "=1+1.html",
    }
    assert {path.name for path in (out / "gradescope").iterdir()} == {
        "ada.json",
        "山田 太郎.json",
        "=1+1.json",
    }
    columns = ["student", "exercise", "points", "max_points", "status", "findings"]
    assert list(rows(out)[0]) == columns


def test_every_submission_has_a_row_for_every_exercise(quick, submissions, tmp_path):
    grade(submissions, tmp_path / "out")
    by_student = {}
    for row in rows(tmp_path / "out"):
        by_student.setdefault(row["student"], []).append(row["exercise"])
    every = [each.id for each in EXERCISES]
    assert by_student == {"ada": every, "山田 太郎": every, "'=1+1": every}


def test_right_answers_pass_and_a_wrong_idea_is_named(submissions, tmp_path):
    result = grade(submissions, tmp_path / "out")
    ada = [row for row in rows(tmp_path / "out") if row["student"] == "ada"]
    assert {row["status"] for row in ada} == {"passed"}
    assert all(row["points"] == row["max_points"] for row in ada)
    idea = EXERCISES[0].misconceptions[0].id
    taro = next(row for row in rows(tmp_path / "out") if row["student"] == "山田 太郎")
    assert taro["status"] in {"failed", "partial"}
    assert idea in taro["findings"].split(";")
    assert idea in result.output


def test_the_summary_tells_counts_and_where_things_are(submissions, tmp_path):
    output = grade(submissions, tmp_path / "out").output
    assert "3 submissions by 3 students" in output
    assert "passed" in output
    assert "Most common misconceptions" in output
    assert "report.html" in output


def test_a_submission_that_cannot_be_read_has_rows_and_status_one(quick, submissions, tmp_path):
    hand_in(submissions, "zoe", '{"cells": [')
    result = grade(submissions, tmp_path / "out")
    assert result.exit_code == 1
    zoe = [row for row in rows(tmp_path / "out") if row["student"] == "zoe"]
    assert [row["exercise"] for row in zoe] == [each.id for each in EXERCISES]
    assert {row["status"] for row in zoe} == {"error"}
    assert "1 could not be read" in result.output
    assert "zoe" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_student_without_a_notebook_has_a_row(quick, submissions, tmp_path):
    (submissions / "zoe").mkdir()
    result = grade(submissions, tmp_path / "out")
    assert result.exit_code == 1
    zoe = [row for row in rows(tmp_path / "out") if row["student"] == "zoe"]
    assert [(row["exercise"], row["status"]) for row in zoe] == [("unknown", "error")]


def test_lessons_of_one_student_share_a_feedback_page(quick, submissions, tmp_path):
    hand_in(submissions, "ada", right(), "08_mark_dirty")
    grade(submissions, tmp_path / "out")
    page = (tmp_path / "out" / "feedback" / "ada.html").read_text(encoding="utf-8")
    assert "7 · Custom functions" in page
    if exercises_of("08_mark_dirty"):
        assert "8 · Mark dirty" in page


def gradings(out):
    database = sqlite3.connect(out / "gradebook.db")
    found = dict(database.execute("SELECT student, rowid FROM grading").fetchall())
    database.close()
    return found


def test_what_is_unchanged_is_not_graded_again(quick, submissions, tmp_path):
    out = tmp_path / "out"
    grade(submissions, out)
    before, sheet = gradings(out), (out / "grades.csv").read_bytes()
    hand_in(submissions, "ben", wrong())
    result = grade(submissions, out)
    after = gradings(out)
    assert "3 unchanged, not graded again" in result.output
    assert {name: after[name] for name in before} == before
    assert "ben" in after
    assert all(line in (out / "grades.csv").read_bytes() for line in sheet.splitlines())


def test_a_changed_submission_is_graded_again(quick, submissions, tmp_path):
    grade(submissions, tmp_path / "out")
    hand_in(submissions, "ada", wrong())
    result = grade(submissions, tmp_path / "out")
    assert "2 unchanged" in result.output
    ada = [row for row in rows(tmp_path / "out") if row["student"] == "ada"]
    assert [row["status"] for row in ada].count("passed") == 1


def test_regrade_grades_everything(quick, submissions, tmp_path):
    grade(submissions, tmp_path / "out")
    before = gradings(tmp_path / "out")
    result = grade(submissions, tmp_path / "out", "--regrade", "all")
    assert "unchanged" not in result.output
    assert not set(before.values()) & set(gradings(tmp_path / "out").values())


def seeds(out):
    with Gradebook(out / "gradebook.db") as book:
        return {each.entry.student: each.seed for each in book.results()}


def test_regrading_a_student_leaves_the_others_as_they_were(quick, submissions, tmp_path):
    out = tmp_path / "out"
    grade(submissions, out)
    before = seeds(out)
    assert "2 unchanged" in grade(submissions, out, "--regrade", "ada").output
    after = seeds(out)
    assert [name for name in before if after[name] != before[name]] == ["ada"]
    assert "3 unchanged" in grade(submissions, out, "--regrade", "failed").output


def test_a_limit_that_is_no_number_is_refused(quick, submissions, tmp_path):
    result = grade(submissions, tmp_path / "out", "--timeout", "nan")
    assert result.exit_code == 2
    assert "nan is no number" in result.output


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--timeout", "long", "'long' is not a valid number."),
        ("--jobs", "2.5", "'2.5' is not a valid whole number."),
        ("--memory", "1", "1 is not in the range 64<=x<=1048576."),
    ],
)
def test_a_limit_is_refused_in_plain_words(quick, submissions, tmp_path, option, value, words):
    result = grade(submissions, tmp_path / "out", option, value)
    assert result.exit_code == 2
    assert words in result.output


def test_regrading_somebody_unknown_is_refused(quick, submissions, tmp_path):
    result = grade(submissions, tmp_path / "out", "--regrade", "adaa")
    assert result.exit_code == 2
    assert "did you mean 'ada'?" in result.output


def test_a_work_handed_in_again_never_meets_the_inputs_it_has_seen(quick, submissions, tmp_path):
    met = set()
    for content in (right(), wrong(), right(), notebook({})):
        hand_in(submissions, "ada", content)
        grade(submissions, tmp_path / "out", "--regrade", "all")
        met.add(seeds(tmp_path / "out")["ada"])
    assert len(met) == 4


def test_a_student_who_is_gone_is_kept_and_shown_when_asked_for(quick, submissions, tmp_path):
    out = tmp_path / "out"
    grade(submissions, out)
    shutil.rmtree(submissions / "ada")
    result = grade(submissions, out)
    assert "1 student of earlier runs not in" in result.output
    assert "(ada): their results are kept, not shown (--with-absent)" in result.output
    assert "ada" not in {row["student"] for row in rows(out)}
    grade(submissions, out, "--with-absent")
    assert "ada" in {row["student"] for row in rows(out)}
    hand_in(submissions, "ada", right())
    assert "3 unchanged" in grade(submissions, out).output


def test_the_same_seed_gives_the_same_grades_whoever_grades_first(submissions, tmp_path):
    grade(submissions, tmp_path / "one", "--seed", "5")
    grade(submissions, tmp_path / "two", "--seed", "5", "--jobs", "3")
    with Gradebook(tmp_path / "one" / "gradebook.db") as one:
        first = [(g.entry, g.seed, g.verdicts) for g in one.results()]
    with Gradebook(tmp_path / "two" / "gradebook.db") as two:
        second = [(g.entry, g.seed, g.verdicts) for g in two.results()]
    assert first == second


def test_an_interrupted_run_goes_on_with_the_same_command(
    quick, submissions, tmp_path, monkeypatch
):
    out = tmp_path / "out"
    record = Gradebook.record
    seen = []

    def interrupted(self, grading):
        record(self, grading)
        seen.append(grading.entry.student)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Gradebook, "record", interrupted)
        result = grade(submissions, out)
    assert result.exit_code == 130
    assert "the same command goes on from there" in result.output
    assert len(seen) == 1
    result = grade(submissions, out)
    assert result.exit_code == 0
    assert "1 unchanged, not graded again" in result.output
    assert len({row["student"] for row in rows(out)}) == 3


DIES = """
import os, signal, sys
import functools
import graders.run.grading_run
from graders.run.batch import Settings
from tests.graders.test_cli import by_marks
import {module} as module
graders.run.grading_run.Settings = functools.partial(Settings, grade=by_marks)
whole, calls = module.{function}, 0

def dying(*arguments):
    global calls
    whole(*arguments)
    calls += 1
    if calls == {calls}:
        os.kill(os.getpid(), signal.SIGKILL)

module.{function} = dying
from graders.run.batch import Settings
from graders.cli import main
if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("module", "function", "calls"),
    [
        ("graders.gradebook", "Gradebook.enroll", 1),
        ("graders.gradebook", "Gradebook.record", 1),
        ("graders.gradebook", "Gradebook.record", 2),
        ("graders.run.grading_run", "write_whole", 1),
        ("graders.run.grading_run", "write_whole", 4),
    ],
)
def test_a_killed_run_comes_to_the_same_end(quick, submissions, tmp_path, module, function, calls):
    grade(submissions, tmp_path / "undisturbed", "--seed", "5")
    out = tmp_path / "killed"
    arguments = ["grade", str(submissions), "--out", str(out), "--isolation", "none"]
    killed = subprocess.run(
        [
            *(sys.executable, "-c", DIES.format(module=module, function=function, calls=calls)),
            *(*arguments, "--jobs", "2", "--seed", "5"),
        ],
        env=importing_from(),
        capture_output=True,
        timeout=120,
    )
    assert killed.returncode == -9, killed.stderr.decode()
    assert grade(submissions, out).exit_code == 0
    for name in ("grades.csv", "feedback/ada.html", "feedback/=1+1.html"):
        assert (out / name).read_bytes() == (tmp_path / "undisturbed" / name).read_bytes()
    assert not [path for path in out.rglob("*") if "writing" in path.name]


def test_an_empty_folder_is_an_unusable_argument(tmp_path):
    (tmp_path / "empty").mkdir()
    result = grade(tmp_path / "empty", tmp_path / "out")
    assert result.exit_code == 2
    assert "<student>/<lesson>.ipynb" in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade"],
        ["grade", "nowhere", "--out", "out"],
        ["grade", ".", "--out", "out", "--isolation", "hope"],
        ["grade", ".", "--out", "out", "--jobs", "0"],
        ["grade", ".", "--out", "out", "--timeout", "0"],
        ["grade", ".", "--out", "out", "--seed", "-1"],
    ],
)
def test_unusable_arguments_end_with_status_two(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Usage" in result.output


def test_a_file_for_the_out_folder_is_explained(submissions, tmp_path):
    (tmp_path / "file").write_text("")
    result = grade(submissions, tmp_path / "file" / "out")
    assert result.exit_code == 2
    assert "Cannot write to" in result.output


def test_results_are_not_put_among_the_students(submissions):
    before = sorted(submissions.iterdir())
    done = grade(submissions, submissions)
    assert done.exit_code == 2
    assert f"Choose another folder with --out, such as {submissions / 'graded'}." in done.output
    assert sorted(submissions.iterdir()) == before


def test_a_damaged_gradebook_is_explained_and_left_alone(submissions, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "gradebook.db").write_bytes(b"no database" * 99)
    result = grade(submissions, tmp_path / "out")
    assert result.exit_code == 2
    assert "damaged or not a gradebook" in result.output
    assert (tmp_path / "out" / "gradebook.db").read_bytes() == b"no database" * 99


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_without_isolation_on_this_machine_nothing_runs(submissions, tmp_path, monkeypatch, jobs):
    def unavailable(name, limits):
        raise IsolationUnavailable("Install bubblewrap, or say --isolation none.")

    monkeypatch.setattr("graders.executors.local.choose", unavailable)
    monkeypatch.setattr("graders.executors.lane.choose", unavailable)
    # Lanes know what is patched only if they are forked, even if a thread is just about to end.
    monkeypatch.setattr("graders.executors.lane.threading.active_count", lambda: 1)
    result = grade(submissions, tmp_path / "out", "--jobs", jobs)
    assert result.exit_code == 2
    assert "Install bubblewrap" in result.output
    assert not (tmp_path / "out" / "grades.csv").exists()


def test_limits_asked_for_fit_together():
    usual = Limits.asked()
    asked = Limits.asked(120, 256)
    assert (asked.seconds, asked.memory_bytes) == (120, 256 * 2**20)
    assert asked.submission_seconds > asked.seconds
    assert Limits.asked(1).submission_seconds == (usual.submission_seconds)


def test_results_do_not_go_into_a_students_folder(quick, submissions, tmp_path):
    result = grade(submissions, submissions / "ada")
    assert result.exit_code == 2
    assert f"Choose another folder with --out, such as {submissions / 'graded'}." in result.output
    for _ in range(2):
        assert grade(submissions, submissions / "graded").exit_code == 0
    assert {row["student"] for row in rows(submissions / "graded")} >= {"ada"}


def test_the_folder_of_submissions_may_move(quick, submissions, tmp_path):
    grade(submissions, tmp_path / "out")
    shutil.move(submissions, tmp_path / "elsewhere")
    assert "3 unchanged" in grade(tmp_path / "elsewhere", tmp_path / "out").output


def test_python_m_graders_is_the_same_program(tmp_path):
    told = subprocess.run(
        [sys.executable, "-m", "graders", "grade", "--help"],
        cwd=tmp_path,
        env=importing_from(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert told.returncode == 0
    assert "Usage: autograd-lessons grade [OPTIONS] SUBMISSIONS" in told.stdout
