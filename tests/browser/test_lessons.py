"""Every lesson in JupyterLab, as a learner finds it: it runs, and runs again after a restart.

It is kept as images in the folder that AUTOGRAD_LESSONS_PICTURES names, if there is such a folder.
"""

import os
from pathlib import Path

import pytest

from tests.browser.lesson import VIEWPORT
from tests.lessons.notebooks import lessons

PICTURES = os.environ.get("AUTOGRAD_LESSONS_PICTURES")

# What JupyterLab and its widgets write in the place of something that they cannot show.
BROKEN = (
    "Error displaying widget",
    "Model class",
    "model not found",
    "Javascript Error",
    "Failed to load",
)

NARROW = VIEWPORT | {"width": 1024}

HAS_NARROWED = f"""() => {{
  const {{ right }} = jupyterapp.shell.currentWidget.node.getBoundingClientRect();
  return right <= {NARROW["width"]};
}}"""

OUT_OF_SIGHT = """() => jupyterapp.shell.currentWidget.content.widgets
  .filter((cell) => [...cell.node.querySelectorAll(".cm-scroller, .jp-InputPlaceholder")]
    .some((code) => code.scrollWidth > code.clientWidth))
  .map((cell) => cell.model.sharedModel.getSource())"""


def errors(cells):
    """The errors among the outputs, each with the cell that raised it."""
    return [
        f"{cell['source']}\n{output['ename']}: {output['evalue']}"
        for cell in cells
        for output in cell.get("outputs", ())
        if output["output_type"] == "error"
    ]


def blank(lesson, cells):
    """The cells that have an output and show nothing of it, and those that show a failure."""
    places = [place for place, cell in enumerate(cells) if cell.get("outputs")]
    for place, shown in zip(places, lesson.shown_below(places), strict=True):
        if not shown.strip() or any(words in shown for words in BROKEN):
            yield cells[place]["source"]


def assert_ran(lesson):
    cells = lesson.cells()
    assert errors(cells) == []
    counts = [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"]
    assert counts == list(range(1, len(counts) + 1))
    assert list(blank(lesson, cells)) == []


def assert_steppers_step(lesson):
    """Every graph to be stepped through goes to its end, and back to where it was."""
    steppers = lesson.page.locator(".al-stepper")
    for stepper in steppers.all():
        for switch in stepper.locator(".ask input").all():
            switch.uncheck()
        count = stepper.locator(".count")
        before = count.inner_text()
        last = before.split("/")[1].strip()
        stepper.focus()
        stepper.press("End")
        assert count.inner_text() == f"{last} / {last}"
        stepper.press("Home")
        assert count.inner_text() == f"1 / {last}" == before


def assert_code_is_in_sight_beside_the_list_of_files(lesson):
    lesson.page.set_viewport_size(NARROW)
    lesson.page.wait_for_function(HAS_NARROWED, polling=100)
    assert lesson.page.evaluate(OUT_OF_SIGHT) == []
    lesson.page.set_viewport_size(VIEWPORT)


def keep_pictures(lesson, scheme):
    """Keep the lesson as images, if anybody has asked for them."""
    if PICTURES:
        assert lesson.pictures(Path(PICTURES).absolute(), scheme)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_runs_from_top_to_bottom_and_again_after_a_restart(opened, name):
    lesson = opened(name)
    assert not any(cell.get("outputs") for cell in lesson.cells())
    lesson.run_all()
    assert_ran(lesson)
    assert_code_is_in_sight_beside_the_list_of_files(lesson)
    keep_pictures(lesson, "light")
    assert_steppers_step(lesson)
    lesson.restart()
    lesson.theme("dark")
    assert not any(cell.get("outputs") for cell in lesson.cells())
    lesson.run_all()
    assert_ran(lesson)
    keep_pictures(lesson, "dark")
