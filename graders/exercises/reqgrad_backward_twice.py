"""`reqgrad-backward-twice`: what two backward walks leave in a leaf."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import AN_ERROR, keys
from graders.observe import scenarios

EXERCISE = Exercise(
    id="reqgrad-backward-twice",
    lesson="03_requires_grad",
    section="Backward twice",
    title="Two walks over one graph",
    symbol="grad",
    kind="predict",
    points=2,
    difficulty=2,
    minutes=2,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "x = torch.tensor(3.0, requires_grad=True)\n"
        "h = 2 * x\n"
        "y = h**2\n"
        "y.backward(retain_graph=True)\n"
        "y.backward()\n"
        "```\n\n"
        "What is `x.grad` at the end? Replace the `...` by the number, or by the text "
        '`"error"` if you expect the program to stop with one.'
    ),
    starter="grad = ...\n",
    reference=48.0,
    checks=(
        Check(
            "the gradient after two walks",
            1,
            scenarios.value,
            keys(error=AN_ERROR),
            passes="That is what two walks leave in `x.grad`.",
            fails="That is not what two walks leave in `x.grad`.",
        ),
    ),
    misconceptions=(
        Misconception(
            "overwrites",
            "That is what a single walk brings. The second one does not overwrite it: backward "
            "accumulates in `.grad`.",
            24.0,
        ),
        Misconception(
            "intermediates-persist",
            "You let the gradient that the first walk sent through `h` count again in the second. "
            "Only leaves accumulate; what passes through an intermediate result is not kept.",
            72.0,
        ),
        Misconception(
            "always-an-error",
            "You expect a second walk to be an error in any case. It is one when the graph's "
            "saved tensors have been freed; look at what the first call asks for.",
            "error",
        ),
        Misconception(
            "inner-slope-forgotten",
            "You have the slope of the square, but on the way from `h` to `x` the chain rule has "
            "one more factor. And there are two walks.",
            12.0,
        ),
        Misconception(
            "value-for-gradient",
            "That is the value of `y`. The question is how fast `y` changes with `x`.",
            36.0,
        ),
        Misconception(
            "second-derivative",
            "You took the second walk for a second derivative. It walks over the same graph "
            "once more and finds the same first derivative.",
            8.0,
        ),
        Misconception(
            "gradients-multiply",
            "You multiply what the second walk brings by what is there already. Gradients of one "
            "leaf are combined in another way.",
            576.0,
        ),
        Misconception(
            "nothing-without-a-clean-start",
            "You expect no gradient to be left. The first walk has stored one in `.grad`, and "
            "nothing in the program clears it.",
            0.0,
        ),
    ),
    variants=(
        Variant("a whole number", 48),
        Variant("rounded somewhere", 48.0001),
        Variant("with a sign", +48.0),
        Variant("computed", 2 * 2 * 2 * 3 * 2.0),
    ),
    hints=(
        "First work out what a single walk brings. Write y as a function of x alone.",
        "By the chain rule one walk brings the slope of the square at h, times the slope of h. "
        "The second walk finds the same numbers saved in the graph.",
        "What remains is what a leaf does with a gradient when it has one already. Think of why "
        "training loops clear gradients before every step.",
    ),
    place=5,
)
