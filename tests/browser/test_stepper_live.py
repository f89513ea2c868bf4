"""The graph stepper on a learner's live tensors in JupyterLab: forward, back, and read."""

import re

import pytest

PROGRAM = """\
from lessons.widgets import step

x1 = torch.tensor(1.0, requires_grad=True)
x2 = torch.tensor(2.0, requires_grad=True)
y = x1 * x2
z = torch.log(y) * torch.sin(y)
shown = step(z)
shown"""


class Stepped:
    """A stepper below a cell, and what it says."""

    def __init__(self, lesson, place):
        self.lesson, self.place = lesson, place
        self.elsewhere = lesson.exercise("graph-forward")
        self.root = lesson.cell(place).locator(".al-stepper")
        self.root.wait_for()

    def ask_nothing(self):
        self.root.locator(".ask input").uncheck()

    def press(self, key):
        self.root.focus()
        self.root.press(key)

    def read(self):
        """Where it is, its sentence, and all that stands in the graph."""
        graph = self.root.locator("svg text").all_text_contents()
        return [self.root.locator(part).inner_text() for part in (".count", ".says")] + graph

    def answer(self, number):
        """Go on to the first question, and commit a number; what is said of it."""
        for _ in range(self.steps):
            if not self.root.locator(".gate.asking").count():
                self.press("ArrowRight")
        self.root.locator(".gate input").fill(number)
        self.root.locator(".gate .commit").click()
        return self.root.locator(".gate:not(.asking)").inner_text()

    @property
    def steps(self):
        return int(self.root.locator(".count").inner_text().split("/")[1])


@pytest.fixture
def stepper(opened):
    lesson = opened("01_computation_graph")
    # Moved nodes are read where they arrive.
    lesson.page.emulate_media(reduced_motion="reduce")
    lesson.run(lesson.place("import check"))
    place = lesson.place("guess = ...")
    lesson.write(place, PROGRAM)
    return Stepped(lesson, place)


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
    assert "It is 0.332395." in told
    assert "swapped" in stepper.root.locator(".gate .idea").inner_text()
    stepper.lesson.run(stepper.place)
    stepper.root.locator(".count", has_text=re.compile("^1 /")).wait_for()
    assert "Predicted right" in stepper.answer("0.3324")


def test_python_and_the_page_agree_where_it_stands(stepper):
    lesson, place = stepper.lesson, stepper.elsewhere
    # One step: what follows it may be sent together, and later than the cell.
    stepper.press("ArrowRight")
    lesson.write(place, "print('at', shown.widget.position)")
    assert "at 1" in lesson.shown(place)
    lesson.write(place, "shown.widget.position = 4")
    stepper.root.locator(".count", has_text=re.compile("^5 /")).wait_for()


def test_the_tensors_stay_as_they_are(stepper):
    lesson, place = stepper.lesson, stepper.elsewhere
    stepper.press("End")
    lesson.write(place, "print(x1.grad, y._version); z.backward(); print(x1.grad)")
    assert lesson.shown(place).split() == ["None", "0", "tensor(0.3324)"]
