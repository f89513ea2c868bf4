"""`fn-predict`: what arrives in backward, who needs a gradient, and whom the engine believes."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {
    "grad_output": 4.0,
    "x_grad": 41.0,
    "needs_x": True,
    "needs_w": False,
    "needs_k": False,
    "w_gets_a_gradient": False,
}


EXERCISE = Exercise(
    id="fn-predict",
    lesson="07_custom_functions",
    section="What the engine asks, and what it believes",
    title="What does this odd Function do?",
    symbol="predictions",
    kind="predict",
    points=4,
    difficulty=2,
    minutes=4,
    task=(
        "Read this program without running it. Its backward is odd on purpose.\n\n"
        "```python\n"
        "class Odd(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x, w, k):\n"
        "        return k * x * w\n"
        "\n"
        "    @staticmethod\n"
        "    def backward(ctx, grad_output):\n"
        "        return 10 * grad_output, 100 * grad_output, None\n"
        "\n"
        "x = torch.tensor(3.0, requires_grad=True)\n"
        "w = torch.tensor(7.0)\n"
        "y = Odd.apply(x, w, 2)\n"
        "z = 4 * y + x\n"
        "z.backward()\n"
        "```\n\n"
        "Write down the value of `grad_output`, the value of `x.grad`, the three entries of "
        "`ctx.needs_input_grad` (`True` or `False`), and whether `w.grad` holds a gradient "
        "afterwards."
    ),
    starter="""\
predictions = {
    "grad_output": None,
    "x_grad": None,
    "needs_x": None,
    "needs_w": None,
    "needs_k": None,
    "w_gets_a_gradient": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "what arrives",
            1,
            scenarios.entries,
            keys("grad_output"),
            passes="Your value of `grad_output` is right.",
            fails="Your value of `grad_output` is not right.",
        ),
        Check(
            "the gradient of x",
            2,
            scenarios.entries,
            keys("x_grad"),
            passes="Your value of `x.grad` is right.",
            fails="Your value of `x.grad` is not right.",
        ),
        Check(
            "who needs a gradient",
            1,
            scenarios.entries,
            keys("needs_x", "needs_w", "needs_k"),
            passes="All three entries of `needs_input_grad` are right.",
            fails="Not all three entries of `needs_input_grad` are right.",
        ),
        Check(
            "the gradient of w",
            1,
            scenarios.entries,
            keys("w_gets_a_gradient"),
            passes="Your answer for `w.grad` is right.",
            fails="Your answer for `w.grad` is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "engine-checks-backward",
            "You differentiated forward. The engine never does that: it uses what backward "
            "returns, whether it makes sense or not.",
            TRUTH | {"x_grad": 57.0},
        ),
        Misconception(
            "grad-output-is-one",
            "You expect `grad_output` to be one. That is so only at the very end of the graph, "
            "and here something is computed from the output first.",
            TRUTH | {"grad_output": 1.0, "x_grad": 11.0},
        ),
        Misconception(
            "grad-output-is-one-on-one-way",
            "You expect `grad_output` to be one, and followed only the path through the Function. "
            "Something is computed from the output first, and another path starts at x.",
            TRUTH | {"grad_output": 1.0, "x_grad": 10.0},
        ),
        Misconception(
            "grad-output-is-the-output",
            "You took `grad_output` for the value of the output. It is the gradient of the final "
            "result with respect to the output.",
            TRUTH | {"grad_output": 42.0, "x_grad": 421.0},
        ),
        Misconception(
            "grad-output-is-the-result",
            "You took `grad_output` for the value of the final result. It says how much that "
            "result changes when the output of the Function does.",
            TRUTH | {"grad_output": 171.0, "x_grad": 1711.0},
        ),
        Misconception(
            "backward-ignores-what-arrives",
            "You took the factor in backward for the gradient itself. It is multiplied by what "
            "arrives.",
            TRUTH | {"x_grad": 11.0},
        ),
        Misconception(
            "factor-alone",
            "For `x.grad` you gave the factor in backward. It is multiplied by what arrives, and "
            "there is a second path from x to the result.",
            TRUTH | {"x_grad": 10.0},
        ),
        Misconception(
            "engine-checks-one-way",
            "You differentiated forward, and followed only the path through the Function. The "
            "engine uses what backward returns, and adds what comes back along the other path.",
            TRUTH | {"x_grad": 56.0},
        ),
        Misconception(
            "one-way-only",
            "You counted only the path through the Function. There is another path from x to the "
            "result, and what comes back along both is added.",
            TRUTH | {"x_grad": 40.0},
        ),
        Misconception(
            "last-way-wins",
            "You counted only the direct path from x to the result. What comes back along the "
            "other path is added to it.",
            TRUTH | {"x_grad": 1.0},
        ),
        Misconception(
            "tensors-always-need-gradients",
            "You expect every tensor to need a gradient, and to get what backward returns for it. "
            "Only tensors that require grad do.",
            TRUTH | {"needs_w": True, "w_gets_a_gradient": True},
        ),
        Misconception(
            "every-tensor-needs-one",
            "You expect every tensor among the arguments to need a gradient. Only those that "
            "require grad when the Function is applied need one.",
            TRUTH | {"needs_w": True},
        ),
        Misconception(
            "what-is-returned-is-kept",
            "You expect `w` to get a gradient because backward returns one. A gradient that is "
            "not needed is thrown away.",
            TRUTH | {"w_gets_a_gradient": True},
        ),
        Misconception(
            "a-number-needs-one",
            "You expect a plain number to need a gradient. Only a tensor that requires grad can.",
            TRUTH | {"needs_k": True},
        ),
        Misconception(
            "numbers-need-gradients",
            "You expect every argument to need a gradient. A plain number can never have one, and "
            "a tensor has one only if it requires grad.",
            TRUTH | {"needs_w": True, "needs_k": True, "w_gets_a_gradient": True},
        ),
    ),
    hints=(
        "Draw the graph: there are two paths from x to z. Start at z and go back.",
        "`grad_output` is the slope of z with respect to y, and y is multiplied by something "
        "before it becomes part of z. Then use what backward returns, however odd it is.",
        "Multiply what arrives by the first factor in backward, and add what comes along the "
        "direct path. For the other answers ask of each argument: is it a tensor, and does it "
        "require grad?",
    ),
    variants=(
        Variant("whole numbers, zeros and ones", {key: int(value) for key, value in TRUTH.items()}),
        Variant("a key more", {**TRUTH, "note": "x goes two ways"}),
    ),
    place=4,
)
