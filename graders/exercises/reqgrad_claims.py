"""`reqgrad-claims`: what is true of what is said about requires_grad?"""

from __future__ import annotations

from graders.exercise import Exercise, Variant
from graders.exercises._statements import Statement, listed, misconceptions, starter, theme, truth

STATEMENTS = (
    Statement(
        "a",
        "req-3",
        "What comes out of an `nn.Sequential` requires grad, whatever it is made of.",
        False,
        "Claim req-3: you let the container decide. `Sequential` only calls its layers; the "
        "tensors that they compute with decide.",
    ),
    Statement(
        "b",
        "auto-4",
        "A float leaf can be asked later: `t.requires_grad_()` does what the attribute does.",
        True,
        "Claim auto-4: you expect that a tensor has to be asked when it is made. A leaf can be "
        "asked at any time, for what is computed from then on.",
    ),
    Statement(
        "c",
        "frozen-layers-block",
        "A frozen layer keeps gradients from reaching the layers before it.",
        False,
        "You took frozen for impassable. A frozen layer gets no gradient for its own parameters, "
        "but it hands on what belongs to its input.",
    ),
    Statement(
        "d",
        "input-stays",
        "`model(x)` leaves `x.requires_grad` as it was, also when all of the model learns.",
        True,
        "You expect the input to catch `requires_grad` from the parameters. It spreads from "
        "inputs to results, never the other way.",
    ),
    Statement(
        "e",
        "late-is-in-time",
        "To ask for gradients after the loss was computed is in time, if backward comes later.",
        False,
        "You expect backward to look at the wish. What has not been recorded while the loss was "
        "computed cannot be walked over later.",
    ),
    Statement(
        "f",
        "req-1",
        "`torch.tensor([1.0, 2.0]).sum().backward()` raises an error: nobody asked for gradients.",
        True,
        "Claim req-1: you expect tensors to require grad by themselves. They do not, and "
        "backward has nothing to walk over.",
    ),
    Statement(
        "g",
        "auto-4-on-results",
        "A recorded result can be taken out of the graph: set its `requires_grad` to False.",
        False,
        "Claim auto-4, and what it leaves out: you expect the flag of a result to be free. It "
        "follows from how the result was made, and to unset it raises an error.",
    ),
    Statement(
        "h",
        "req-2",
        "If `x` is a new leaf that requires grad, `x.sum().backward()` leaves a one in each place "
        "of `x.grad`.",
        True,
        "Claim req-2: you doubt the gradient of a sum. Each element moves the sum exactly as "
        "far as it moves itself.",
    ),
    Statement(
        "i",
        "error-cured-at-the-loss",
        "`loss.requires_grad_()` cures the error “element 0 of tensors…”: all gradients arrive.",
        False,
        "You took the end of an error for a cure. Backward then has a place to start, and "
        "nowhere to go.",
    ),
    Statement(
        "j",
        "gradients-add-up",
        "Two walks of backward add up in `.grad`, unless you clear it in between.",
        True,
        "You expect each walk to begin anew. Backward adds to what is there, and clearing is "
        "left to you.",
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
        "Some of these statements are claims of the documents, others are heard elsewhere. Write "
        "`True` or `False` for each. Points are given for each group of related statements, when "
        "all in it are right.\n\n" + listed(STATEMENTS)
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
        "Most verdicts follow from two sentences: one input that requires grad is enough, and "
        "it is settled when the operation runs.",
        "Keep three things apart: the wish on a leaf, the record that is made while computing, "
        "and the gradient that backward puts down.",
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
