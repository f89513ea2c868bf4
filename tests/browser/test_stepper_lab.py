"""The stepper in JupyterLab: with its kernel, and in a notebook that is opened again."""

import json

import pytest

from tests.browser.lab import Lesson

PROGRAM = """import autograd_core as torch
from lessons.widgets import record

x1 = torch.tensor(1.0, requires_grad=True)
x2 = torch.tensor(2.0, requires_grad=True)
with record() as program:
    y = x1 * x2
    z = torch.log(y) * torch.sin(y)
    z.backward()
program"""
NAME = "stepped"


class Written:
    """The server, with a notebook of ours in the place of a lesson."""

    def __init__(self, server):
        self.server = server
        cells = [
            {"id": f"c{place}", "cell_type": "code", "source": source}
            | {"metadata": {}, "outputs": [], "execution_count": None}
            for place, source in enumerate([PROGRAM, "program.widget.position"])
        ]
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        content = {"cells": cells, "metadata": {"kernelspec": kernel}}
        self.file = server.folder / f"{NAME}.ipynb"
        self.file.write_text(json.dumps(content | {"nbformat": 4, "nbformat_minor": 5}))

    def fresh(self, name):
        return f"{self.server.root}/lab/tree/{name}.ipynb?reset&token={self.server.token}"


@pytest.fixture
def written(server):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    notebook = Written(server)
    yield notebook
    notebook.file.unlink()


@pytest.fixture
def notebook(profile, written):
    lesson = Lesson(profile, written, NAME)
    yield lesson
    lesson.close()
    assert lesson.strangers() == []


def count(lesson):
    return lesson.page.locator(".al-stepper .count").inner_text()


def test_keys_step_and_move_neither_cells_nor_the_notebook(notebook):
    notebook.run_all()
    stepper = notebook.page.locator(".al-stepper")
    stepper.focus()
    place = "jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = notebook.page.evaluate(place)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        stepper.press(key)
    assert count(notebook) == "3 / 12"
    assert "LogBackward0 is recorded" in stepper.locator(".says").inner_text()
    assert notebook.page.evaluate(place) == before
    notebook.run(1)
    assert notebook.shown(1).strip().endswith("2")


def test_letters_typed_as_a_prediction_are_no_commands(notebook):
    notebook.run_all()
    stepper = notebook.page.locator(".al-stepper")
    stepper.focus()
    stepper.press("End")
    guess = stepper.locator(".gate input")
    # In command mode each of these would do something to the cells.
    guess.press_sequentially("dd x b 0.4546")
    assert guess.input_value() == "dd x b 0.4546"
    assert len(notebook.cells()) == 2
    guess.fill("0.4546")
    guess.press("Enter")
    assert "overwrites" in stepper.locator(".gate.wrong").inner_text()
    assert "-0.2885 + 0.4546 = 0.1662" in stepper.locator(".drawing").text_content()


def test_the_theme_may_change_while_it_is_shown(notebook):
    notebook.run_all()
    for scheme in ("dark", "light"):
        notebook.theme(scheme)
        notebook.page.wait_for_selector(f".al-stepper[data-theme={scheme}]")


def test_a_notebook_that_is_opened_again_steps_without_its_kernel(profile, written):
    lesson = Lesson(profile, written, NAME)
    lesson.run_all()
    lesson.page.wait_for_selector(".al-stepper")
    lesson.close()
    saved = json.loads(written.file.read_text(encoding="utf-8"))
    assert "widget" not in json.dumps([saved["metadata"], *saved["cells"][0]["outputs"][0]["data"]])
    again = Lesson(profile, written, NAME)
    try:
        again.page.locator(".al-stepper").press("ArrowRight")
        assert count(again) == "2 / 12"
        assert again.page.locator("text=Error displaying widget").count() == 0
        assert again.strangers() == []
    finally:
        again.close()
