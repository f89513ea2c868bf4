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
        "You expect a gradient to be computed only where it is kept. But the path to `x` leads "
        "through `h`, so backward needs the gradient of `h` in any case.",
    ),
    Statement(
        "b",
        "retaining-makes-a-leaf",
        "After `h.retain_grad()`, `h` is a leaf.",
        False,
        "You expect `retain_grad` to turn a result into a leaf. It changes what is kept, not how "
        "the tensor was computed.",
    ),
    Statement(
        "c",
        "retain-graph-keeps-gradients",
        "`z.backward(retain_graph=True)` makes `h` keep its gradient too.",
        False,
        "You confuse `retain_graph` with `retain_grad`. The first keeps what another backward "
        "pass would need, the second keeps the gradient of one tensor.",
    ),
    Statement(
        "d",
        "asking-afterwards-helps",
        "Called after `z.backward()`, `h.retain_grad()` fills in the gradient that has passed.",
        False,
        "You expect a gradient that has passed to be found again. It was dropped once it had been "
        "used; only a later backward pass brings another one.",
    ),
    Statement(
        "e",
        "the-end-asks-for-all",
        "`z.retain_grad()` is enough: the results below `z` then keep their gradients too.",
        False,
        "You expect one tensor to ask for those below it too. Each result has to be asked "
        "separately.",
    ),
    Statement(
        "f",
        "flag-of-a-leaf",
        "After `x.retain_grad()`, `x.retains_grad` is still False.",
        True,
        "You expect the flag to be set on every tensor that is asked. It marks results that keep "
        "their gradient on request; a leaf keeps its own anyway, so the request changes nothing.",
    ),
    Statement(
        "g",
        "second-walk-replaces",
        "After `h.retain_grad()` and two backward passes through one graph, `h.grad` holds only "
        "the gradient of the second pass.",
        False,
        "You expect the second pass to overwrite the gradient of the first. Kept gradients add "
        "up, in results as in leaves.",
    ),
    Statement(
        "h",
        "asked-once-for-ever",
        "When `h = 3 * x` is run again, `h.retain_grad()` has to be called again.",
        True,
        "You expect the request to belong to the name `h`. It belongs to a tensor, and each "
        "forward pass makes a new tensor.",
    ),
    Statement(
        "i",
        "grad-needs-retaining",
        "`torch.autograd.grad(z, h)` needs no `h.retain_grad()`.",
        True,
        "You expect `torch.autograd.grad` to read a gradient that was kept. It runs backward "
        "itself and returns what arrives, so nothing has to be kept.",
    ),
    Statement(
        "j",
        "grad-fills-leaves",
        "`torch.autograd.grad(z, x)` also adds its result to `x.grad`.",
        False,
        "You take `torch.autograd.grad` for a `backward` that also returns something. It only "
        "returns the gradient, and `grad` of the leaves stays as it is.",
    ),
    Statement(
        "k",
        "hook-result-is-ignored",
        "If a hook on `h` returns a tensor, `x` gets its gradient computed from that tensor.",
        True,
        "You expect a hook only to watch. If it returns a tensor, that replaces the gradient for "
        "everything below.",
    ),
    Statement(
        "l",
        "none-stops-the-gradient",
        "If a hook on `h` returns nothing, no gradient arrives at `x`.",
        False,
        "You expect a hook that returns nothing to stop the gradient. In that case the gradient "
        "is passed on as it arrived.",
    ),
    Statement(
        "m",
        "last-hook-runs-first",
        "Of two hooks on `h`, the one that was registered first runs first.",
        True,
        "You expect the last hook to run first, because backward goes from the end to the start. "
        "Hooks run in the order in which they were registered.",
    ),
    Statement(
        "n",
        "retained-before-hooks",
        "`h.retain_grad()`, then a hook that doubles: `h.grad` holds the number before doubling.",
        False,
        "You expect the order of the two lines to decide. A tensor keeps its gradient only after "
        "all its hooks have run.",
    ),
)

TRUTH = truth(STATEMENTS)

EXERCISE = Exercise(
    id="retain-verdicts",
    lesson="05_retain_grad",
    section="Three ways to a gradient",
    title="True or false: gradients that are kept",
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
        theme("in time", "when a tensor has to be asked", "dh"),
        theme("twice", "what backward passes leave behind", "cg"),
        theme("autograd.grad", "`torch.autograd.grad`", "ij"),
        theme("hooks", "hooks", "klmn"),
    ),
    misconceptions=misconceptions(STATEMENTS),
    hints=(
        "Keep three questions apart: is the gradient computed, is it kept, and is the graph kept?",
        "Follow one gradient on its way: it arrives at `h`, the hooks run one after the other, "
        "then it is kept or not, and then it is passed on.",
        "For each statement that you are unsure of, write its three or four lines in a cell of "
        "your own, and print what is in `grad`.",
    ),
    variants=(
        Variant("zeros and ones", {key: int(true) for key, true in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried each of them"}),
    ),
    place=5,
)
