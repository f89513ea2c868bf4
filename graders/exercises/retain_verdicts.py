"""`retain-verdicts`: what is true of gradients that are kept, caught or asked for?"""

from __future__ import annotations

from graders.exercise import Exercise, Variant
from graders.exercises._statements import Statement, listed, misconceptions, starter, theme, truth

STATEMENTS = (
    Statement(
        "a",
        "only-kept-gradients-exist",
        "The gradient of `h` is computed on the way to `x`, whether `h` keeps it or not.",
        True,
        "You expect a gradient to be computed only where it is kept. But the way to `x` leads "
        "through `h`, so backward needs its gradient in any case.",
    ),
    Statement(
        "b",
        "retaining-makes-a-leaf",
        "After `h.retain_grad()`, `h` is a leaf.",
        False,
        "You let `retain_grad` turn a result into a leaf. It changes what is kept, not how the "
        "tensor came to be.",
    ),
    Statement(
        "c",
        "retain-graph-keeps-gradients",
        "`z.backward(retain_graph=True)` makes `h` keep its gradient too.",
        False,
        "You took `retain_graph` for `retain_grad`. The one keeps what another walk would need, "
        "the other what passes one tensor.",
    ),
    Statement(
        "d",
        "asking-afterwards-helps",
        "Called after `z.backward()`, `h.retain_grad()` fills in the gradient that has passed.",
        False,
        "You expect a gradient that has passed to be found again. It was let go when it had been "
        "used; only a later walk brings another one.",
    ),
    Statement(
        "e",
        "the-end-asks-for-all",
        "`z.retain_grad()` is enough: the results below `z` then keep their gradients too.",
        False,
        "You let one tensor speak for those below it. Each result is asked for itself.",
    ),
    Statement(
        "f",
        "flag-of-a-leaf",
        "After `x.retain_grad()`, `x.retains_grad` is still False.",
        True,
        "You expect the flag to tell who holds a gradient. It tells which results were asked to "
        "keep theirs; a leaf does so without being asked, and the request changes nothing.",
    ),
    Statement(
        "g",
        "second-walk-replaces",
        "After `h.retain_grad()` and two walks through one graph, `h.grad` holds the gradient of "
        "the second walk alone.",
        False,
        "You expect the second walk to overwrite the first. What is kept adds up, in results as "
        "in leaves.",
    ),
    Statement(
        "h",
        "asked-once-for-ever",
        "When `h = 3 * x` is run again, the new `h` has to be asked again.",
        True,
        "You expect the request to belong to the name `h`. It belongs to a tensor, and each "
        "forward pass makes a new one.",
    ),
    Statement(
        "i",
        "grad-needs-retaining",
        "`torch.autograd.grad(z, h)` needs no `h.retain_grad()`.",
        True,
        "You expect `torch.autograd.grad` to read what a tensor has kept. It hands over what "
        "arrives, so nothing has to be kept.",
    ),
    Statement(
        "j",
        "grad-fills-leaves",
        "`torch.autograd.grad(z, x)` also adds its result to `x.grad`.",
        False,
        "You took `torch.autograd.grad` for a backward that also returns something. It returns "
        "the gradient and leaves the leaves as they are.",
    ),
    Statement(
        "k",
        "hook-result-is-ignored",
        "If a hook on `h` returns a tensor, `x` gets its gradient computed from that tensor.",
        True,
        "You expect a hook only to look on. What it returns takes the place of the gradient, for "
        "everything below.",
    ),
    Statement(
        "l",
        "none-stops-the-gradient",
        "If a hook on `h` returns nothing, no gradient arrives at `x`.",
        False,
        "You take a hook without a result for one that stops the gradient. Without a result the "
        "gradient goes on as it came.",
    ),
    Statement(
        "m",
        "last-hook-runs-first",
        "Of two hooks on `h`, the one that was registered first runs first.",
        True,
        "You expect hooks to run from the last to the first, as backward walks. They run in the "
        "order in which they were registered.",
    ),
    Statement(
        "n",
        "retained-before-hooks",
        "`h.retain_grad()`, then a hook that doubles: `h.grad` holds the number before doubling.",
        False,
        "You let the order of the lines decide. A tensor keeps its gradient after all its hooks "
        "have had their say.",
    ),
)

TRUTH = truth(STATEMENTS)

EXERCISE = Exercise(
    id="retain-verdicts",
    lesson="05_retain_grad",
    section="Three ways to a gradient",
    title="True of gradients that stay?",
    symbol="verdicts",
    kind="explain",
    points=5,
    difficulty=2,
    minutes=7,
    task=(
        "In all of these statements `x` is a leaf that requires grad, `h = 3 * x` and "
        "`z = h * h`. Write `True` or `False` for each. Points are given for each group of related "
        "statements, when all in it are right.\n\n" + listed(STATEMENTS)
    ),
    starter=starter(STATEMENTS),
    reference=TRUTH,
    checks=(
        theme("keeping", "what `retain_grad` does", "abef"),
        theme("in time", "when a tensor is to be asked", "dh"),
        theme("twice", "walks and what they leave behind", "cg"),
        theme("autograd.grad", "`torch.autograd.grad`", "ij"),
        theme("hooks", "hooks", "klmn"),
    ),
    misconceptions=misconceptions(STATEMENTS),
    hints=(
        "Keep three questions apart: is the gradient computed, is it kept, and is the graph kept?",
        "Follow one gradient on its way: it arrives at `h`, the hooks have their say one after the "
        "other, then it is kept or not, and then it goes on.",
        "For each statement that you are unsure of, write its three or four lines in a cell of "
        "your own, and print what is in `grad`.",
    ),
    variants=(
        Variant("zeros and ones", {key: int(true) for key, true in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried each of them"}),
    ),
    place=5,
)
