"""`detach-alias`: a change through a detached tensor, seen from its source and from backward."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import AN_ERROR, keys
from graders.observe import scenarios

TRUTH = {"x": [10.0, 2.0], "backward": "raises"}


OTHER_WORDS = {"raises": AN_ERROR, "works": ("work",)}


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
            fails="Those are not the numbers that `x` holds.",
        ),
        Check(
            "backward",
            1,
            scenarios.entries,
            keys("backward", **OTHER_WORDS),
            passes="Your answer for the last line is right.",
            fails="Your answer for the last line is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "detach-copies",
            "You expect `detach` to copy. It gives a second name to the same memory, so a change "
            "through either name is seen through both.",
            {"x": [1.0, 2.0], "backward": "works"},
        ),
        Misconception(
            "leaf-protected",
            "You expect `x` to keep its numbers, perhaps because a leaf that requires grad is "
            "protected. In-place operators do refuse `x` itself, but this change goes through "
            "`d`, which shares its memory.",
            TRUTH | {"x": [1.0, 2.0]},
        ),
        Misconception(
            "nobody-checks",
            "You expect the change to go unnoticed. A detached tensor shares the version counter "
            "too, and backward compares that counter with the version at which the product saved "
            "`x`.",
            TRUTH | {"backward": "works"},
        ),
        Misconception(
            "everything-assigned",
            "You assigned to every element. An index in brackets selects a single one.",
            TRUTH | {"x": [10.0, 10.0]},
        ),
        Misconception(
            "counted-from-one",
            "You changed the second element. Python counts from zero.",
            TRUTH | {"x": [1.0, 10.0]},
        ),
        Misconception(
            "values-of-the-result",
            "Those are the squares of the new values. The question is what `x` itself holds.",
            TRUTH | {"x": [100.0, 4.0]},
        ),
        Misconception(
            "values-of-the-old-result",
            "Those are the values of `y`. The question is what `x` itself holds.",
            TRUTH | {"x": [1.0, 4.0]},
        ),
    ),
    hints=(
        "There are two questions about `d`: what does it have of its own, and what does it share "
        "with `x`?",
        "`detach` leaves the history behind. The memory is still that of `x`, and so is the "
        "version counter.",
        "The product saved `x` at a certain version. Does the assignment change the memory that "
        "was saved, and does it raise the version counter?",
    ),
    variants=(
        Variant("whole numbers", {"x": [10, 2], "backward": "raises"}),
        Variant("a tuple and a capital letter", {"x": (10.0, 2.0), "backward": "Raises"}),
        Variant("the error by its name", {"x": [10.0, 2.0], "backward": "RuntimeError"}),
        Variant("more keys than asked for", {**TRUTH, "why": "one counter"}),
    ),
    place=2,
)
