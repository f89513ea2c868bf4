"""`fn-linear`: matrices, a batch, an input that may be missing, and gradients nobody needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Remark, Variant, noted
from graders.exercises import _linear_functions as functions
from graders.inputs import case, signed
from graders.observe import scenarios
from graders.observe.lab import Lab


def without_a_bias(function: Any, lab: Lab) -> None:
    """Leave out the bias: is the output right, and do x and the weight get what they get with one?

    They learn one at a time, so that a wrong gradient of one says nothing about the others.
    """
    from graders.observe.gradients import accepted_gradients, gradients_at, same_gradient

    for each in lab.cases():
        leaves = each.arguments()
        each.record("output", each.run(function, leaves))
        zeros = each.torch.zeros(len(leaves["weight"]), requires_grad=True)
        for name in ("x", "weight"):
            if leaves[name].requires_grad:
                inputs = leaves | {n: leaves[n].detach() for n in ("x", "weight") if n != name}
                without = gradients_at(each, function, inputs, [name])
                usual = accepted_gradients(each, function, inputs | {"bias": zeros})
                same = same_gradient(each, without[name], usual.get(name))
                each.record(f"{name} gets the gradient that it gets with a bias", same)


def partly_frozen(function: Any, lab: Lab) -> None:
    """Freeze some inputs: do the others get what they get when all three learn?

    An input whose gradient the engine refuses in any case never learns here.
    """
    from graders.observe.contract import look_at_gradients
    from graders.observe.gradients import accepted_gradients, gradients_at, same_gradient

    for each in lab.cases():
        if not each.is_reference:
            look_at_gradients(each, function)
        leaves = each.arguments()
        learning = {name: leaf.detach().requires_grad_() for name, leaf in leaves.items()}
        usual = accepted_gradients(each, function, learning)
        arrives = any(gradient is not None for gradient in usual.values())
        each.record("a gradient arrives when all three learn", arrives)
        inputs = {name: leaf if name in usual else leaf.detach() for name, leaf in leaves.items()}
        wanted = [name for name, leaf in inputs.items() if leaf.requires_grad]
        found = gradients_at(each, function, inputs, wanted) if wanted else {}
        for name, leaf in leaves.items():
            if leaf.requires_grad:
                same = same_gradient(each, found.get(name), usual.get(name))
                each.record(f"{name} gets the gradient that it gets when all three learn", same)


def _layer(
    rng: np.random.Generator, name: str, batch: int, inside: int, outside: int, **more: Any
) -> dict[str, Any]:
    arrays = {
        "x": signed(rng, batch, inside),
        "weight": signed(rng, outside, inside),
        "bias": signed(rng, outside),
    }
    return case(name, **{**arrays, **more})


def _layers(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "cases": [
            _layer(rng, "everything of size 3", 3, 3, 3),
            _layer(rng, "a batch of 4, from 3 to 2", 4, 3, 2),
            _layer(rng, "a batch of 1, from 2 to 3", 1, 2, 3),
        ]
    }


def _layers_that_learn_or_not(rng: np.random.Generator) -> dict[str, Any]:
    frozen = _layer(rng, "a frozen bias", 2, 3, 2, frozen=("bias",))
    return {"cases": [*_layers(rng)["cases"], frozen]}


# Below, gradients are those of everything of one size. What has a wrong shape is refused by the
# engine and would stop these checks, too; whether a shape is right is asked above.


def _without_bias(rng: np.random.Generator) -> dict[str, Any]:
    data = {"frozen": ("x", "weight"), "bias": None}
    return {
        "cases": [
            _layer(rng, "everything of size 3", 3, 3, 3, bias=None),
            _layer(rng, "a batch of 4, from 3 to 2", 4, 3, 2, **data),
        ]
    }


def _partly_frozen(rng: np.random.Generator) -> dict[str, Any]:
    # First the case in which it makes no difference whether a backward asks what is needed.
    return {
        "cases": [
            _layer(rng, "a frozen bias", 3, 3, 3, frozen=("bias",)),
            _layer(rng, "x as data", 3, 3, 3, frozen=("x",)),
            _layer(rng, "a frozen weight", 3, 3, 3, frozen=("weight",)),
            _layer(rng, "a bias that learns alone", 3, 3, 3, frozen=("x", "weight")),
        ]
    }


def _one_layer(rng: np.random.Generator) -> dict[str, Any]:
    return {"cases": [_layer(rng, "a batch of 4", 4, 3, 2, changed=["x", "weight"])]}


def _gradient(of: str, name: str) -> Check:
    """Return the check of one of the three gradients, each of which counts for itself."""
    return Check(
        f"gradient of {name}",
        3,
        scenarios.function_one_gradient,
        lambda rng: {"of": of, **_layers(rng)},
        passes=f"The gradient of {name} is right.",
        fails=f"The gradient of {name} is not right.",
        after=("output",),
    )


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
            _layers_that_learn_or_not,
            passes="The output is right with a bias.",
            fails="The output is not right.",
        ),
        _gradient("x", "x"),
        _gradient("weight", "the weight"),
        _gradient("bias", "the bias"),
        Check(
            "without a bias",
            2,
            without_a_bias,
            _without_bias,
            passes="It works without a bias.",
            fails="Without a bias it does not work.",
            after=("output",),
        ),
        Check(
            "frozen inputs",
            2,
            partly_frozen,
            _partly_frozen,
            passes="It works when some of the three need no gradient.",
            fails="When some of the three need no gradient, it does not work.",
            after=("output",),
            statements=True,
        ),
        Check(
            "larger graph",
            1,
            scenarios.function_in_graph,
            _one_layer,
            passes="It works in the middle of a larger graph.",
            fails="It does not work in the middle of a larger graph.",
            after=("output",),
        ),
        Check(
            "saved tensors",
            1,
            scenarios.function_notices_changes,
            _one_layer,
            passes="A later in-place change of x or the weight raises an error, or does no harm.",
            fails=(
                "A later in-place change of x or the weight makes a gradient wrong without an "
                "error."
            ),
            after=("gradient of x", "gradient of the weight"),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "weight-not-transposed",
            "Your forward multiplies by the weight without transposing it. Its rows belong to the "
            "outputs, so the shapes fit only by chance, when it is square.",
            functions.ForgetsToTransposeTheWeight,
        ),
        Misconception(
            "weight-gradient-transposed",
            "The gradient of the weight has rows and columns exchanged. A gradient has the shape "
            "of the tensor that it belongs to.",
            functions.TransposesTheWeightsGradient,
        ),
        Misconception(
            "input-gradient-transposed",
            "The gradient of x uses the weight in the wrong orientation. `grad_output` has one "
            "column for each output; the gradient of x needs one for each input.",
            functions.TransposesInTheInputsGradient,
        ),
        Misconception(
            "bias-averaged",
            "You average over the batch to get the gradient of the bias. The bias was added to "
            "every row, and the contributions of all rows add up.",
            functions.AveragesTheBias,
        ),
        Misconception(
            "bias-summed-over-outputs",
            "You sum over the outputs to get the gradient of the bias. Look along which axis "
            "forward repeated the bias: that is the one to sum over.",
            functions.SumsTheBiasOverTheWrongAxis,
        ),
        Misconception(
            "bias-summed-over-everything",
            "The gradient of your bias is a single number, the sum of all that arrived. The bias "
            "has one number for each output, and each is added to one column only.",
            functions.SumsTheBiasOverEverything,
        ),
        Misconception(
            "bias-gets-ones",
            "The gradient of your bias is all ones, as if the batch had a single row and ones "
            "arrived from above.",
            functions.GivesTheBiasOnes,
        ),
        Misconception(
            "ignores-grad-output",
            "Your backward computes as if ones arrived from above. `grad_output` is a factor of "
            "each of the three gradients.",
            functions.IgnoresGradOutput,
        ),
        Misconception(
            "averaged-over-the-batch",
            "You divide by the size of the batch. Whether to average is for the loss to decide; "
            "`grad_output` already contains that.",
            functions.AveragesOverTheBatch,
        ),
        Misconception(
            "expects-a-bias",
            "Your forward adds the bias even when it is None.",
            functions.ExpectsABias,
        ),
        Misconception(
            "asks-whether-the-bias-is-true",
            "You test whether the bias is true. A tensor of several numbers is neither true nor "
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
            "Your backward leaves out the gradients that are needed and computes those that are "
            "not. `needs_input_grad` is True where a gradient is needed.",
            functions.AsksTheWrongWayRound,
        ),
        Misconception(
            "missing-bias-gets-a-gradient",
            "When the bias is None, your backward still returns a gradient for it. An argument "
            "that is not a tensor has no gradient.",
            functions.GivesAMissingBiasAGradient,
        ),
        Misconception(
            "all-or-nothing",
            "As soon as one input needs no gradient, your backward returns none at all. "
            "`needs_input_grad` answers for each input separately.",
            functions.CountsNeedsFromTheOutput,
        ),
        Misconception(
            "keeps-inputs-on-ctx",
            "You keep x and the weight where their versions are not recorded, for example as "
            "plain attributes of `ctx`. If one is changed in place before backward, the gradient "
            "is computed from the changed value and no error is raised.",
            functions.KeepsInputsOnContext,
        ),
    ),
    hints=(
        "Write the shapes of all six tensors side by side: three inputs, and three gradients that "
        "have the same shapes. `grad_output` is (batch, out).",
        "There is only one way to multiply `grad_output` with the weight, or with x, that gives "
        "the shape you need. The bias was repeated for each row of the batch.",
        "The gradient of x is a product of `grad_output` and the weight; that of the weight is a "
        "product of `grad_output`, transposed, and x; that of the bias is a sum over the batch. "
        "Ask `ctx.needs_input_grad` before each of the three; for a missing bias it says False.",
    ),
    remarks=(
        Remark(
            "unneeded",
            "Your backward also computes gradients that are not needed; the engine throws them "
            "away. `ctx.needs_input_grad` would save that work.",
            noted("unneeded"),
        ),
        Remark(
            "unsummed",
            "Your gradient of the bias had one axis too many, and the engine summed over it for "
            "you. PyTorch does the same; other engines raise an error.",
            noted("unsummed"),
        ),
    ),
    variants=(
        Variant("all gradients computed, bias left unsummed", functions.LinearThatComputesAll),
        Variant("setup_context and torch-style methods", functions.LinearWithSetupContext),
    ),
    place=8,
)
