import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from graders.gradebook import Gradebook, GradebookError
from graders.judging.assessment import Assessment
from tests.graders.classroom import entry, grading, misled, stopped, verdict
from tests.graders.environment import importing_from

FIRST_FORMAT = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE roster (
    student TEXT NOT NULL, lesson TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
    problem TEXT NOT NULL, exercise_set TEXT NOT NULL, PRIMARY KEY (student, lesson, path)
);
CREATE TABLE grading (
    student TEXT NOT NULL, lesson TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
    exercise_set TEXT NOT NULL, verdicts TEXT NOT NULL, seed INTEGER NOT NULL,
    seconds REAL NOT NULL, isolation TEXT NOT NULL, limits TEXT NOT NULL, graded_at TEXT NOT NULL,
    PRIMARY KEY (student, lesson, path, digest, exercise_set)
)
"""


def record(path, *gradings):
    with Gradebook(path) as book:
        book.enroll([g.entry for g in gradings])
        for one in gradings:
            book.record(one)


def test_what_is_recorded_comes_back_whole(tmp_path):
    written = grading("ada", [verdict(), misled("fn-exp"), stopped("fn-linear")])
    record(tmp_path / "gradebook.db", written)
    with Gradebook(tmp_path / "gradebook.db") as book:
        assert book.results() == [written]


def test_of_equal_verdicts_the_results_hold_one(tmp_path):
    path = tmp_path / "gradebook.db"
    basis = Assessment("failed", "It stopped.")
    record(path, *(grading(name, [verdict(basis=basis), misled("fn-exp")]) for name in "abc"))
    with Gradebook(path) as book:
        results = book.results()
        assert book.grading(entry("a")).verdicts[0].basis == basis
    assert len({id(verdict) for each in results for verdict in each.verdicts}) == 2
    assert {verdict.basis for each in results for verdict in each.verdicts} == {None}


def test_the_file_is_in_wal_mode(tmp_path):
    record(tmp_path / "gradebook.db", grading())
    database = sqlite3.connect(tmp_path / "gradebook.db")
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_missing_folders_are_made(tmp_path):
    record(tmp_path / "a" / "b" / "gradebook.db", grading())
    assert (tmp_path / "a" / "b" / "gradebook.db").exists()


def test_identical_files_of_two_students_are_two_gradings(tmp_path):
    record(tmp_path / "gradebook.db", grading("ada"), grading("ben", [misled()]))
    with Gradebook(tmp_path / "gradebook.db") as book:
        statuses = {g.entry.student: g.verdicts[0].status for g in book.results()}
    assert statuses == {"ada": "passed", "ben": "failed"}


def test_results_are_those_of_the_last_roster_and_older_gradings_stay(tmp_path):
    path = tmp_path / "gradebook.db"
    record(path, grading("ada"), grading("ben"))
    with Gradebook(path) as book:
        book.enroll([entry("ada")])
        assert [g.entry.student for g in book.results()] == ["ada"]
        book.enroll([entry("ada"), entry("ben")])
        assert [g.entry.student for g in book.results()] == ["ada", "ben"]


def test_a_student_who_is_gone_is_kept_and_shown_when_asked_for(tmp_path):
    path = tmp_path / "gradebook.db"
    record(path, grading("ada"), grading("ben"))
    with Gradebook(path) as book:
        book.enroll([entry("ada"), entry("ben", path="ben/renamed/07_custom_functions.ipynb")])
        book.enroll([entry("ada")])
        assert book.absent_students() == ["ben"]
        assert [e.student for e in book.roster()] == ["ada"]
        shown = [(e.student, e.path) for e in book.roster(with_absent=True)]
        assert shown == [
            ("ada", "ada/07_custom_functions.ipynb"),
            ("ben", "ben/renamed/07_custom_functions.ipynb"),
        ]
        book.enroll([entry("ada"), entry("ben")])
        assert book.absent_students() == []
        assert [g.entry.student for g in book.results(with_absent=True)] == ["ada", "ben"]


def test_a_notebook_that_is_gone_is_not_shown_beside_the_student_s_others(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.enroll([entry("ada"), entry("ada", "08_mark_dirty")])
        book.enroll([entry("ada")])
        assert [e.lesson for e in book.roster(with_absent=True)] == ["07_custom_functions"]


def test_other_words_take_the_place_of_those_that_were_kept(tmp_path):
    path = tmp_path / "gradebook.db"
    record(path, grading("ada", entry=entry("ada", wording="w1")), grading("ben"))
    now = entry("ada", wording="w2")
    with Gradebook(path) as book:
        before = book.grading(now)
        book.reword(now, [misled()])
        after = book.grading(now)
        assert before.entry.wording == "w1"
        assert after.entry.wording == "w2"
        assert after.verdicts == (misled(),)
        assert (after.seed, after.seconds, after.run) == (before.seed, before.seconds, before.run)
        assert book.grading(entry("ben")) == grading("ben")


def test_a_gradebook_of_the_first_format_is_read_and_brought_up_to_date(tmp_path):
    path = tmp_path / "gradebook.db"
    database = sqlite3.connect(path)
    with database:
        for statement in FIRST_FORMAT.split(";"):
            database.execute(statement)
        database.execute("INSERT INTO fact VALUES ('format', '1'), ('seed', '5')")
        row = [
            *entry("ada").key,
            json.dumps([verdict().to_json()]),
            1,
            0.25,
            "bubblewrap",
            "{}",
            "",
        ]
        database.execute(f"INSERT INTO grading VALUES ({', '.join('?' * len(row))})", row)
        roster = ["ada", "07_custom_functions", entry("ada").path, "d1", "", "v1"]
        database.execute("INSERT INTO roster VALUES (?, ?, ?, ?, ?, ?)", roster)
    database.close()
    for _ in range(2):
        with Gradebook(path) as book:
            assert [g.verdicts for g in book.results()] == [(verdict(),)]
            book.record(grading("ben"))


def test_a_roster_with_an_ungraded_entry_has_results_for_the_rest(tmp_path):
    with Gradebook(tmp_path / "gradebook.db") as book:
        book.enroll([entry("ada"), entry("ben")])
        book.record(grading("ben"))
        assert [g.entry.student for g in book.results()] == ["ben"]


def test_the_problem_of_an_unreadable_entry_is_kept(tmp_path):
    torn = entry("ada", problem="The file ends in the middle.")
    record(tmp_path / "gradebook.db", grading("ada", entry=torn))
    with Gradebook(tmp_path / "gradebook.db") as book:
        assert book.results()[0].entry.problem == "The file ends in the middle."


def test_a_second_run_is_told_that_the_first_is_still_writing(tmp_path):
    path = tmp_path / "gradebook.db"
    with Gradebook(path), pytest.raises(GradebookError, match="Another run is writing"):
        Gradebook(path, wait=0.05)


def test_the_lock_ends_with_the_run(tmp_path):
    path = tmp_path / "gradebook.db"
    Gradebook(path).close()
    with Gradebook(path, wait=0.05) as book:
        assert book.results() == []


@pytest.mark.parametrize("content", [b"this is no database, it never was" * 40, b"SQLite format 3"])
def test_a_damaged_file_is_named_and_left_alone(tmp_path, content):
    path = tmp_path / "gradebook.db"
    path.write_bytes(content)
    with pytest.raises(GradebookError, match="damaged or not a gradebook"):
        Gradebook(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("table", ["moz_places (id, url)", "fact (id, url)", "fact (name, value)"])
def test_another_program_s_database_is_refused_and_left_as_it_was(tmp_path, table):
    path = tmp_path / "gradebook.db"
    database = sqlite3.connect(path)
    database.execute(f"CREATE TABLE {table}")
    database.close()
    content = path.read_bytes()

    with pytest.raises(GradebookError, match=r"(no|not a) gradebook"):
        Gradebook(path)

    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_gradebook_into_which_nothing_was_graded_is_not_taken_for_one_that_was(tmp_path):
    path = tmp_path / "gradebook.db"
    path.touch()
    with pytest.raises(GradebookError, match="is empty: nothing was ever graded"):
        Gradebook(path, written=True)
    assert path.read_bytes() == b""
    Gradebook(path).close()
    Gradebook(path, written=True).close()


def test_a_newer_format_is_refused(tmp_path):
    path = tmp_path / "gradebook.db"
    Gradebook(path).close()
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE fact SET value = '99' WHERE name = 'format'")
    database.close()
    with pytest.raises(GradebookError, match="format 99"):
        Gradebook(path)


def test_a_row_that_cannot_be_read_counts_as_not_graded(tmp_path):
    path = tmp_path / "gradebook.db"
    record(path, grading("ada"), grading("ben"))
    database = sqlite3.connect(path)
    with database:
        database.execute("UPDATE grading SET verdicts = '[{' WHERE student = 'ada'")
    database.close()
    with Gradebook(path) as book:
        assert book.grading(entry("ada")) is None
        assert [g.entry.student for g in book.results()] == ["ben"]


def test_a_file_in_the_place_of_the_folder_is_explained(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(GradebookError, match=r"Cannot write to .*out"):
        Gradebook(tmp_path / "out" / "gradebook.db")


def test_a_folder_in_the_place_of_the_file_is_explained(tmp_path):
    (tmp_path / "gradebook.db").mkdir()
    with pytest.raises(GradebookError, match="Cannot write"):
        Gradebook(tmp_path / "gradebook.db")


def complaint_of_an_ordinary_user(path: Path) -> str:
    """What opening `path` says to somebody who is not root; root may write anywhere."""
    says, hears = multiprocessing.Pipe()

    def attempt() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        try:
            Gradebook(path).close()
            says.send("opened")
        except GradebookError as error:
            says.send(str(error))

    process = multiprocessing.get_context("fork").Process(target=attempt)
    process.start()
    process.join(60)
    return hears.recv() if hears.poll() else "died"


@pytest.mark.parametrize("existing", [False, True])
def test_a_read_only_folder_is_explained(tmp_path, existing):
    path = tmp_path / "out" / "gradebook.db"
    path.parent.mkdir()
    if existing:
        record(path, grading())
        path.chmod(0o444)
    path.parent.chmod(0o555)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    said = complaint_of_an_ordinary_user(path)
    path.parent.chmod(0o755)
    assert "Cannot write" in said
    assert "--out" in said


def run(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-c", program, str(path)],
        env=importing_from(),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_what_was_recorded_survives_a_kill(tmp_path):
    path = tmp_path / "gradebook.db"
    program = """
import os, signal, sys
from pathlib import Path
from graders.gradebook import Gradebook
from tests.graders.classroom import entry, grading
book = Gradebook(Path(sys.argv[1]))
book.enroll([entry(name) for name in "abc"])
book.record(grading("a"))
book.record(grading("b"))
book._database.execute("BEGIN IMMEDIATE")
book._database.execute("DELETE FROM grading")
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert run(program, path).returncode == -9
    with Gradebook(path, wait=0.05) as book:
        assert [g.entry.student for g in book.results()] == ["a", "b"]
        assert len(book.roster()) == 3
