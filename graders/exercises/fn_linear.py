"""`fn-linear`: matrices, a batch, an input that may be missing, and gradients nobody needs."""

from __future__ import annotations

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _linear_functions as functions
from graders.inputs import case, signed
from graders.observe import scenarios


def _layers(rng: np.random.Generator) -> dict[str, object]:
    def layer(name: str, batch: int, inside: int, outside: int, frozen: tuple = ()) -> dict:
        return case(
            name,
            frozen=frozen,
            x=signed(rng, batch, inside),
            weight=signed(rng, outside, inside),
            bias=signed(rng, outside),
        )

    return {
        "cases": [
            layer("everything of size 3", 3, 3, 3),
            layer("a batch of 4, from 3 to 2", 4, 3, 2),
            layer("a batch of 1, from 2 to 3", 1, 2, 3),
        ]
    }


def _without_bias(rng: np.random.Generator) -> dict[str, object]:
    return {
        "cases": [
            case("everything of size 3", x=signed(rng, 3, 3), weight=signed(rng, 3, 3), bias=None),
            case(
                "a batch of 4, from 3 to 2",
                x=signed(rng, 4, 3),
                weight=signed(rng, 2, 3),
                bias=None,
            ),
        ]
    }


def _partly_frozen(rng: np.random.Generator) -> dict[str, object]:
    def frozen(name: str, *names: str) -> dict:
        return case(
            name,
            frozen=names,
            x=signed(rng, 4, 3),
            weight=signed(rng, 2, 3),
            bias=signed(rng, 2),
        )

    # First the case in which it makes no difference whether a backward asks what is needed.
    return {
        "cases": [
            frozen("a frozen bias", "bias"),
            frozen("x as data", "x"),
            frozen("a frozen weight", "weight"),
            frozen("a bias that learns alone", "x", "weight"),
        ]
    }


def _one_layer(rng: np.random.Generator) -> dict[str, object]:
    x, weight, bias = signed(rng, 4, 3), signed(rng, 2, 3), signed(rng, 2)
    changed = ["x", "weight"]
    return {"cases": [case("a batch of 4", changed=changed, x=x, weight=weight, bias=bias)]}


EXERCISE = Exercise(
    id="fn-linear",
    lesson="07_custom_functions",
    section="Gradients that nobody needs",
    title="A linear layer",
    symbol="Linear",
    kind="implement",
    points=8,
    difficulty=3,
    minutes=15,
    task=(
        "Write `Linear`, so that `Linear.apply(x, weight, bias)` is what a linear layer computes: "
        "x times the transpose of the weight, plus the bias. The shapes: x (batch, in), weight "
        "(out, in), bias (out). The bias may be `None`; then nothing is added. Compute only the "
        "gradients that are needed."
    ),
    starter='''\
class Linear(Function):
    """x @ weight.T + bias for a batch of rows; bias may be None."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        # Your code here.
        ...

    @staticmethod
    def backward(ctx, grad_output):
        # Your code here.
        ...
''',
    reference=functions.Linear,
    checks=(
        Check(
            "output",
            1,
            scenarios.function_values,
            _layers,
            passes="The output is right with a bias.",
            fails="The output is not right.",
        ),
        Check(
            "gradients",
            7,
            scenarios.function_gradients,
            _layers,
            passes="The three gradients are right.",
            fails="The gradients are not right.",
            after=("output",),
        ),
        Check(
            "without a bias",
            3,
            scenarios.function_gradients,
            _without_bias,
            passes="It works without a bias.",
            fails="Without a bias it does not work.",
            after=("output",),
        ),
        Check(
            "frozen inputs",
            3,
            scenarios.function_gradients,
            _partly_frozen,
            passes="It works when some of the three need no gradient.",
            fails="When some of the three need no gradient, it does not work.",
            after=("output",),
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            _one_layer,
            passes="It works in the middle of a larger graph.",
            fails="In the middle of a larger graph something goes wrong.",
            after=("output",),
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            _one_layer,
            passes="A later in-place change of x or the weight does no harm unnoticed.",
            fails="When x or the weight is changed in place after forward, nobody notices.",
            after=("gradients",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "weight-not-transposed",
            "Your forward multiplies by the weight as it lies. Its rows belong to the outputs, so "
            "the shapes fit by accident only when it is square.",
            functions.ForgetsToTransposeTheWeight,
        ),
        Misconception(
            "weight-gradient-transposed",
            "The weight's gradient has rows and columns exchanged. A gradient has the shape of "
            "what it belongs to.",
            functions.TransposesTheWeightsGradient,
        ),
        Misconception(
            "input-gradient-transposed",
            "The gradient of x uses the weight the wrong way round. On the way back, numbers of "
            "outputs have to become numbers of inputs.",
            functions.TransposesInTheInputsGradient,
        ),
        Misconception(
            "bias-averaged",
            "The bias gets the average over the batch. It was added to every row, and each row's "
            "influence adds to its gradient.",
            functions.AveragesTheBias,
        ),
        Misconception(
            "bias-summed-over-outputs",
            "The bias gets a sum over the outputs. Look along which axis forward repeated it: "
            "that is the one to sum over.",
            functions.SumsTheBiasOverTheWrongAxis,
        ),
        Misconception(
            "bias-gets-ones",
            "The bias gets ones, as if nothing came from above and the batch had a single row.",
            functions.GivesTheBiasOnes,
        ),
        Misconception(
            "averaged-over-the-batch",
            "You divide by the size of the batch. Whether the loss is an average is for the loss "
            "to decide; what arrives from above contains it already.",
            functions.AveragesOverTheBatch,
        ),
        Misconception(
            "expects-a-bias",
            "Your forward adds the bias even when there is none.",
            functions.ExpectsABias,
        ),
        Misconception(
            "asks-whether-the-bias-is-true",
            "You ask whether the bias is true. A tensor of several numbers is neither true nor "
            "false; the question is whether there is a bias at all.",
            functions.AsksWhetherTheBiasIsTrue,
        ),
        Misconception(
            "forgets-the-bias",
            "Your forward leaves out the bias. It is added to each row of the product.",
            functions.ForgetsTheBias,
        ),
        Misconception(
            "asks-the-wrong-way-round",
            "What is asked for, your backward leaves out; what nobody needs, it computes. "
            "`ctx.needs_input_grad` says True where a gradient is wanted.",
            functions.AsksTheWrongWayRound,
        ),
        Misconception(
            "missing-bias-gets-a-gradient",
            "When the bias is missing, your backward still computes a gradient for it. What is no "
            "tensor gets no gradient.",
            functions.GivesAMissingBiasAGradient,
        ),
        Misconception(
            "all-or-nothing",
            "As soon as one input needs no gradient, your backward gives none at all. The "
            "question is asked for each input on its own.",
            functions.CountsNeedsFromTheOutput,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "x and the weight are kept where no version is remembered, such as plain attributes of "
            "`ctx`. When one is changed in place, backward uses the changed value and nobody is "
            "told.",
            functions.KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Write the shapes of all six tensors side by side: three inputs, and three gradients that "
        "have the same shapes. `grad_output` is (batch, out).",
        "There is only one way to multiply `grad_output` with the weight, or with x, that gives "
        "the shape you need. The bias was repeated for each row of the batch.",
        "The gradient of x is a product of `grad_output` and the weight; that of the weight is a "
        "product of `grad_output`, turned round, and x; that of the bias is a sum over the batch. "
        "Ask `ctx.needs_input_grad` before each of the three; for a missing bias it says False.",
    ),
    remarks=(
        Remark(
            "unneeded",
            "Your backward also computes gradients that nobody needs; the engine throws them "
            "away. `ctx.needs_input_grad` would save that work.",
            noted("unneeded"),
        ),
        Remark(
            "unsummed",
            "The gradient of the bias had one row for each example, and the engine added them up "
            "for you. PyTorch does the same; other engines raise an error.",
            noted("unsummed"),
        ),
    ),
    variants=(
        Variant("all gradients computed, bias left unsummed", functions.LinearThatComputesAll),
        Variant("setup_context and torch-style methods", functions.LinearWithSetupContext),
    ),
    place=8,
)
