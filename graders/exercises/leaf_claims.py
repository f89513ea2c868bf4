"""`leaf-claims`: what is true of what is said about leaves?"""

from __future__ import annotations

from graders.exercise import Exercise, Variant
from graders.exercises._statements import Statement, listed, misconceptions, starter, theme, truth

STATEMENTS = (
    Statement(
        "a",
        "not-recorded-without-need",
        "An operation is recorded only if one of its inputs requires grad.",
        True,
        "You expect every operation to be recorded. Recording costs memory, so it happens only "
        "where a gradient may be needed later.",
    ),
    Statement(
        "b",
        "leaf-4",
        "Once `y = x + x` has been computed, `x` is not a leaf any more.",
        False,
        "Claim leaf-4: you expect a tensor to stop being a leaf because something was computed "
        "from it. Being a leaf is about how a tensor came to be, not about what is done with it "
        "later.",
    ),
    Statement(
        "c",
        "leaf-9",
        "`t.grad is None` tells you that `t` is a leaf.",
        False,
        "Claim leaf-9: you take `.grad` to tell leaves from other tensors. It tells only whether a "
        "gradient has been stored; a leaf may have one or not, and so may any other tensor.",
    ),
    Statement(
        "d",
        "leaf-11",
        "`t.detach()` is a leaf that does not require grad, whatever `t` is.",
        True,
        "Leaf-11, which the document leaves out: you expect a detached tensor to keep something of "
        "the history of its source. It starts without any history.",
    ),
    Statement(
        "e",
        "leaf-1",
        "`is_leaf` is a method, so you write `x.is_leaf()`.",
        False,
        "Claim leaf-1: you take `is_leaf` for a method. It is an attribute that you read; its "
        "value is `True` or `False`, and that cannot be called.",
    ),
    Statement(
        "f",
        "leaf-2",
        "For `x = torch.tensor(2)` and `y = x + 3`, `y` is not a leaf: an operation made it.",
        False,
        "Claim leaf-2: you expect every operation to be recorded. Nothing here requires grad, so "
        "there is no history that `y` could have.",
    ),
    Statement(
        "g",
        "gradients-arrive-at-leaves",
        "After `z.backward()`, each leaf below `z` that requires grad has a gradient in `.grad`.",
        True,
        "You expect backward to leave out some of these leaves. Storing a gradient in each of them "
        "is what it does when it reaches the start of the graph.",
    ),
    Statement(
        "h",
        "leaf-5",
        "The last tensor that is computed from `x` is a leaf: nothing is computed from it.",
        False,
        "Claim leaf-5: you look for leaves at the end of the computation. Autograd's graph starts "
        "at its leaves; its end is the root, where backward begins.",
    ),
    Statement(
        "i",
        "every-tensor-has-is-leaf",
        "Every tensor has `is_leaf`, also one that does not require grad.",
        True,
        "You expect only some tensors to have `is_leaf`. The question makes sense for every "
        "tensor, with or without a history.",
    ),
    Statement(
        "j",
        "leaf-10",
        "To get from a result back to its inputs, you follow an attribute `parent` of the tensors.",
        False,
        "Claim leaf-10: you expect tensors to refer to each other. What leads back are the nodes "
        "of the graph and their edges, and tensors have no such attribute.",
    ),
    Statement(
        "k",
        "leaf-3",
        "`torch.tensor(2, requires_grad=True)` is a leaf that holds the integer 2.",
        False,
        "Claim leaf-3: you expect a tensor of integers to be able to require grad. A derivative "
        "needs small steps, which integers do not have, so this raises an error.",
    ),
    Statement(
        "l",
        "no-grad-means-leaf",
        "If `t.requires_grad` is False, `t` is a leaf.",
        True,
        "You expect that a tensor can be a non-leaf and not require grad. A tensor with a recorded "
        "history always requires grad; otherwise nothing would have been recorded.",
    ),
    Statement(
        "m",
        "leaf-7",
        "Nothing can make a tensor that is not a leaf keep its gradient in `.grad`.",
        False,
        "Claim leaf-7: you took a default for a rule without exceptions. Other tensors do not keep "
        "their gradients unless they are asked to retain them.",
    ),
    Statement(
        "n",
        "edges-lead-to-leaves",
        "Following `grad_fn.next_functions` leads to the leaves that require grad.",
        True,
        "You doubt that `next_functions` leads to the leaves. Backward itself follows these edges, "
        "and they end where gradients are accumulated.",
    ),
    Statement(
        "o",
        "leaf-8",
        "If `t.requires_grad` is True, `t` is a leaf.",
        False,
        "Claim leaf-8: you take every tensor that requires grad for a leaf. Every result through "
        "which a gradient has to pass requires grad too.",
    ),
    Statement(
        "p",
        "leaf-6",
        "Right after `y = x + 3`, and before any backward, `x.grad` is a tensor.",
        False,
        "Claim leaf-6: you expect a gradient to be there as soon as something is computed. "
        "Gradients are computed by backward, not before.",
    ),
)

TRUTH = truth(STATEMENTS)

EXERCISE = Exercise(
    id="leaf-claims",
    lesson="02_leaf_nodes",
    section="What the document says",
    title="True or false?",
    symbol="verdicts",
    kind="explain",
    points=5,
    difficulty=2,
    minutes=7,
    task=(
        "Some of these statements are claims of the document, others are not. Write `True` or "
        "`False` for each. Points are given for each group of related statements, when all in it "
        "are right. In b, h and p, `x` is `torch.tensor(2.0, requires_grad=True)`.\n\n"
        + listed(STATEMENTS)
    ),
    starter=starter(STATEMENTS),
    reference=TRUTH,
    checks=(
        theme("is_leaf", "`is_leaf` itself", "ei"),
        theme("without gradients", "tensors that do not require grad", "afk"),
        theme("start and end", "the ends of the graph and the paths between them", "bhjn"),
        theme("requires_grad", "leaves and `requires_grad`", "dlo"),
        theme("grad", "leaves and `.grad`", "cgmp"),
    ),
    misconceptions=misconceptions(STATEMENTS),
    hints=(
        "Most verdicts follow from one sentence: a leaf is a tensor that was not made by a "
        "recorded operation.",
        "Ask two questions of each tensor and keep them apart: was it made by a recorded "
        "operation, and does it require grad? Neither is about `.grad`.",
        "For each statement that you are unsure of, write its program in a cell of your own, and "
        "print `is_leaf`, `requires_grad` and `grad` of each tensor in it.",
    ),
    variants=(
        Variant("zeros and ones", {key: int(true) for key, true in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I tried each of them"}),
    ),
    place=4,
)
