"""The graph stepper on a learner's live tensors in JupyterLab: forward, back, and read."""

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
        self.root = lesson.cell(place).locator(".al-stepper")
        self.root.wait_for()
        self.skip_questions()

    def skip_questions(self):
        switch = self.root.locator(".ask input")
        if switch.count():
            switch.uncheck()

    def press(self, key):
        self.root.focus()
        self.root.press(key)

    def read(self):
        """Where it is, its sentence, and all that stands in the graph."""
        graph = self.root.locator("svg text").all_text_contents()
        return [self.root.locator(part).inner_text() for part in (".count", ".says")] + graph

    def to_the_end(self):
        seen = [self.read()]
        for _ in range(self.steps - 1):
            self.press("ArrowRight")
            seen.append(self.read())
        return seen

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
    seen = stepper.to_the_end()
    assert len({tuple(each) for each in seen}) == stepper.steps > 8
    for before in reversed(seen[:-1]):
        stepper.press("ArrowLeft")
        assert stepper.read() == before


def test_at_the_end_it_shows_the_gradients_of_the_document(stepper):
    stepper.press("End")
    words = " ".join(stepper.read())
    assert "0.3324" in words
    assert "0.1662" in words
    assert "0.4546 + (-0.2884)" in words.replace("\N{MINUS SIGN}", "-")


def test_python_and_the_page_agree_where_it_stands(stepper):
    lesson, place = stepper.lesson, stepper.place
    stepper.press("ArrowRight")
    stepper.press("ArrowRight")
    lesson.write(place + 1, "print('at', shown.widget.position)")
    assert "at 2" in lesson.shown(place + 1)
    lesson.write(place + 1, "shown.widget.position = 0")
    stepper.root.locator(".count", has_text="1 / ").wait_for()


def test_the_tensors_stay_as_they_are(stepper):
    lesson, place = stepper.lesson, stepper.place
    stepper.press("End")
    lesson.write(place + 1, "print(x1.grad, y._version); z.backward(); print(x1.grad)")
    assert lesson.shown(place + 1).split("\n") == ["None 0", "tensor(0.3324)"]
