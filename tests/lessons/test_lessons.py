"""What holds for every lesson: it runs as it is and solved, and it is built like the others."""

import ast
import re
from itertools import pairwise

import pytest

from graders.card import anchor
from graders.exercise import exercises_of
from graders.exercise import load as load_exercise
from tests.lessons import notebooks, predictions

MAX_LINES = 15
MAX_CORE_MINUTES = 28
# So many letters of a code cell are in sight beside the list of files when JupyterLab's window is
# 1,024 pixels wide.
MAX_LETTERS = 74
# And so many of the line that stands for a folded cell at twice the size in a window of 1,280; a
# longer one makes the whole page wider.
MAX_FOLDED_LETTERS = 55
PRACTICE = "More practice"
NAMES = (
    "00_welcome",
    "01_computation_graph",
    "02_leaf_nodes",
    "03_requires_grad",
    "04_no_grad",
    "05_retain_grad",
    "06_detach",
    "07_custom_functions",
    "08_mark_dirty",
    "09_capstone",
)
FIRST_IMPORTS = ("import autograd_core as torch", "from graders import check")


@pytest.fixture(scope="module", params=notebooks.lessons())
def lesson(request):
    return request.param


@pytest.fixture(scope="module")
def notebook(lesson):
    return notebooks.load(lesson)


@pytest.fixture(scope="module")
def untouched(notebook):
    return notebooks.run(notebook)


@pytest.fixture(scope="module")
def solved(notebook):
    return notebooks.run(predictions.twice(notebooks.with_solutions(notebook)))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_every_exercise_of_the_lesson_stands_in_it_once_and_in_its_order(lesson, notebook):
    expected = [exercise.id for exercise in exercises_of(lesson)]
    marked = [
        cell.metadata["exercise"] for cell in code_cells(notebook) if "exercise" in cell.metadata
    ]
    assert marked == expected
    assert list(notebooks.check_cells(notebook)) == expected


def test_an_exercise_is_introduced_started_and_checked_in_three_neighbouring_cells(notebook):
    for id, cell in notebooks.exercise_cells(notebook).items():
        exercise = load_exercise(id)
        above = notebooks.cell_before(notebook, cell)
        assert above.cell_type == "markdown"
        assert above.source.strip() == notebooks.introduction(exercise)
        assert cell.source.strip("\n") == exercise.starter.strip("\n")
        assert notebooks.cell_after(notebook, cell).source == f'check("{id}")'


def test_exercise_and_check_cells_carry_the_metadata_that_graders_look_for(notebook):
    common = {"schema_version": 3, "grade": False, "task": False}
    checks = notebooks.check_cells(notebook)
    for id, cell in notebooks.exercise_cells(notebook).items():
        assert cell.metadata["nbgrader"] == {
            **common,
            "solution": True,
            "locked": False,
            "grade_id": id,
        }
        assert checks[id].metadata["nbgrader"] == {
            **common,
            "solution": False,
            "locked": True,
            "grade_id": f"check-{id}",
        }


def test_the_sections_that_exercises_point_to_are_headings(lesson, notebook):
    texts = {text for _, text in notebooks.headings(notebook)}
    assert {exercise.section for exercise in exercises_of(lesson)} <= texts


def test_the_sections_that_exercises_point_to_can_be_linked(lesson):
    sections = {exercise.section for exercise in exercises_of(lesson)}
    assert [section for section in sections if not anchor(section)] == []


def in_core_and_practice(notebook):
    """The minutes of the exercises before the heading of the optional part, and after it."""
    minutes = {False: 0, True: 0}
    optional = False
    for cell in notebook.cells:
        optional |= cell.cell_type == "markdown" and f"## {PRACTICE}" in cell.source.splitlines()
        if "exercise" in cell.metadata:
            minutes[optional] += load_exercise(cell.metadata["exercise"]).minutes
    return minutes[False], minutes[True]


def test_the_exercises_of_the_core_leave_time_for_the_lesson(notebook):
    core, _ = in_core_and_practice(notebook)
    assert core <= MAX_CORE_MINUTES


def test_a_lesson_with_more_practice_says_how_long_both_parts_take(notebook):
    core, practice = in_core_and_practice(notebook)
    if practice:
        top = " ".join(" ".join(list(notebooks.markdown_lines(notebook))[:20]).split())
        whole, more = (int(found) for found in re.findall(r"about (\d+) minutes", top))
        assert 30 <= whole <= 45
        assert 15 <= whole - core <= 25
        assert practice <= more <= practice * 1.25


def test_links_lead_to_lessons(notebook):
    prose = "\n".join(notebooks.markdown_lines(notebook))
    links = re.findall(r"\]\(([^)#]*)[^)]*\)", prose)
    files = {f"{name}.ipynb" for name in NAMES}
    assert {link for link in links if link and "://" not in link} <= files


def test_what_comes_next_links_another_lesson(lesson, notebook):
    if lesson not in (NAMES[0], NAMES[-1]):
        prose = "\n".join(notebooks.markdown_lines(notebook))
        following = prose.partition("\n## What comes next\n")[2].partition("\n## ")[0]
        assert f"({NAMES[NAMES.index(lesson) + 1]}.ipynb)" in following


def test_untouched_every_check_says_not_attempted_and_nothing_complains(untouched):
    for id, cell in notebooks.check_cells(untouched).items():
        exercise = load_exercise(id)
        headline = notebooks.plain_text(cell).splitlines()[0]
        assert exercise.title in headline
        assert "not attempted" in headline
        assert f"0 of {exercise.points:g} points" in headline
    assert not _complaints(untouched)


def test_with_the_references_every_check_gives_full_points_and_nothing_complains(solved):
    for id, cell in notebooks.check_cells(solved).items():
        exercise = load_exercise(id)
        headline = notebooks.plain_text(cell).splitlines()[0]
        assert headline.startswith(f"✓ {exercise.title}")
        assert "passed" in headline
        assert f"{exercise.points:g} of {exercise.points:g} points" in headline
    assert not _complaints(solved)


def _complaints(notebook):
    return [
        content
        for cell in code_cells(notebook)
        for kind, content in notebooks.shown(cell)
        if kind in ("stderr", "error")
    ]


def test_a_cell_shows_the_same_when_it_is_run_again(solved):
    # As the cards ask learners to do, and as those do who try something.
    cells = code_cells(solved)
    for first, again in zip(cells[::2], cells[1::2], strict=True):
        if "nbval-ignore-output" not in first.metadata.get("tags", ()):
            assert _comparable(first) == _comparable(again), first.source


def test_what_is_predicted_is_revealed_by_the_cell_below(notebook):
    # So that a guess that could not be read is noticed.
    cells = code_cells(notebook)
    asking = [cell.source.startswith("guess = ") for cell in cells]
    assert asking == [*map(predictions.reveals, cells[1:]), False]


def test_the_outputs_that_are_kept_are_those_of_a_run(notebook, untouched):
    for kept, fresh in zip(code_cells(notebook), code_cells(untouched), strict=True):
        # What is shown of all exercises must not go stale with each new one.
        if "nbval-ignore-output" in kept.metadata.get("tags", ()):
            continue
        assert _comparable(kept) == _comparable(fresh), kept.source


def _comparable(cell):
    """What a cell shows, without pixels: they change with the version of what drew them."""
    return [(kind, None if kind == "image/png" else said) for kind, said in notebooks.shown(cell)]


def test_headings_begin_with_the_only_title_and_leave_out_no_level(notebook):
    levels = [level for level, _ in notebooks.headings(notebook)]
    assert notebook.cells[0].source.startswith("# ")
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_headings_are_told_apart_by_their_text(notebook):
    texts = [text for _, text in notebooks.headings(notebook)]
    assert sorted(texts) == sorted(set(texts))


def test_every_picture_has_words_for_those_who_do_not_see_it(untouched):
    prose = "\n".join(notebooks.markdown_lines(untouched))
    assert not re.findall(r"!\[\s*\]", prose)
    for cell in code_cells(untouched):
        contents = notebooks.shown(cell)
        kinds = [kind for kind, _ in contents]
        for kind, content in contents:
            if kind == "image/svg+xml":
                assert re.search(r"<title\b[^>]*>[^<]+</title>", content)
                assert "text/plain" in kinds
            if kind == "text/html":
                prose += content
            assert kind not in ("image/png", "image/jpeg") or "text/plain" in kinds
    images = re.findall(r"<img\b[^>]*>", prose)
    assert all(re.search(r'\balt="[^"]+"', image) for image in images)


def test_no_cell_is_long_but_those_that_learners_fill(notebook):
    exercises = notebooks.exercise_cells(notebook).values()
    for cell in code_cells(notebook):
        if not any(cell is exercise for exercise in exercises):
            assert len(cell.source.splitlines()) <= MAX_LINES, cell.source
            ast.parse(cell.source)


def test_code_is_in_sight_in_a_narrow_window_and_so_is_what_stands_for_a_folded_cell(notebook):
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            assert len(lines[0]) <= MAX_FOLDED_LETTERS, cell.source
        else:
            assert all(len(line) <= MAX_LETTERS for line in lines), cell.source


def test_the_first_code_cell_imports_what_the_lesson_stands_on(notebook):
    lines = code_cells(notebook)[0].source.splitlines()
    for needed in FIRST_IMPORTS:
        assert any(re.match(rf"{re.escape(needed)}\b", line) for line in lines)


def test_what_is_revealed_without_any_guess_asks_for_one(notebook):
    # Whose first guess is a word without quotation marks has none when the cell below is run.
    assert re.search(r"\bimport\b[^#]*\bguess\b[^#]*\breveal\b", code_cells(notebook)[0].source)


def test_the_file_says_nothing_about_who_ran_it_and_when(notebook):
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    assert not any("execution" in cell.metadata for cell in notebook.cells)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
