"""`dirty-endings`: one program, five endings to foresee."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {
    "unmarked": "silent-wrong",
    "marked": "error",
    "mended": "correct",
    "counted": "error",
    "sum": "correct",
}


# What the lesson calls them, too.
OTHER_WORDS = {
    "correct": ("right",),
    "silent-wrong": ("wrong", "silently-wrong", "silent"),
    "error": ("an-error", "raises", "runtimeerror", "loud"),
}


EXERCISE = Exercise(
    id="dirty-endings",
    lesson="08_mark_dirty",
    section="Three endings of one program",
    title="Silent, loud or right?",
    symbol="endings",
    kind="predict",
    points=5,
    difficulty=2,
    minutes=5,
    task=(
        "A Function halves its input in place, and somebody has used that input before:\n\n"
        "```python\n"
        "class Halve_(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        x.data *= 0.5\n"
        "        ctx.mark_dirty(x)\n"
        "        return x\n"
        "\n"
        "    @staticmethod\n"
        "    def backward(ctx, grad_output):\n"
        "        return grad_output * 0.5\n"
        "\n"
        "w = torch.tensor(4.0, requires_grad=True)\n"
        "a = w.clone()\n"
        "b = a * a\n"
        "Halve_.apply(a)\n"
        "b.backward()\n"
        "```\n\n"
        "Five variants of it:\n\n"
        "- `marked`: as it stands above\n"
        "- `unmarked`: without the line with `mark_dirty`\n"
        "- `mended`: as `marked`, but with `Halve_.apply(a.clone())`\n"
        "- `counted`: as `unmarked`, but with `x.mul_(0.5)` instead of `x.data *= 0.5`\n"
        "- `sum`: as `marked`, but with `b = a + a`\n\n"
        'Write `"correct"` where `w.grad` is the gradient of the `b` that was computed, '
        '`"silent-wrong"` where it is another number, and `"error"` where `backward` raises.'
    ),
    starter="""\
endings = {
    "unmarked": None,
    "marked": None,
    "mended": None,
    "counted": None,
    "sum": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "three endings",
            3,
            scenarios.entries,
            keys("unmarked", "marked", "mended", **OTHER_WORDS),
            passes="You know the three endings of the program.",
            fails="Not all of unmarked, marked and mended are right.",
        ),
        Check(
            "who bumps the version",
            1,
            scenarios.entries,
            keys("counted", **OTHER_WORDS),
            passes="You know who bumps the version by itself.",
            fails="Your answer for counted is not right.",
        ),
        Check(
            "who reads the old value",
            1,
            scenarios.entries,
            keys("sum", **OTHER_WORDS),
            passes="You know when the old value does not matter.",
            fails="Your answer for sum is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "mark-dirty-repairs",
            "You expect `mark_dirty` to repair the gradient. It restores nothing, for the old "
            "value is gone either way; ask what it can do instead.",
            TRUTH | {"marked": "correct"},
        ),
        Misconception(
            "mark-dirty-mutates",
            "You expect the change to happen only where it is marked. `mark_dirty` changes no "
            "value; the line above it does, marked or not.",
            TRUTH | {"unmarked": "correct", "marked": "silent-wrong"},
        ),
        Misconception(
            "nothing-happens-unmarked",
            "You expect no harm without `mark_dirty`. The memory is changed all the same, and "
            "the product reads it in its backward.",
            TRUTH | {"unmarked": "correct"},
        ),
        Misconception(
            "all-in-place-is-illegal",
            "You expect every change in place to end in an error. It is allowed; what matters is "
            "whether somebody still needs the old value, and whether the engine is told.",
            dict.fromkeys(TRUTH, "error"),
        ),
        Misconception(
            "engine-sees-everything",
            "You expect the engine to notice by itself. It does not watch memory, it compares "
            "counters, and a change through `.data` bumps none.",
            TRUTH | {"unmarked": "error"},
        ),
        Misconception(
            "only-the-mark-counts",
            "You expect nobody to notice an in-place operator that is not marked. Such operators "
            "bump the version by themselves, even inside `forward`.",
            TRUTH | {"counted": "silent-wrong"},
        ),
        Misconception(
            "marking-does-not-tell",
            "You expect the marked change to go by unnoticed. The mark bumps the version, and "
            "whoever saved the value at an earlier version will find out.",
            TRUTH | {"marked": "silent-wrong"},
        ),
        Misconception(
            "every-operator-needs-its-inputs",
            "You expect every backward to read its inputs. A sum passes the gradient on without "
            "looking at a value, so nothing was saved that could become stale.",
            TRUTH | {"sum": "error"},
        ),
        Misconception(
            "clone-does-not-separate",
            "You expect a clone to change together with its source. It has a memory of its own, "
            "and whoever saved the source finds it as it was.",
            TRUTH | {"mended": "error"},
        ),
        Misconception(
            "clone-does-not-separate-silently",
            "You expect a change of the clone to reach the product of the original. The two "
            "have nothing in common but the value at the moment of copying.",
            TRUTH | {"mended": "silent-wrong"},
        ),
    ),
    variants=(
        Variant(
            "a blank for the hyphen", {key: end.replace("-", " ") for key, end in TRUTH.items()}
        ),
        Variant("capital letters", {key: ending.capitalize() for key, ending in TRUTH.items()}),
        Variant(
            "the lesson's other words",
            {
                "unmarked": "silently wrong",
                "marked": "an error",
                "mended": "right",
                "counted": "raises",
                "sum": "right",
            },
        ),
        Variant("more keys than asked for", {**TRUTH, "why": "versions"}),
    ),
    hints=(
        "Two questions decide each ending: does the backward of `b` read memory that has changed, "
        "and if so, does the version counter know?",
        "Read, but changed unknown to the counter: a wrong number. Read, and the counter knows: an "
        "error. Not read, or not changed: nothing happens.",
        "Answer both questions for each of the five. The product reads `a`. A mark bumps the "
        "version, and so does an operator with an underscore; `.data` does not. Then look which "
        "memory the clone has, and what a sum needs of `a`.",
    ),
    place=1,
)
