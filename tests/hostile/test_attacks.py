"""Every attack, in every way of isolation: nothing gained, nobody harmed, the batch finished."""

from __future__ import annotations

import csv
import functools
import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from graders.filenames import student_name
from graders.gradebook import Gradebook
from graders.isolation import choose
from graders.verdict import Verdict
from tests.graders.test_submissions_folder import orphans
from tests.graders.workers import ISOLATING
from tests.hostile.files import FILES, SLOW
from tests.hostile.world import (
    ALL_ATTACKS,
    ATTACKED,
    EVIL_NAMES,
    GRADERS,
    HONEST,
    LATER,
    LESSON,
    World,
    cannot_run,
    identity,
    world,
)

SECONDS, MEBIBYTES, SEED = 1.5, 512, 4

WITHOUT_SECCOMP = "import graders.isolation.inner.seccomp as it; it.supported = lambda: False; "
COMMAND = "from graders.cli import main; main()"


@dataclass(frozen=True)
class Way:
    """One batch: under which isolation, as whom, and whether the kernel's calls are filtered."""

    isolation: str
    user: str | None = None
    seccomp: bool = True

    @property
    def name(self) -> str:
        parts = [self.isolation, f"as_{self.user}" if self.user else ""]
        return "-".join(filter(None, [*parts, "" if self.seccomp else "without_seccomp"]))

    @property
    def attacks(self) -> list[str]:
        # That time runs out has nothing to do with who the user is or which calls are open.
        everything = self.seccomp and self.user is None
        return [
            name
            for name, attack in ALL_ATTACKS.items()
            if everything or "timeout" not in attack.expects
        ]

    @property
    def files(self) -> list[str]:
        # They are read as a user, before there is anything to isolate.
        everything = self.seccomp and self.isolation == ISOLATING[0]
        return [name for name in FILES if everything or name not in SLOW]


WAYS = [Way(name) for name in ISOLATING]
if "bubblewrap" in ISOLATING:
    WAYS.append(Way("bubblewrap", seccomp=False))
if os.geteuid() == 0:
    WAYS += [Way(name, user="nobody") for name in ISOLATING]


@dataclass(frozen=True)
class Batch:
    """What came of grading a class with all attackers in it."""

    way: Way
    world: World
    status: int
    printed: str
    survivors: list[int]
    before: dict[str, object]
    after: dict[str, object]
    harm: list[str]
    verdicts: dict[tuple[str, str], Verdict]


def grade(way: Way, place: World) -> Batch:
    place.fill(way.attacks, way.files)
    before = place.state()
    script = COMMAND if way.seccomp else WITHOUT_SECCOMP + COMMAND
    options = ["--isolation", way.isolation, "--seed", SEED, "--jobs", 2 if way.seccomp else 1]
    limits = ["--timeout", SECONDS, "--memory", MEBIBYTES]
    command = [sys.executable, "-c", script, "grade", place.submissions, "--out", place.out]
    with orphans() as survivors:
        ended = subprocess.run(
            [str(part) for part in (*command, *options, *limits)],
            cwd=GRADERS.parent,
            env={**os.environ, "COLUMNS": "200", "SECRET": "loot", "HOME_OF_SECRETS": "loot"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
            **identity(way.user),
        )
    printed = (ended.stdout + ended.stderr).decode()
    assert (place.out / "gradebook.db").exists(), printed
    with Gradebook(place.out / "gradebook.db") as gradebook:
        verdicts = {
            (grading.entry.student, verdict.exercise): verdict
            for grading in gradebook.results()
            for verdict in grading.verdicts
        }
    harm = place.harm_done()
    return Batch(
        way, place, ended.returncode, printed, survivors, before, place.state(), harm, verdicts
    )


@pytest.fixture(scope="module")
def batches() -> Iterator[Callable[[Way], Batch]]:
    """Each batch is graded once, when it is first asked for."""
    with ExitStack() as stack:
        yield functools.cache(lambda way: grade(way, stack.enter_context(world(way.user))))


@pytest.fixture
def batch(request, batches) -> Batch:
    way = request.param
    if way.user is not None and (why := cannot_run(way.user)):
        pytest.skip(f"the user {way.user} cannot run this interpreter: {why}")
    return batches(way)


def in_each_way():
    return pytest.mark.parametrize("batch", WAYS, ids=lambda way: way.name, indirect=True)


@pytest.mark.parametrize(
    ("batch", "attack"),
    [pytest.param(way, name, id=f"{way.name}-{name}") for way in WAYS for name in way.attacks],
    indirect=["batch"],
)
def test_an_attack_gains_nothing(batch, attack):
    verdict = batch.verdicts[attack, ATTACKED.id]

    assert verdict.status != "passed"
    # A call that nobody filters may well succeed, as long as it comes to nothing.
    assert not batch.way.seccomp or verdict.status in ALL_ATTACKS[attack].expects, verdict
    # Numbers that are printed in a check are not kept.
    assert not re.search("LOOT ([1-9]|taken)", verdict.output), verdict.output
    if not ALL_ATTACKS[attack].spoils_the_rest:
        later = batch.verdicts[attack, LATER.id]
        assert later.status == "passed", later


@in_each_way()
def test_nothing_outside_is_changed(batch):
    changed = {
        path
        for path in batch.before.keys() | batch.after.keys()
        if batch.before.get(path) != batch.after.get(path)
    }

    assert changed == set()
    assert batch.harm == []


@in_each_way()
def test_neighbours_get_what_they_deserve(batch):
    statuses = {
        verdict.status for (student, _), verdict in batch.verdicts.items() if student in HONEST
    }

    assert statuses == {"passed"}


@in_each_way()
def test_the_batch_is_finished_and_leaves_no_process(batch):
    # Status 1: those who handed in links have rows, but nothing that could be read.
    assert batch.status == 1
    assert batch.survivors == []
    students = {student for student, _ in batch.verdicts}
    assert {*batch.way.attacks, *HONEST, *map(student_name, EVIL_NAMES)} <= students
    assert len(students) == len(list(batch.world.submissions.iterdir()))


@in_each_way()
def test_links_lead_nowhere(batch):
    for student in ("links_to_gradebook", "links_to_neighbour", "links_to_endless_file", "waits"):
        assert batch.verdicts[student, ATTACKED.id].status == "error"
    assert batch.verdicts["shares_gradebook", ATTACKED.id].status == "error"


@in_each_way()
def test_files_that_are_attacks_are_read_or_refused(batch):
    for student in batch.way.files:
        rows = [verdict for (name, _), verdict in batch.verdicts.items() if name == student]
        assert rows
        assert not {verdict.status for verdict in rows} & {"passed", "partial"}, student
    assert not Path("/tmp/slipped.py").exists()


@in_each_way()
def test_the_out_folder_holds_what_the_grader_wrote(batch):
    out = batch.world.out
    top = {path.name for path in out.iterdir()}

    assert top <= {
        *("gradebook.db", "gradebook.db-wal", "gradebook.db-shm", "grades.csv", "report.html"),
        *("feedback", "gradescope"),
    }
    for folder in ("feedback", "gradescope"):
        assert len(list((out / folder).iterdir())) == len(
            {student for student, _ in batch.verdicts}
        )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


@in_each_way()
def test_words_of_attackers_are_shown_as_words(batch):
    pages = [*batch.world.out.glob("feedback/*.html"), batch.world.out / "report.html"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script>alert|<img src=x|\x1b|\x07|\x9b|\u202e", text), page
        assert "1337" not in text
    for results in batch.world.out.glob("gradescope/*.json"):
        for text in _texts(json.loads(results.read_text(encoding="utf-8"))):
            assert not re.search("[\x07\x1b\x9b\u202e]", text), results
    assert not re.search(r"\x1b\[2J|\x1b\]0;|\x07|\u202e", batch.printed)


@in_each_way()
def test_what_the_isolation_lacks_is_said(batch):
    lacks = choose(batch.way.isolation).limitations
    page = (batch.world.out / "report.html").read_text(encoding="utf-8")

    for each in lacks:
        assert each in batch.printed
        assert each in html.unescape(page)
    assert batch.way.seccomp or "system calls are not filtered" in batch.printed


@in_each_way()
def test_the_table_of_grades_holds_no_formula_and_no_extra_row(batch):
    with (batch.world.out / "grades.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))

    cells = [part for row in rows for cell in row.values() for part in re.split("[;\t]", cell)]
    assert not [cell for cell in cells if re.match("[\\s\ufeff]*[=+@-]", cell)]
    assert len({(row["student"], row["exercise"]) for row in rows}) == len(batch.verdicts)
    assert {row["status"] for row in rows if row["student"] in HONEST} == {"passed"}
    placed = {each.lesson for (name, _), each in batch.verdicts.items() if name not in FILES}
    assert placed == {LESSON}
