"""A whole class, graded by the command line: every row as its hand-in deserves.

`tests/submissions/expected.csv` says what each student should get. It was written by reading what
they wrote, and is not to be copied from what the grader says.
"""

from __future__ import annotations

import csv
import ctypes
import html
import json
import os
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import graders
from graders.exercise import all_exercises, load, source_of
from graders.gradebook import Gradebook, Grading
from graders.reading.submissions import find_submissions
from tests.graders.workers import ISOLATING

ROOT = Path(graders.__path__[0]).parent
SUBMISSIONS = ROOT / "tests" / "submissions"
COLUMNS = ["student", "exercise", "points", "max_points", "status", "findings"]

TIMEOUT, MEMORY, SEED, ANOTHER_SEED = 3, 1024, 1, 20_000
GENEROUS = 20  # seconds for a submission that runs into a limit once, on a busy machine
FEEDBACK_BYTES = 200_000

HOSTILE = {
    "rasmus.holm": "a loop in a cell that never ends",
    "sofia.rossi": "a loop in backward that never ends",
    "tomasz.kowal": "4 GiB, twice",
    "xavier.dupont": "prints megabytes",
    "yusuf.demir": "ends the process",
    "zoe.martin": "looks for solutions, on the disk and in the network",
}
DAMAGED = {"uma.patel": "The file is damaged: its JSON is broken (line 1192)"}
UNREADABLE = {
    "yamada taro/08_mark_dirty.ipynb": "There is a folder in the notebook's place",
}
WELL_KNOWN = (
    "leaf-predict",
    "leaf-missing-grad",
    "leaf-walk",
    "fn-square",
    "fn-exp",
    "fn-multiply",
    "fn-scaled-add",
    "dirty-add-one",
    "dirty-multiply-add",
    "dirty-conditional",
)
"""Exercises of which each misconception is held by a student."""

PR_SET_CHILD_SUBREAPER = 36

Rows = dict[tuple[str, str], tuple[str, ...]]


@dataclass(frozen=True)
class Run:
    """One run of the command: its folder, exit status, output, and who outlived it."""

    out: Path
    status: int
    printed: str
    survivors: list[int]

    def lines(self) -> list[str]:
        return (self.out / "grades.csv").read_text(encoding="utf-8").splitlines()

    def gradings(self) -> list[Grading]:
        with Gradebook(self.out / "gradebook.db") as gradebook:
            return gradebook.results()

    def page(self, student: str) -> str:
        page = self.out / "feedback" / f"{student}.html"
        return html.unescape(page.read_text(encoding="utf-8"))


def run(submissions: Path, out: Path, *options: object) -> Run:
    command = [sys.executable, "-m", "graders", "grade", submissions, "--out", out]
    limits = ["--timeout", TIMEOUT, "--memory", MEMORY]
    with orphans() as survivors:
        ended = subprocess.run(
            [str(part) for part in (*command, *limits, *options)],
            cwd=ROOT,
            env={**os.environ, "COLUMNS": "200"},
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
    return Run(out, ended.returncode, ended.stdout, survivors)


@contextmanager
def orphans() -> Iterator[list[int]]:
    """Adopt what is orphaned meanwhile; the list then names what of it does not end."""
    libc = ctypes.CDLL(None)
    before = living_children()
    survivors: list[int] = []
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield survivors
        # A multiprocessing helper that ends with its parent may need a moment for it.
        deadline = time.monotonic() + 5
        while (left := living_children() - before) and time.monotonic() < deadline:
            time.sleep(0.05)
        survivors += left
    finally:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def living_children() -> set[int]:
    found = set()
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state != "Z":
            found.add(int(entry.parent.name))
    return found


def rows(sheet: Path) -> Rows:
    with sheet.open(encoding="utf-8", newline="") as stream:
        read = list(csv.DictReader(stream))
    found = {(row["student"], row["exercise"]): tuple(row[c] for c in COLUMNS[2:]) for row in read}
    assert len(found) == len(read)
    return found


def without(left_out: dict[str, str], table: Rows) -> Rows:
    return {key: row for key, row in table.items() if key[0] not in left_out}


EXPECTED = rows(SUBMISSIONS / "expected.csv")
STUDENTS = sorted({student for student, _ in EXPECTED})


@pytest.fixture(scope="module", params=ISOLATING)
def graded(request, tmp_path_factory) -> Run:
    """The whole folder, in each kind of isolation that this machine has."""
    out = tmp_path_factory.mktemp(request.param)
    return run(SUBMISSIONS, out, "--isolation", request.param, "--seed", SEED)


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory) -> Run:
    """The folder without those who do harm, with inputs drawn from another seed."""
    folder = tmp_path_factory.mktemp("peaceful")
    shutil.copytree(SUBMISSIONS, folder / "in", ignore=shutil.ignore_patterns(*HOSTILE))
    return run(folder / "in", folder / "out", "--seed", ANOTHER_SEED)


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """What each student has written, in all lessons."""
    found: dict[str, str] = defaultdict(str)
    for submission in find_submissions(SUBMISSIONS):
        found[submission.student] += "\n".join(cell.source for cell in submission.cells)
    return found


def test_every_row_is_as_the_hand_in_deserves(graded):
    assert graded.lines()[0].split(",") == COLUMNS
    assert rows(graded.out / "grades.csv") == EXPECTED


def test_every_student_of_the_folder_is_expected_for_every_exercise_of_their_lessons():
    handed_in = {(each.student, each.lesson) for each in find_submissions(SUBMISSIONS)}
    exercises = all_exercises()
    assert set(EXPECTED) == {
        (student, each.id)
        for student, lesson in handed_in
        for each in exercises
        if each.lesson == lesson
    }


@pytest.mark.parametrize("id", WELL_KNOWN)
def test_every_misconception_of_a_well_known_exercise_is_held_by_somebody(id):
    held = {
        finding
        for (_, exercise), row in EXPECTED.items()
        if exercise == id
        for finding in row[-1].split(";")
    }
    assert {each.id for each in load(id).misconceptions} <= held


def test_the_exit_status_and_the_summary_tell_of_those_that_cannot_be_read(graded):
    assert graded.status == 1
    assert f"{len(UNREADABLE)} could not be read" in graded.printed
    for path, why in UNREADABLE.items():
        lines = [line for line in graded.printed.splitlines() if path in line]
        assert any(why in line for line in lines)
        assert why in graded.page(path.partition("/")[0])


def test_a_damaged_hand_in_is_graded_as_far_as_it_goes_and_everybody_is_told(graded):
    for student, why in DAMAGED.items():
        assert f"{student}: {why}" in " ".join(graded.printed.split())
        assert why in graded.page(student)
        assert f"{student}</bdi>: {why}" in (graded.out / "report.html").read_text("utf-8")
        assert {row[2] for (name, _), row in EXPECTED.items() if name == student} == {"error"}


def test_every_student_has_feedback_and_a_gradescope_file_with_their_points(graded):
    for kind, suffix in {"feedback": ".html", "gradescope": ".json"}.items():
        files = sorted(path.name for path in (graded.out / kind).iterdir())
        assert files == [student + suffix for student in STUDENTS]
    for student in STUDENTS:
        results = json.loads((graded.out / "gradescope" / f"{student}.json").read_text("utf-8"))
        points = sum(float(row[0]) for (name, _), row in EXPECTED.items() if name == student)
        assert results["score"] == pytest.approx(points)


def test_limits_hold_and_stop_only_what_they_are_for(graded):
    seconds = {each.entry.student: each.seconds for each in graded.gradings()}
    assert TIMEOUT <= seconds["rasmus.holm"] < GENEROUS
    assert TIMEOUT <= seconds["sofia.rossi"] < GENEROUS
    assert seconds["tomasz.kowal"] < GENEROUS
    assert EXPECTED["rasmus.holm", "leaf-missing-grad"][2] == "timeout"
    assert EXPECTED["rasmus.holm", "leaf-walk"][2] == "passed"


def test_no_process_outlives_the_command(graded, peaceful):
    assert graded.survivors == []
    assert peaceful.survivors == []


def test_megabytes_of_output_do_not_reach_the_results(graded):
    assert (graded.out / "feedback" / "xavier.dupont.html").stat().st_size < FEEDBACK_BYTES
    assert (graded.out / "gradescope" / "xavier.dupont.json").stat().st_size < FEEDBACK_BYTES


def test_who_looks_for_solutions_on_the_disk_finds_none(graded):
    found = {
        each.exercise: each
        for g in graded.gradings()
        for each in g.verdicts
        if "zoe" in g.entry.student
    }
    assert found["fn-square"].output.strip() == "LOOT 0"


def test_nobody_else_gets_another_row_when_the_hostile_are_left_out(peaceful, graded):
    alone = rows(peaceful.out / "grades.csv")
    assert alone == without(HOSTILE, rows(graded.out / "grades.csv"))


def test_another_seed_draws_other_inputs_and_finds_the_same(peaceful, graded):
    drawn = {each.entry: each.seed for each in graded.gradings()}
    redrawn = {each.entry: each.seed for each in peaceful.gradings()}
    assert all(drawn[entry] != seed for entry, seed in redrawn.items())
    assert rows(peaceful.out / "grades.csv") == without(HOSTILE, EXPECTED)


def test_the_same_seed_gives_the_same_lines_whoever_else_hands_in(graded, tmp_path):
    some = ("kavya.rao", "tomasz.kowal", "yamada taro")
    for student in some:
        shutil.copytree(SUBMISSIONS / student, tmp_path / "in" / student)
    again = run(tmp_path / "in", tmp_path / "out", "--seed", SEED)
    expected = [line for line in graded.lines() if line.partition(",")[0] in some]
    assert again.lines()[1:] == expected


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_names_nobody_else(graded, student):
    page = graded.page(student)
    assert student in page
    assert [other for other in STUDENTS if other != student and other in page] == []


def test_feedback_never_shows_the_references_code(graded, written):
    for student, exercise in EXPECTED:
        reference = load(exercise).reference
        symbol = load(exercise).symbol
        lines = {line.strip() for line in source_of(reference, symbol).splitlines()}
        telling = {line for line in lines if len(line) > 20 and line not in written[student]}
        page = graded.page(student)
        assert [line for line in telling if line in page] == []
