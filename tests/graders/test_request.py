import marshal
import pickle

from graders.draws import all_from
from graders.exercise import load
from graders.installed_lessons import code_cells
from graders.reading.cells import Cell
from graders.request import cells_of, checks_of
from graders.request import published as sources_of
from tests.graders.workers import events_of

LESSON = "07_custom_functions"


def published():
    sources = ("".join(each["source"]) for each in code_cells(LESSON))
    return next(source for source in sources if source.startswith("import"))


def test_published_cells_come_compiled_and_no_others():
    cells = [Cell(0, "", published()), Cell(1, "", "x = 1"), Cell(2, "", published() + " ")]

    asked = cells_of(cells, sources_of([LESSON]))

    assert [each["code"] is not None for each in asked] == [True, False, False]
    assert [each["source"] for each in asked] == [each.code for each in cells]


def test_a_lesson_that_is_not_installed_has_no_published_cells():
    (asked,) = cells_of([Cell(0, "", published())], sources_of(["99_absent"]))

    assert asked["code"] is None


def test_a_compiled_cell_tells_its_error_as_any_other():
    asked = cells_of([Cell(0, "", published())], sources_of([LESSON]))
    source = "x = 1\n1 / 0\n"
    compiled = {
        "index": 1,
        "source": source,
        "code": marshal.dumps(compile(source, "<cell 1>", "exec")),
    }

    events = events_of("none", [*asked, compiled, "print(torch.__name__)"])

    (error,) = [each["error"] for each in events if each["event"] == "cell_error"]
    assert (error["line"], error["source_line"]) == (2, "1 / 0")
    assert [e["stdout"] for e in events if e["event"] == "cell_output"] == ["autograd_core\n"]


def test_a_future_of_the_students_holds_in_published_cells_too():
    asked = cells_of([Cell(1, "", published())], sources_of([LESSON]))
    names = "from __future__ import annotations"
    source = "def f(x: nowhere): pass\nprint(f.__annotations__)"
    code = marshal.dumps(compile(source, "<cell 2>", "exec"))

    events = events_of(
        "none",
        [
            {"index": 0, "source": names},
            *asked,
            {"index": 2, "source": source, "code": code},
        ],
    )

    assert [e["stdout"] for e in events if e["event"] == "cell_output"] == ["{'x': 'nowhere'}\n"]


def test_inputs_arrive_as_they_were_drawn():
    exercise = load("fn-square")

    checks = map(pickle.loads, checks_of(exercise, all_from(exercise, 5)))

    for check, sent in zip(exercise.checks, checks, strict=True):
        drawn = exercise.drawn(check, 5)
        assert sent["name"] == check.name
        assert repr(sent["inputs"]) == repr(dict(drawn))
