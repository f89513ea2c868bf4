"""The stepper in JupyterLab: with its kernel, among the keys of a notebook, and opened again.

What the stepper shows of a story is tested on bare pages; here is what only JupyterLab can spoil.
"""

import json
import re

import pytest

from tests.browser.lab import Lab

RECORDED = """import autograd_core as torch
from lessons.widgets import record, step

x1 = torch.tensor(1.0, requires_grad=True)
x2 = torch.tensor(2.0, requires_grad=True)
with record() as program:
    y = x1 * x2
    z = torch.log(y) * torch.sin(y)
    z.backward()
program"""
STEPPED = """\
x1 = torch.tensor(1.0, requires_grad=True)
x2 = torch.tensor(2.0, requires_grad=True)
y = x1 * x2
z = torch.log(y) * torch.sin(y)
shown = step(z)
shown"""
CELLS = [RECORDED, STEPPED, "...", "..."]
RECORD, STEP, ASK = range(3)


def write_notebook(server, name, sources):
    """Put a notebook of ours beside the lessons; its file."""
    cells = [
        {"id": f"c{place}", "cell_type": "code", "source": source}
        | {"metadata": {}, "outputs": [], "execution_count": None}
        for place, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}}
    file = server.folder / f"{name}.ipynb"
    file.write_text(json.dumps(content | {"nbformat": 4, "nbformat_minor": 5}))
    return file


class Stepped:
    """A stepper below a cell that has just been run, and what it says."""

    def __init__(self, notebook, place):
        self.notebook, self.place = notebook, place
        notebook.run(place)
        self.root = notebook.cell(place).locator(".al-stepper")
        self.root.locator(".count", has_text=re.compile("^1 /")).wait_for()

    def ask_nothing(self):
        self.root.locator(".ask input").uncheck()

    def press(self, *keys):
        self.root.focus()
        for key in keys:
            self.root.press(key)

    def text(self, part):
        return self.root.locator(part).inner_text()

    def read(self):
        """Where it is, its sentence, and all that stands in the graph."""
        graph = self.root.locator("svg text").all_text_contents()
        return [self.text(part) for part in (".count", ".says")] + graph

    def answer(self, number):
        """Go on to the first question, and commit a number; what is said of it."""
        for _ in range(self.steps):
            if not self.root.locator(".gate.asking").count():
                self.press("ArrowRight")
        self.root.locator(".gate input").fill(number)
        self.root.locator(".gate .commit").click()
        return self.text(".gate:not(.asking)")

    @property
    def steps(self):
        return int(self.text(".count").split("/")[1])


@pytest.fixture(scope="module")
def notebook(lab, server):
    """One notebook for all: running a cell again gives it a stepper that nobody has touched."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    write_notebook(server, "stepped", CELLS)
    notebook = lab.open("stepped")
    # Moved nodes are read where they arrive.
    notebook.page.emulate_media(reduced_motion="reduce")
    notebook.run(RECORD)
    yield notebook
    notebook.close()
    assert notebook.strangers() == []
    assert notebook.complaints == []


@pytest.fixture
def recorded(notebook):
    return Stepped(notebook, RECORD)


@pytest.fixture
def stepper(notebook):
    return Stepped(notebook, STEP)


def test_every_step_forward_is_undone_by_a_step_back(stepper):
    stepper.ask_nothing()
    seen = [stepper.read()]
    for _ in range(stepper.steps - 1):
        stepper.press("ArrowRight")
        seen.append(stepper.read())
    assert len({tuple(each) for each in seen}) == stepper.steps > 8
    for before in reversed(seen[:-1]):
        stepper.press("ArrowLeft")
        assert stepper.read() == before


def test_at_the_end_it_shows_the_gradients_of_the_document(stepper):
    stepper.ask_nothing()
    stepper.press("End")
    words = " ".join(stepper.read())
    assert "0.3324" in words
    assert "0.1662" in words
    assert "grad -0.2885 + 0.4546 = 0.1662" in words


def test_it_asks_before_it_tells_and_names_the_idea_behind_a_wrong_answer(stepper):
    told = stepper.answer("0.1662")
    assert "Not what happens" in told
    assert "It is 0.3324." in told
    assert "swapped" in stepper.text(".gate .idea")
    again = Stepped(stepper.notebook, stepper.place)
    assert "Predicted right" in again.answer("0.3324")


def test_keys_step_and_move_neither_cells_nor_the_notebook(recorded):
    notebook = recorded.notebook
    recorded.root.focus()
    place = "jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = notebook.page.evaluate(place)
    recorded.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert recorded.text(".count") == "3 / 12"
    assert "LogBackward0 is recorded" in recorded.text(".says")
    assert notebook.page.evaluate(place) == before
    notebook.write(ASK, "program.widget.position")
    assert notebook.shown(ASK).strip().endswith("2")


def test_letters_typed_as_a_prediction_are_no_commands(recorded):
    recorded.press("End")
    guess = recorded.root.locator(".gate input")
    # In command mode each of these would do something to the cells.
    guess.press_sequentially("dd x b 0.4546")
    assert guess.input_value() == "dd x b 0.4546"
    assert len(recorded.notebook.cells()) == len(CELLS)
    guess.fill("0.4546")
    guess.press("Enter")
    assert "overwrites" in recorded.text(".gate.wrong")
    assert "-0.2885 + 0.4546 = 0.1662" in recorded.root.locator(".drawing").text_content()


def test_python_and_the_page_agree_where_it_stands(stepper):
    notebook = stepper.notebook
    # One step: what follows it may be sent together, and later than the cell.
    stepper.press("ArrowRight")
    notebook.write(ASK, "print('at', shown.widget.position)")
    assert "at 1" in notebook.shown(ASK)
    notebook.write(ASK, "shown.widget.position = 4")
    stepper.root.locator(".count", has_text=re.compile("^5 /")).wait_for()


def test_the_tensors_stay_as_they_are(stepper):
    notebook = stepper.notebook
    stepper.press("End")
    notebook.write(ASK, "print(x1.grad, y._version); z.backward(); print(x1.grad)")
    assert notebook.shown(ASK).split() == ["None", "0", "tensor(0.3324)"]


def test_the_theme_may_change_while_it_is_shown(recorded):
    for scheme in ("dark", "light"):
        recorded.notebook.theme(scheme)
        recorded.notebook.page.wait_for_selector(f".al-stepper[data-theme={scheme}]")


def test_a_notebook_that_is_opened_again_steps_without_its_kernel(profile, server):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    file = write_notebook(server, "reopened", [RECORDED])
    lab = Lab(profile, server)
    lesson = lab.visit("reopened")
    lesson.run_all()
    lesson.page.wait_for_selector(".al-stepper")
    lesson.close()
    saved = json.loads(file.read_text(encoding="utf-8"))
    assert "widget" not in json.dumps([saved["metadata"], *saved["cells"][0]["outputs"][0]["data"]])
    again = lab.visit("reopened")
    try:
        again.page.locator(".al-stepper").press("ArrowRight")
        assert again.page.locator(".al-stepper .count").inner_text() == "2 / 12"
        assert again.page.locator("text=Error displaying widget").count() == 0
        assert again.strangers() == []
    finally:
        again.close()
        lab.close()
