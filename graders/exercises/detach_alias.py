"""`detach-alias`: a change through a detached tensor, seen from its source and from backward."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"x": [10.0, 2.0], "backward": "raises"}


OTHER_WORDS = {
    "raises": ("raise", "raised", "raises-an-error", "fails", "error", "an-error", "runtimeerror"),
    "works": ("work",),
}


def numbers(answers, lab):
    """Look at the list of numbers, whatever they are kept in."""
    is_dict = issubclass(type(answers), dict)
    lab.record("the answer is a dict", is_dict)
    answer = dict.get(answers, "x") if is_dict else None
    lab.record("x", answer.tolist() if hasattr(type(answer), "tolist") else answer)


EXERCISE = Exercise(
    id="detach-alias",
    lesson="06_detach",
    section="What detach shares",
    title="Changed through the other name",
    symbol="after",
    kind="predict",
    points=2,
    difficulty=1,
    minutes=3,
    task=(
        "Before you run anything, read this program:\n\n"
        "```python\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "y = x * x\n"
        "d = x.detach()\n"
        "d[0] = 10\n"
        "y.sum().backward()\n"
        "```\n\n"
        "Which two numbers does `x` hold after the assignment? Write them as a list. And what does "
        'the last line do? Write `"works"` or `"raises"`.'
    ),
    starter="""\
after = {
    "x": None,
    "backward": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "the values",
            1,
            numbers,
            lambda rng: {},
            passes="Your list is right.",
            fails="Those are not the numbers in x.",
        ),
        Check(
            "backward",
            1,
            scenarios.entries,
            keys("backward", **OTHER_WORDS),
            passes="Your ending of backward is right.",
            fails="The last line does something else.",
        ),
    ),
    misconceptions=(
        Misconception(
            "detach-copies",
            "You expect `detach` to copy. It gives a second name to the same memory, so that a "
            "change through one of them is a change of both.",
            {"x": [1.0, 2.0], "backward": "works"},
        ),
        Misconception(
            "leaf-protected",
            "You expect the values of `x` to be out of reach. That a leaf is refused to in-place "
            "operators protects the name `x`, and not the memory behind it.",
            TRUTH | {"x": [1.0, 2.0]},
        ),
        Misconception(
            "nobody-checks",
            "You expect nobody to notice the change. A detached tensor shares the version counter "
            "too, and backward compares it with what it was when the product was saved.",
            TRUTH | {"backward": "works"},
        ),
        Misconception(
            "everything-assigned",
            "You assigned to every element. An index in brackets names one of them.",
            TRUTH | {"x": [10.0, 10.0]},
        ),
        Misconception(
            "counted-from-one",
            "You changed the second element. Python counts from zero.",
            TRUTH | {"x": [1.0, 10.0]},
        ),
        Misconception(
            "values-of-the-result",
            "You wrote down the squares. The question is what `x` itself holds.",
            TRUTH | {"x": [100.0, 4.0]},
        ),
        Misconception(
            "values-of-the-old-result",
            "You wrote down what `y` holds. The question is what `x` itself holds.",
            TRUTH | {"x": [1.0, 4.0]},
        ),
    ),
    hints=(
        "There are two questions about `d`: what does it have for itself, and what does it share "
        "with `x`?",
        "What `detach` leaves behind is the history. The memory, and the counter of its changes, "
        "are those of `x`.",
        "The product has saved `x` at a certain version. Has the assignment changed the memory "
        "that was saved, and has the counter heard of it?",
    ),
    variants=(
        Variant("whole numbers", {"x": [10, 2], "backward": "raises"}),
        Variant("a tuple and a capital letter", {"x": (10.0, 2.0), "backward": "Raises"}),
        Variant("the error by its name", {"x": [10.0, 2.0], "backward": "RuntimeError"}),
        Variant("more keys than asked for", {**TRUTH, "why": "one counter"}),
    ),
    place=2,
)
