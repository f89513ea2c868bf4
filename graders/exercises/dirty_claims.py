"""`dirty-claims`: what the document says about mark_dirty, true or false?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

CLAIMS = {
    "dirty-1": (
        False,
        "With `torch.tensor(10)` as input, `backward` through an in-place Function leaves 1.0 in "
        "the input's `.grad`.",
        "Does an integer tensor, made without `requires_grad`, record anything?",
    ),
    "dirty-2": (
        True,
        "A Function that marks its input raises an error when that is a leaf that requires grad.",
        "The gradient of a leaf belongs to the value of the leaf, and an in-place change would "
        "overwrite that value.",
    ),
    "dirty-3": (
        True,
        "What a marked in-place Function returns is the very tensor that went in, with a new "
        "`grad_fn`.",
        "In place means that no new tensor is made; only its place in the graph is new.",
    ),
    "dirty-4": (
        False,
        "An input that is only read may be marked too, to be on the safe side.",
        "A mark comes with the duty to return the marked input, so it does not fit an input that "
        "is only read.",
    ),
    "dirty-5": (
        False,
        "`ctx.saved_tensors` holds the inputs of forward, saved or not.",
        "Nothing is kept for backward unless forward saves it.",
    ),
    "dirty-6": (
        False,
        "In a backward with two products, multiplying `grad_output` in place twice gives two "
        "different gradients.",
        "An in-place product returns the tensor that it changed, so how many different tensors "
        "does this backward return?",
    ),
    "dirty-7": (
        True,
        "To multiply x1 in place by x2, forward has to keep the old x1 if x2 needs a gradient.",
        "The gradient of x2 is computed from the x1 that it was multiplied by.",
    ),
    "dirty-8": (
        True,
        "Where backward needs the old value of an input, saving it without a copy and changing it "
        "in the same forward gives a wrong gradient and no error.",
        "The version of a saved tensor is recorded when forward is over, so a change made inside "
        "forward goes unnoticed.",
    ),
    "dirty-9": (
        False,
        "Backward can tell from `ctx.saved_tensor` which of two branches forward took.",
        "Look closely at the name, and ask what would have stored the answer there.",
    ),
    "dirty-10": (
        True,
        "A bool that backward needs may be kept as a plain attribute of `ctx`.",
        "Only tensors need the protection of a version; a bool cannot change in place.",
    ),
    "dirty-11": (
        False,
        "A tensor's method `as_tensor()` puts a changed tensor into the graph.",
        "Try to call it: is there such a method?",
    ),
    "dirty-12": (
        False,
        "With `no_grad` around the change inside forward, no mark is needed.",
        "Inside forward nothing is recorded anyway, so `no_grad` changes nothing there, and a "
        "mark serves another purpose.",
    ),
    "dirty-13": (
        False,
        "`mark_dirty` is deprecated and should be replaced.",
        "Deprecated functions warn when they are called, so call it and look.",
    ),
    "dirty-14": (
        False,
        "`mark_dirty` keeps gradients right by updating what the graph has saved.",
        "A mark cannot bring back what was overwritten; it can only make sure that the change is "
        "noticed.",
    ),
    "dirty-15": (
        True,
        "`mark_dirty` belongs in forward, or in `setup_context`.",
        "The mark tells the engine what forward did to its inputs, and the engine reads it as "
        "soon as forward is over.",
    ),
}

TRUTH = {id: holds for id, (holds, _, _) in CLAIMS.items()}


def _check(name: str, about: str, *numbers: int) -> Check:
    return Check(
        name,
        1,
        scenarios.entries,
        keys(*(f"dirty-{number}" for number in numbers)),
        passes=f"Your verdicts on {about} are right.",
        fails=f"Not all of your verdicts on {about} are right ({', '.join(map(str, numbers))}).",
    )


def _one_wrong(id: str) -> Misconception:
    holds, _, why = CLAIMS[id]
    verdict = "false" if holds else "true"
    return Misconception(
        f"wrong-about-{id}", f"You take {id} to be {verdict}. {why}", TRUTH | {id: not holds}
    )


EXERCISE = Exercise(
    id="dirty-claims",
    lesson="08_mark_dirty",
    section="What the document says",
    title="True or false?",
    symbol="verdicts",
    kind="explain",
    points=5,
    difficulty=2,
    minutes=6,
    task=(
        "Which of these statements are true? Write `True` or `False` for each. Points are given "
        "for each group of related statements, when all in it are right.\n"
        "\n"
    )
    + "\n".join(f"- `{id}`: {claim}" for id, (_, claim, _) in CLAIMS.items()),
    starter="verdicts = {\n" + "".join(f'    "{id}": None,\n' for id in CLAIMS) + "}\n",
    reference=TRUTH,
    checks=(
        _check("inputs and leaves", "inputs and leaves", 1, 2, 3),
        _check("two inputs", "marks and products with two inputs", 4, 6, 7),
        _check("what is kept", "what is kept for backward", 5, 8, 9, 10),
        _check("replacements", "what should replace the mark", 11, 12, 13),
        _check("what the mark is for", "what the mark is for", 14, 15),
    ),
    misconceptions=(
        Misconception(
            "believes-everything",
            "You take all the false statements to be true. Several of them can be disproved in a "
            "cell of two or three lines.",
            dict.fromkeys(TRUTH, True),
        ),
        Misconception(
            "believes-nothing",
            "You take all the true statements to be false. The document is often wrong, but not "
            "always, and some of these statements say what really happens.",
            dict.fromkeys(TRUTH, False),
        ),
        *(_one_wrong(id) for id in CLAIMS),
        Misconception(
            "everything-turned-round",
            "Each of your verdicts is the opposite of the right one. That hardly happens by "
            "chance: check whether you have mixed up `True` and `False`.",
            {id: not holds for id, holds in TRUTH.items()},
        ),
    ),
    hints=(
        "You do not have to know the answers: nearly every statement can be tried in a cell of a "
        "few lines.",
        "The cells below this exercise show most of them. Read the last lines of the errors, "
        "and compare the numbers with those that the document prints.",
        "For each statement that you are unsure of, find the cell that shows it and ask: did it "
        "raise, and if not, is the number the mathematically right one? Where a statement "
        "promises a repair, think of the overwritten value: is it still stored anywhere?",
    ),
    variants=(
        Variant("zeros and ones", {id: int(holds) for id, holds in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried them"}),
    ),
    place=4,
)
