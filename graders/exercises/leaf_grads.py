"""`leaf-grads`: which tensors hold a gradient after backward?"""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import keys
from graders.observe import scenarios

TRUTH = {"a": True, "b": False, "c": False, "d": False, "p": False, "q": True, "z": False}


def _only(*keys: str) -> dict[str, bool]:
    return {key: key in keys for key in TRUTH}


EXERCISE = Exercise(
    id="leaf-grads",
    lesson="02_leaf_nodes",
    section="Where gradients end up",
    title="Who holds a gradient?",
    symbol="has_grad",
    kind="predict",
    points=3,
    difficulty=2,
    minutes=4,
    task=(
        "Before you run it, read this program:\n\n"
        "```python\n"
        "a = torch.tensor(1.0, requires_grad=True)\n"
        "b = torch.tensor(2.0, requires_grad=True)\n"
        "c = torch.tensor(3.0)\n"
        "d = torch.tensor(4.0, requires_grad=True)\n"
        "p = a * c\n"
        "q = p + (b * 5).detach()\n"
        "q.retain_grad()\n"
        "z = q * q\n"
        "z.backward()\n"
        "```\n\n"
        "For each tensor write `True` if its `.grad` is a tensor afterwards, and `False` if it is "
        "`None`."
    ),
    starter="""\
has_grad = {
    "a": None,
    "b": None,
    "c": None,
    "d": None,
    "p": None,
    "q": None,
    "z": None,
}
""",
    reference=TRUTH,
    checks=(
        Check(
            "leaves on the way",
            1,
            scenarios.entries,
            keys("a", "c"),
            passes="Your answers for a and c are right.",
            fails="At least one of your answers for a and c is wrong.",
        ),
        Check(
            "leaves off the way",
            1,
            scenarios.entries,
            keys("b", "d"),
            passes="Your answers for b and d are right.",
            fails="At least one of your answers for b and d is wrong.",
        ),
        Check(
            "results",
            1,
            scenarios.entries,
            keys("p", "q", "z"),
            passes="Your answers for p, q and z are right.",
            fails="At least one of your answers for p, q and z is wrong.",
        ),
    ),
    misconceptions=(
        Misconception(
            "everything-has-one",
            "You gave a gradient to every tensor. Ask of each one whether backward reaches it, and "
            "whether what arrives there is kept.",
            dict.fromkeys(TRUTH, True),
            whole=True,
        ),
        Misconception(
            "whatever-requires-grad-has-one",
            "You took `requires_grad` to mean that there is a gradient in `.grad`. It means that a "
            "gradient may pass; whether one arrives, and whether it is kept, are other questions.",
            _only("a", "b", "d", "p", "q", "z"),
        ),
        Misconception(
            "every-leaf-has-one",
            "You gave a gradient to all leaves. A leaf gets one only if it requires grad and "
            "backward reaches it.",
            _only("a", "b", "c", "d"),
        ),
        Misconception(
            "every-leaf-that-asks-has-one",
            "You gave a gradient to each leaf that requires grad. That is not enough: there has to "
            "be a recorded path from the result to the leaf.",
            _only("a", "b", "d"),
        ),
        Misconception(
            "detach-lets-gradients-through",
            "You expect a gradient to pass through `detach`. The path is cut there, and backward "
            "does not reach what lies behind it.",
            TRUTH | {"b": True},
        ),
        Misconception(
            "unused-means-zero",
            "You expect a gradient in a leaf that was never used. Mathematically it would be zero, "
            "but backward does not reach this leaf and stores nothing in it.",
            TRUTH | {"d": True},
        ),
        Misconception(
            "constants-have-one",
            "You expect a gradient in a tensor that does not require grad. Backward computes none "
            "for it, although it was used.",
            TRUTH | {"c": True},
        ),
        Misconception(
            "only-leaves-ever",
            "You expect `q` to keep no gradient because it is not a leaf. That is the default, but "
            "a tensor can be asked to retain its own.",
            TRUTH | {"q": False},
        ),
        Misconception(
            "kept-gradients-go-no-further",
            "You expect nothing to arrive at `a`, perhaps because `q` retains its gradient. What "
            "`q` keeps is a copy; the gradient itself is passed on.",
            TRUTH | {"a": False},
        ),
        Misconception(
            "results-keep-theirs",
            "You expect intermediate results to keep the gradient that passes through them. By "
            "default it is passed on and not kept.",
            TRUTH | {"p": True},
        ),
        Misconception(
            "everything-turned-round",
            "Each of your answers is the opposite of what happens, so you can tell the tensors "
            "apart. Check whether you have swapped `True` and `False`.",
            _only("b", "c", "d", "p", "z"),
        ),
        Misconception(
            "the-end-has-one",
            "You expect the tensor on which `backward` was called to hold a gradient. Backward "
            "starts there with the number one, and does not keep that either.",
            TRUTH | {"z": True},
        ),
    ),
    variants=(
        Variant("zeros and ones", {key: int(has) for key, has in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I drew the graph"}),
    ),
    hints=(
        "Draw the graph from z backwards. What does backward meet on its way?",
        "Go through the tensors that it meets: which of them are leaves that require grad, and "
        "which have been asked to keep what passes?",
        "Three things keep `.grad` at `None`: no recorded path leads to the tensor, it does not "
        "require grad, or it is not a leaf and was not asked to retain its gradient. Look for each "
        "of them.",
    ),
    place=2,
)
