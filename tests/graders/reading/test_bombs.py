"""Hand-ins that are small, and would take minutes or more to be looked at."""

import ast
import os
import stat

import pytest

from graders.exercise import exercises_of
from graders.reading import archives, cells, magics, salvage
from graders.reading import notebook as notebooks
from graders.reading.cells import Cell, parse, place_of
from graders.reading.lessons import Lessons
from graders.reading.submissions import find_hand_ins
from tests.graders.reading.hand_ins import (
    LESSON,
    LESSONS,
    NAME,
    cell,
    found,
    hand_in,
    notebook,
    only,
    zipped,
)

EXERCISES = exercises_of(LESSON)


@pytest.fixture
def parsed(monkeypatch):
    """How many characters are parsed."""
    sizes = []
    true_parse = ast.parse
    monkeypatch.setattr(
        cells.ast, "parse", lambda source: sizes.append(len(source)) or true_parse(source)
    )
    return sizes


def test_a_text_with_too_many_fields_is_not_parsed(parsed):
    assert parse("x = f'" + "{a}" * 80_000 + "'") is None
    assert parsed == []
    assert parse("x = f'" + "{a}" * 1_000 + "'") is not None
    assert parse("x = {" + "{a}, " * 40_000 + "}") is not None


def test_long_cells_are_parsed_once_for_all_exercises(parsed):
    names = " ".join(each.symbol for each in EXERCISES)
    bulky = [f"#{number} {names}\n" + "x=1;" * 59_000 for number in range(4)]
    written = [Cell(number, each, each) for number, each in enumerate(bulky)]
    for each in EXERCISES:
        place_of(written, each.id, each.symbol, each.starter)

    assert sum(parsed) <= sum(map(len, bulky))


def test_many_cells_are_parsed_once_for_all_helpers(parsed):
    helpers = [f"f{number}" for number in range(60)]
    above = [f"#{number} {' '.join(helpers)}\npass" for number in range(1_900)]
    user = f"class Square:\n    def forward(ctx): return {' + '.join(helpers)}"
    below = [f"def {name}(): pass" for name in helpers]
    written = [Cell(number, each, each) for number, each in enumerate([*above, user, *below])]
    for each in EXERCISES:
        place_of(written, each.id, each.symbol, each.starter)

    assert len(parsed) <= 3 * len(written)


def test_a_notebook_full_of_magics_is_put_to_ipython_within_bounds(tmp_path, monkeypatch):
    efforts = []
    monkeypatch.setattr(
        magics,
        "_transformed",
        lambda source: efforts.append(source.count("\n") * source.count("%")) or source,
    )
    hand_in(tmp_path, f"ada/{NAME}", notebook("%pip\n" * 5, *["%a b\n" * 300] * 200))
    tuple(only(tmp_path).cells)

    assert efforts[0] == 25  # what is ordinary is not kept from it by what comes later
    assert sum(efforts) <= magics.MAX_EFFORT


def test_long_lines_count_for_many_as_magics_are_put_to_ipython(tmp_path, monkeypatch):
    transformed = []
    monkeypatch.setattr(magics, "_transformed", lambda source: transformed.append(source) or source)
    long = "a" + ".a" * 15_000 + "?"
    hand_in(tmp_path, f"ada/{NAME}", notebook(*[long] * 30, *["%a b\n"] * 30))
    tuple(only(tmp_path).cells)

    assert 1 <= transformed.count(long) <= 5
    assert transformed.count("%a b\n") == 30


def test_a_student_s_code_is_read_up_to_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "graders.reading.submissions._Allowance.__init__.__defaults__", (10**6, 1_000, 10**6)
    )
    for name in (NAME, "02_leaf_nodes.ipynb"):
        hand_in(tmp_path, f"ada/{name}", notebook(cell("x = 1\n" * 150)))
    hand_in(tmp_path, f"ben/{NAME}", notebook(cell("x = 1\n" * 150)))

    ada_s, ada_s_other, ben_s = sorted(
        found(tmp_path), key=lambda each: (each.student, each.problem)
    )
    assert (ada_s.problem, ben_s.problem) == ("", "")
    assert "all that is read of one student" in ada_s_other.problem


DAMAGED = '{"cells": [{"source": [' + "1.5," * 500
FULL_OF_OUTPUTS = '{"cells": [{"source": "x = 1", "outputs": [' + "[]," * 60 + "0]}]}"


@pytest.mark.parametrize("content", [DAMAGED, FULL_OF_OUTPUTS], ids=["damaged", "full of outputs"])
def test_a_student_s_notebooks_are_parsed_up_to_a_limit(tmp_path, monkeypatch, content):
    looked_at = []
    true_without_bulk = notebooks.without_bulk
    monkeypatch.setattr(notebooks, "SMALL", 0)
    monkeypatch.setattr(
        notebooks, "without_bulk", lambda raw: looked_at.append(raw) or true_without_bulk(raw)
    )
    monkeypatch.setattr(
        "graders.reading.submissions._Allowance.__init__.__defaults__", (10**6, 10**6, 5_000)
    )
    for number in range(20):
        hand_in(tmp_path, f"ada/{number}/{NAME}", content)
    hand_in(tmp_path, f"ben/{NAME}", notebook("x = 1"))

    ada_s, ben_s = found(tmp_path)

    assert "all that is read of one student" in ada_s.note + ada_s.problem
    assert ben_s.problem == ""
    assert len(looked_at) <= 5


def test_an_archive_with_very_deep_names_is_listed_in_short(tmp_path):
    hand_in(tmp_path, "ada.zip", zipped({f"{'a/' * 400}{number}.txt": "" for number in range(20)}))

    hand_ins = find_hand_ins(tmp_path, LESSONS)

    assert max(len(path.parts) for path in hand_ins.ignored.paths) <= len(tmp_path.parts) + 100


def test_a_name_is_searched_for_a_lesson_as_far_as_a_disk_allows_names(monkeypatch):
    normalized = []
    monkeypatch.setattr(
        "graders.reading.lessons.unicodedata.normalize",
        lambda form, text: normalized.append(len(text)) or text,
    )

    assert Lessons(LESSONS).named(NAME + "a" * 5_000) == Lessons(LESSONS).named(NAME + "a")
    assert Lessons(LESSONS).named(f"{'a' * 200} {NAME}") == LESSON
    assert max(normalized) <= 255


def test_scripts_that_may_be_anything_crowd_nothing_out(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "graders.reading.submissions._Allowance.__init__.__defaults__", (10**6, 1_000, 10**6)
    )
    for number in range(5):
        hand_in(tmp_path, f"ada/environment/library{number}.py", "x = 1\n" * 150)
    hand_in(tmp_path, f"ada/term/week/{NAME}", notebook(cell("x = 1")))

    assert [each.problem for each in found(tmp_path)] == [""]


def test_the_files_in_a_student_s_archives_are_counted_together(tmp_path, monkeypatch):
    monkeypatch.setattr("graders.reading.archives.Budget.__init__.__defaults__", (10**6, 10))
    listed = []
    true_listed = archives.listed
    monkeypatch.setattr(
        archives, "listed", lambda *about: listed.append(about) or true_listed(*about)
    )
    full = zipped({f"{number}.txt": "" for number in range(4)})
    hand_in(tmp_path, f"ada/{NAME}")
    hand_in(tmp_path, "ada/packed.zip", zipped({f"{number}.zip": full for number in range(6)}))
    hand_in(tmp_path, "ben/packed.zip", zipped({"work.zip": full, NAME: notebook("x = 1")}))

    problems = [(each.student, each.problem) for each in found(tmp_path)]
    assert problems.count(("ada", "It is an archive of too many files.")) == 5
    assert ("ada", "") in problems
    assert [problem for student, problem in problems if student == "ben"] == [""]
    assert len(listed) == 4


@pytest.mark.parametrize("inside", ["[" + "0," * 1_000, '"' + "a" * 2_000])
def test_a_damaged_notebook_is_not_gone_through_again_and_again(monkeypatch, inside):
    tried = []
    true_decode = salvage.json.JSONDecoder.raw_decode

    def decode(self, text, start):
        tried.append(len(text) - start)
        return true_decode(self, text, start)

    monkeypatch.setattr(salvage.json.JSONDecoder, "raw_decode", decode)
    text = '{"cells": [' + '{"source":' * 500 + inside

    assert list(salvage.salvaged(text)) == []
    assert sum(tried) <= 4 * len(text)


def test_the_lines_above_every_error_are_counted_within_bounds(monkeypatch):
    told = []
    true_decode = salvage.json.JSONDecoder.raw_decode

    def decode(self, text, start):
        told.append(start)
        return true_decode(self, text, start)

    monkeypatch.setattr(salvage.json.JSONDecoder, "raw_decode", decode)
    text = '{"cells": [' + ('{ "source" : "' + "a" * 2_000) * 900

    assert list(salvage.salvaged(text)) == []
    assert sum(told) <= 40 * len(text)


@pytest.mark.parametrize("parts", ["[],", '"",[[]],', '{"a": [1, "]"]},'])
def test_what_is_left_out_is_gone_through_up_to_a_limit(monkeypatch, parts):
    looked_at = []
    monkeypatch.setattr(notebooks, "MAX_BRACKETS", 1_000)
    true_end = notebooks._end

    def end(raw, start, left):
        found = true_end(raw, start, left)
        looked_at.append(left - found[1])
        return found

    monkeypatch.setattr(notebooks, "_end", end)
    one = b'{"outputs": [' + parts.encode() * 30 + b"0]},"
    bulky = b'{"cells": [' + one * 100 + b"0]}"

    left, told = notebooks.without_bulk(bulky)

    assert left.startswith(b'{"cells": [{"outputs": []},{"outputs": []},')
    assert left.endswith(one + b"0]}")
    assert sum(looked_at) == told == 1_000


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_devices_are_not_even_opened(tmp_path, monkeypatch):
    place = hand_in(tmp_path, f"ada/{NAME}")
    place.unlink()
    try:
        os.mknod(place, stat.S_IFCHR | 0o644, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("root may not make devices here")
    opened = []
    true_open = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *more: opened.append(path) or true_open(path, *more)
    )

    assert only(tmp_path).problem == "It is no file."
    assert place not in opened
