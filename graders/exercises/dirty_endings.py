"""`dirty-endings`: one program, five endings to foresee."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import AN_ERROR, keys
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
    "silent-wrong": ("wrong", "silently-wrong", "silent", "silentwrong"),
    "error": (*AN_ERROR, "loud"),
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
        "A Function halves its input in place, after another operation has used that input:\n\n"
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
            passes="Your answers for `unmarked`, `marked` and `mended` are right.",
            fails="At least one of your answers for `unmarked`, `marked` and `mended` is wrong.",
        ),
        Check(
            "who bumps the version",
            1,
            scenarios.entries,
            keys("counted", **OTHER_WORDS),
            passes="Your answer for `counted` is right.",
            fails="Your answer for `counted` is not right.",
        ),
        Check(
            "who reads the old value",
            1,
            scenarios.entries,
            keys("sum", **OTHER_WORDS),
            passes="Your answer for `sum` is right.",
            fails="Your answer for `sum` is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "mark-dirty-repairs",
            "You expect `mark_dirty` to repair the gradient. It cannot restore the old value, "
            "which is lost either way; ask what it can do instead.",
            TRUTH | {"marked": "correct"},
        ),
        Misconception(
            "mark-dirty-mutates",
            "You expect the change to happen only where it is marked. `mark_dirty` changes no "
            "value; the line above it does, with or without the mark.",
            TRUTH | {"unmarked": "correct", "marked": "silent-wrong"},
        ),
        Misconception(
            "nothing-happens-unmarked",
            "You expect no harm without `mark_dirty`. The memory is changed all the same, and the "
            "backward of the product reads it.",
            TRUTH | {"unmarked": "correct"},
        ),
        Misconception(
            "all-in-place-is-illegal",
            "You expect every in-place change to end in an error. It is allowed; what matters is "
            "whether the old value is still needed, and whether the engine is told.",
            dict.fromkeys(TRUTH, "error"),
            whole=True,
        ),
        Misconception(
            "engine-sees-everything",
            "You expect the engine to notice by itself. It does not watch memory, it compares "
            "version counters, and a change through `.data` does not raise the counter.",
            TRUTH | {"unmarked": "error"},
        ),
        Misconception(
            "only-the-mark-counts",
            "You expect an in-place operator to go unnoticed unless it is marked. Such operators "
            "raise the version counter themselves, even inside `forward`.",
            TRUTH | {"counted": "silent-wrong"},
        ),
        Misconception(
            "marking-does-not-tell",
            "You expect the marked change to go unnoticed. The mark raises the version counter, "
            "and backward finds that the saved value has an earlier version.",
            TRUTH | {"marked": "silent-wrong"},
        ),
        Misconception(
            "every-operator-needs-its-inputs",
            "You expect every backward to read its inputs. A sum passes the gradient on without "
            "reading any value, so it saved nothing that could be out of date.",
            TRUTH | {"sum": "error"},
        ),
        Misconception(
            "sums-read-the-new-value",
            "You expect the gradient of a sum to be computed from the changed value. A sum passes "
            "on what arrives, whatever the values are.",
            TRUTH | {"sum": "silent-wrong"},
        ),
        Misconception(
            "operators-do-no-harm",
            "You expect no harm from an in-place operator inside `forward`. It changes the memory "
            "that the product has saved, as any other change does.",
            TRUTH | {"counted": "correct"},
        ),
        Misconception(
            "clone-does-not-separate",
            "You expect a change of the clone to reach its source. A clone has its own memory, so "
            "the values that were saved of the source stay as they were.",
            TRUTH | {"mended": "error"},
        ),
        Misconception(
            "clone-does-not-separate-silently",
            "You expect a change of the clone to make the product of the original wrong. The two "
            "share no memory; only their values were equal when the clone was made.",
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
        "and if so, has the version counter gone up?",
        "It reads changed memory, and the counter has not gone up: a wrong number. It reads "
        "changed memory, and the counter has gone up: an error. It does not read it, or nothing "
        "has changed: the right number.",
        "Answer both questions for each of the five. The product reads `a`. A mark raises the "
        "version, and so does an operator with an underscore; a change through `.data` does not. "
        "Then look which memory the clone has, and what a sum needs of `a`.",
    ),
    place=1,
)
