"""The lesson on mark_dirty: its predictions are what really happens, and its numbers are shown."""

import re

import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import load as load_exercise
from tests.lessons import notebooks

LESSON = "08_mark_dirty"


@pytest.fixture(scope="module")
def notebook():
    return notebooks.load(LESSON)


def program(exercise):
    return re.search(r"```python\n(.*?)```", exercise.task, re.DOTALL)[1]


def run(source):
    namespace = {"torch": torch, "Function": Function}
    exec(source, namespace)
    return namespace


def replaced(source, old, new):
    assert old in source
    return source.replace(old, new)


def test_the_versions_to_predict_are_those_of_the_program():
    exercise = load_exercise("dirty-versions")
    namespace = run(program(exercise))
    assert {name: namespace[name]._version for name in exercise.reference} == exercise.reference


def test_the_endings_to_predict_are_those_of_the_program():
    exercise = load_exercise("dirty-endings")
    marked = program(exercise)
    unmarked = replaced(marked, "ctx.mark_dirty(x)", "pass")
    programs = {
        "unmarked": unmarked,
        "marked": marked,
        "mended": replaced(marked, "Halve_.apply(a)", "Halve_.apply(a.clone())"),
        "counted": replaced(unmarked, "x.data *= 0.5", "x.mul_(0.5)"),
        "sum": replaced(marked, "b = a * a", "b = a + a"),
    }
    slopes = dict.fromkeys(programs, 8.0) | {"sum": 2.0}
    found = {}
    for name, source in programs.items():
        try:
            right = run(source)["w"].grad.item() == slopes[name]
            found[name] = "correct" if right else "silent-wrong"
        except RuntimeError as error:
            told = "modified by an inplace operation" in str(error)
            found[name] = "error" if told else str(error)
    assert found == exercise.reference


@pytest.mark.parametrize(("expression", "kept"), load_exercise("dirty-saves").reference.items())
def test_what_breaks_an_operator_is_what_the_exercise_says(expression, kept):
    found = []
    for changed in ("input", "output"):
        x = torch.tensor([1.0, 2.0], requires_grad=True).clone()
        y = eval(expression, {"x": x})
        (x if changed == "input" else y).add_(1)
        try:
            y.sum().backward()
        except RuntimeError:
            found.append(changed)
    assert found == ([] if kept == "neither" else [kept])


def endings_beside(notebook, caption):
    """Return the endings that stand side by side with the one under `caption`, by caption."""
    cell = next(
        cell for cell in notebook.cells if cell.cell_type == "code" and caption in cell.source
    )
    return dict(re.findall(r"^(\S.*)\n  (.*)$", notebooks.plain_text(cell), re.MULTILINE))


def test_the_three_endings_stand_side_by_side(notebook):
    shown = endings_beside(notebook, "unmarked: silently wrong")
    assert shown["unmarked: silently wrong"] == "→ returned 8.0"
    assert shown["marked: an error"].startswith("✗ raised RuntimeError: one of the variables")
    assert shown["mended: right"] == "→ returned 6.0"


def test_with_the_exercises_solved_the_documents_numbers_come_out():
    solved = notebooks.run(notebooks.with_solutions(notebooks.load(LESSON)))
    shown = endings_beside(solved, "dirty-7: yours")
    assert shown["dirty-7: yours"] == shown["plain operators"] == "→ returned (3.0, 2.0)"
    shown = endings_beside(solved, "dirty-10: yours at -1")
    assert shown["dirty-10: yours at -1"] == "→ returned 0.0"
    assert shown["dirty-10: yours at 5"] == "→ returned 1.0"


def test_every_claim_of_the_document_has_a_row_with_a_verdict(notebook):
    rows = re.findall(
        r"^\| (dirty-\d+) \|.*\| (right|wrong|incomplete|unsaid) \|",
        "\n".join(notebooks.markdown_lines(notebook)),
        re.MULTILINE,
    )
    assert [id for id, _ in rows] == [f"dirty-{number}" for number in range(1, 16)]
    verdicts = load_exercise("dirty-claims").reference
    assert {id for id, verdict in rows if verdict in ("right", "unsaid")} == {
        id for id, holds in verdicts.items() if holds
    }


def test_the_key_sentence_is_said_where_it_is_shown_and_once_more_at_the_end(notebook):
    prose = re.sub(r"[>*`\s]+", " ", " ".join(notebooks.markdown_lines(notebook)))
    sentence = "mark_dirty neither changes nor repairs anything"
    assert prose.count(sentence) == 2


def test_answers_to_predict_are_nowhere_in_the_cells_of_the_lesson(notebook):
    exercises = ("versions", "endings", "breaks", "verdicts")
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata:
            assert not re.search(rf"^({'|'.join(exercises)})\b *=", cell.source, re.MULTILINE)
