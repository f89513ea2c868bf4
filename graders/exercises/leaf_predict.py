"""`leaf-predict`: which of six tensors are leaves?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"a": True, "b": True, "c": False, "d": True, "e": True, "f": True}


EXERCISE = Exercise(
    id="leaf-predict",
    lesson="02_leaf_nodes",
    section="Predict: which of these are leaves?",
    title="Six tensors: which are leaves?",
    symbol="is_leaf",
    kind="predict",
    points=3,
    difficulty=1,
    minutes=3,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "a = torch.tensor(2.0)\n"
        "b = torch.tensor(3.0, requires_grad=True)\n"
        "c = b * 2\n"
        "d = c.detach()\n"
        "e = a * 3\n"
        "with torch.no_grad():\n"
        "    f = b * 2\n"
        "```\n\n"
        "For each tensor write `True` if it is a leaf and `False` if it is not."
    ),
    starter="""\
is_leaf = {
    "a": None,
    "b": None,
    "c": None,
    "d": None,
    "e": None,
    "f": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "made from data",
            1,
            scenarios.entries,
            keys("a", "b"),
            passes="Your answers for a and b are right.",
            fails="At least one of your answers for a and b is wrong.",
        ),
        Check(
            "made by an operation",
            1,
            scenarios.entries,
            keys("c", "e"),
            passes="Your answers for c and e are right.",
            fails="At least one of your answers for c and e is wrong.",
        ),
        Check(
            "made without history",
            1,
            scenarios.entries,
            keys("d", "f"),
            passes="Your answers for d and f are right.",
            fails="At least one of your answers for d and f is wrong.",
        ),
    ),
    misconceptions=(
        Misconception(
            "leaf-means-requires-grad",
            "You took being a leaf to mean requiring grad. These are two questions: which tensors "
            "need a gradient, and where the recorded graph starts.",
            {"a": False, "b": True, "c": False, "d": False, "e": False, "f": False},
        ),
        Misconception(
            "leaf-means-made-by-the-user",
            "You took a leaf to be a tensor that was created from data. What counts is whether the "
            "operation that made a tensor was recorded.",
            {"a": True, "b": True, "c": False, "d": False, "e": False, "f": False},
        ),
        Misconception(
            "leaf-means-end-of-graph",
            "You looked for leaves at the end of the computation, like the leaves of a tree. "
            "Autograd's graph starts at its leaves, and the result is the root.",
            {"a": False, "b": False, "c": True, "d": False, "e": False, "f": False},
        ),
        Misconception(
            "ends-of-all-paths-are-leaves",
            "You expect the tensors with which the computation begins not to be leaves. Leaves are "
            "not where a computation ends but where its recording starts.",
            {"a": False, "b": False, "c": False, "d": True, "e": True, "f": True},
        ),
        Misconception(
            "detach-keeps-history",
            "You expect a detached tensor to keep its history. Leaving that behind is what "
            "`detach` is for.",
            TRUTH | {"d": False},
        ),
        Misconception(
            "no-grad-keeps-history",
            "You expect an operation under `no_grad` to be recorded all the same. Under `no_grad` "
            "nothing is recorded.",
            TRUTH | {"f": False},
        ),
        Misconception(
            "operations-always-make-non-leaves",
            "You expect every result of an operation to be a non-leaf. An operation is recorded "
            "only if one of its inputs requires grad.",
            TRUTH | {"e": False},
        ),
        Misconception(
            "plain-tensors-are-no-leaves",
            "You expect a tensor that does not require grad not to be a leaf. `is_leaf` is defined "
            "for every tensor, and asks only whether a recorded operation made it.",
            TRUTH | {"a": False, "e": False},
        ),
        Misconception(
            "requires-grad-means-no-leaf",
            "You expect a tensor that requires grad not to be a leaf. What counts is whether a "
            "recorded operation made it: a gradient arrives at where the graph starts, too.",
            TRUTH | {"b": False},
        ),
        Misconception(
            "everything-is-a-leaf",
            "You called something a leaf that is not one. At least one of these tensors was made "
            "by an operation that was recorded.",
            dict.fromkeys(TRUTH, True),
        ),
        Misconception(
            "nothing-is-a-leaf",
            "You called nothing a leaf. A graph has to start somewhere, and tensors outside any "
            "graph have no history either.",
            dict.fromkeys(TRUTH, False),
            whole=True,
        ),
    ),
    variants=(
        Variant("zeros and ones", {key: int(leaf) for key, leaf in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I looked at grad_fn"}),
    ),
    hints=(
        "Ask of each tensor: was the operation that made it recorded?",
        "An operation is recorded when one of its inputs requires grad and recording is switched "
        "on. A tensor without a recorded operation behind it is a leaf.",
        "Go through the six lines and note for each one whether an input requires grad, whether "
        "recording is on, and whether the history is cut off. Only a result that is recorded and "
        "not cut off is a non-leaf.",
    ),
    place=1,
)
