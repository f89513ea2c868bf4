"""`reqgrad-claims`: what is true of what is said about requires_grad?"""

from __future__ import annotations

from graders.exercise import Exercise, Variant
from graders.exercises._statements import Statement, listed, misconceptions, starter, theme, truth

STATEMENTS = (
    Statement(
        "a",
        "req-3",
        "The output of an `nn.Sequential` requires grad, whatever layers it has.",
        False,
        "Claim req-3: you expect the container to decide. `Sequential` only calls its layers; what "
        "counts are the tensors that these compute with.",
    ),
    Statement(
        "b",
        "auto-4",
        "A float leaf can be made to require grad later: by `t.requires_grad_()` or the attribute.",
        True,
        "Claim auto-4: you expect `requires_grad` to be settled when a tensor is made. A leaf can "
        "be changed at any time, with effect on what is computed from then on.",
    ),
    Statement(
        "c",
        "frozen-layers-block",
        "A frozen layer keeps gradients from reaching the layers before it.",
        False,
        "You expect a frozen layer to block gradients. It gets none for its own parameters, but it "
        "passes the gradient of its input on.",
    ),
    Statement(
        "d",
        "input-stays",
        "`model(x)` leaves `x.requires_grad` as it was, even if all parameters require grad.",
        True,
        "You expect the input to take over `requires_grad` from the parameters. It spreads from "
        "inputs to results, never the other way.",
    ),
    Statement(
        "e",
        "late-is-in-time",
        "It is early enough to set `requires_grad` after the loss was computed, if backward comes "
        "later.",
        False,
        "You expect backward to look at the flag when it runs. What was not recorded while the "
        "loss was computed cannot be walked over later.",
    ),
    Statement(
        "f",
        "req-1",
        "`torch.tensor([1.0, 2.0]).sum().backward()` raises an error: nothing requires grad.",
        True,
        "Claim req-1: you expect tensors to require grad by default. They do not, and backward has "
        "nothing to walk over.",
    ),
    Statement(
        "g",
        "auto-4-on-results",
        "A recorded result can be taken out of the graph: set its `requires_grad` to False.",
        False,
        "Claim auto-4, and what it leaves out: you expect that the flag of a result can be set. It "
        "follows from how the result was computed, and setting it to False raises an error.",
    ),
    Statement(
        "h",
        "req-2",
        "If `x` is a new leaf that requires grad, `x.sum().backward()` fills `x.grad` with ones.",
        True,
        "Claim req-2: you doubt that the gradient of a sum is one everywhere. When an element "
        "moves, the sum moves by the same amount.",
    ),
    Statement(
        "i",
        "error-cured-at-the-loss",
        "`loss.requires_grad_()` cures the error “element 0 of tensors…”: all gradients arrive.",
        False,
        "You expect the gradients to arrive once the error is gone. Backward then has a place to "
        "start, but nothing was recorded behind it.",
    ),
    Statement(
        "j",
        "gradients-add-up",
        "Two walks of backward add up in `.grad`, unless you clear it in between.",
        True,
        "You expect each walk to start from zero. Backward adds to what is there, and clearing is "
        "up to you.",
    ),
)

TRUTH = truth(STATEMENTS)

EXERCISE = Exercise(
    id="reqgrad-claims",
    lesson="03_requires_grad",
    section="What the document says",
    title="True or false: requires grad",
    symbol="verdicts",
    kind="explain",
    points=4,
    difficulty=2,
    minutes=4,
    task=(
        "Some of these statements are claims of the documents, others are not. Write `True` or "
        "`False` for each. Points are given for each group of related statements, when all in it "
        "are right.\n\n" + listed(STATEMENTS)
    ),
    starter=starter(STATEMENTS),
    reference=TRUTH,
    checks=(
        theme("networks", "networks", "acd"),
        theme("setting", "when and where to set it", "beg"),
        theme("the error", "the error and its cure", "fi"),
        theme("gradients", "the gradients that arrive", "hj"),
    ),
    misconceptions=misconceptions(STATEMENTS),
    hints=(
        "Most verdicts follow from two sentences: one input that requires grad is enough, and this "
        "is decided when the operation runs.",
        "Keep three things apart: the flag of a leaf, what is recorded while computing, and the "
        "gradient that backward stores.",
        "For each statement that you are unsure of, write its program in a cell of your own, and "
        "print `requires_grad` and `grad` of each tensor in it.",
    ),
    variants=(
        Variant("zeros and ones", {key: int(true) for key, true in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried each of them"}),
        Variant("in another order", dict(reversed(TRUTH.items()))),
        Variant("floats", {key: float(true) for key, true in TRUTH.items()}),
    ),
    place=6,
)
