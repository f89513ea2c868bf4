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
        "What does a tensor of whole numbers, made without `requires_grad`, record?",
    ),
    "dirty-2": (
        True,
        "A Function that marks its input raises an error when that is a leaf that requires grad.",
        "A leaf's gradient belongs to the value that it had; changed in place, that is gone.",
    ),
    "dirty-3": (
        True,
        "What a marked in-place Function returns is the very tensor that went in, with a new "
        "`grad_fn`.",
        "In place means that no new tensor is needed; only its place in the graph is new.",
    ),
    "dirty-4": (
        False,
        "An input that is only read may be marked too, to be on the safe side.",
        "A mark brings a duty with it that an input which is only read does not fulfil.",
    ),
    "dirty-5": (
        False,
        "`ctx.saved_tensors` holds the inputs of forward, saved or not.",
        "Nothing is kept for backward unless forward asks for it.",
    ),
    "dirty-6": (
        False,
        "In a backward with two products, multiplying `grad_output` in place twice gives two "
        "different gradients.",
        "An in-place product returns the tensor that it changed, so count how many there are.",
    ),
    "dirty-7": (
        True,
        "To multiply x1 in place by x2, forward has to keep the old x1 if x2 needs a gradient.",
        "The gradient for x2 is made from the x1 that it was multiplied with.",
    ),
    "dirty-8": (
        True,
        "Where backward needs the old value of an input, saving it without a copy and changing it "
        "in the same forward gives a wrong gradient and no error.",
        "The version of what is saved is noted when forward is over, so that a change within it "
        "leaves no trace.",
    ),
    "dirty-9": (
        False,
        "Which of two branches forward took can be told in backward from `ctx.saved_tensor`.",
        "Look at the name closely, and ask who would have put the answer there.",
    ),
    "dirty-10": (
        True,
        "A truth value that backward needs may be kept as a plain attribute of `ctx`.",
        "Only tensors need the guard of a version; a truth value does not change in place.",
    ),
    "dirty-11": (
        False,
        "A tensor's method `as_tensor()` puts a changed tensor into the graph.",
        "Did you try to call it?",
    ),
    "dirty-12": (
        False,
        "With `no_grad` around the change inside forward, no mark is needed.",
        "Inside of forward nothing is recorded anyway, and what a mark does is another matter.",
    ),
    "dirty-13": (
        False,
        "`mark_dirty` is deprecated and should be replaced.",
        "Deprecated functions warn when they are called, so call it and look.",
    ),
    "dirty-14": (
        False,
        "`mark_dirty` keeps gradients right by updating what the graph has saved.",
        "What has been overwritten cannot be brought back by any mark; it can only be noticed.",
    ),
    "dirty-15": (
        True,
        "`mark_dirty` belongs in forward, or in `setup_context`.",
        "The mark tells what forward did to its inputs, and later there is nobody left to tell.",
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
    verdict = "refuse" if holds else "accept"
    return Misconception(f"wrong-about-{id}", f"You {verdict} {id}. {why}", TRUTH | {id: not holds})


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
    task="Which of these sentences hold? Write `True` or `False` for each. Points are given for "
    "each group of related sentences, when all in it are right.\n\n"
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
            "You accept all the sentences that do not hold. Several of them can be tried in a cell "
            "of two or three lines, and will not survive it.",
            dict.fromkeys(TRUTH, True),
        ),
        Misconception(
            "believes-nothing",
            "You refuse all the sentences that hold. The document errs often, but not always, and "
            "some of these sentences say what really happens.",
            dict.fromkeys(TRUTH, False),
        ),
        *(_one_wrong(id) for id in CLAIMS),
        Misconception(
            "everything-turned-round",
            "Each of your verdicts is the opposite of what holds. Whoever gets all of them wrong "
            "knows a lot: check which way round you write `True` and `False`.",
            {id: not holds for id, holds in TRUTH.items()},
        ),
    ),
    hints=(
        "You do not need to know: nearly every sentence can be tried in a cell of a few lines.",
        "The cells below this exercise show most of them. Read the last lines of the errors, "
        "and compare the numbers with those that the document prints.",
        "For each sentence you are unsure of, find the cell that shows it and ask: did it raise, "
        "and if not, is the number the one that mathematics asks for? Where a sentence promises a "
        "repair, think of the overwritten value: who could still know it?",
    ),
    variants=(
        Variant("zeros and ones", {id: int(holds) for id, holds in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried them"}),
    ),
    place=4,
)
