"""`leaf-missing-grad`: an initialiser whose weight never gets a gradient."""

from __future__ import annotations

from collections.abc import Sequence

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.judging.closeness import number_of
from graders.judging.diagnosis import Deviation

ALL_THE_SAME = "All numbers in the weight are the same, where each is to be drawn for itself."


def make_weight(n):
    """Return n small random numbers, ready to be trained."""
    return (torch.randn(n) * 0.1).requires_grad_()


def _weight_without_recording(n):
    w = torch.randn(n, requires_grad=True)
    with torch.no_grad():
        w *= 0.1
    return w


def _weight_detached(n):
    w = torch.randn(n, requires_grad=True) * 0.1
    w = w.detach()
    w.requires_grad = True
    print(w.is_leaf, w.requires_grad)
    return w


def _weight_from_data(n: int) -> torch.Tensor:
    numbers = [torch.randn(()).item() * 0.1 for _ in range(n)]
    return torch.tensor(numbers, requires_grad=True)


def _left_as_a_result(n):
    w = torch.randn(n, requires_grad=True)
    w = w * 0.1
    w.requires_grad_()
    return w


def _retaining(n):
    w = torch.randn(n, requires_grad=True) * 0.1
    w.retain_grad()
    return w


def _detached_only(n):
    return (torch.randn(n, requires_grad=True) * 0.1).detach()


def _scaled_in_place(n):
    w = torch.randn(n, requires_grad=True)
    w *= 0.1
    return w


def _without_scale(n):
    return torch.randn(n, requires_grad=True)


def _shifted_for_scaled(n):
    return torch.normal(0.1, 1.0, (n,)).requires_grad_()


def _scaled_twice(n):
    return (torch.randn(n) * 0.1 * 0.1).requires_grad_()


def _uniform(n):
    return (torch.rand(n) * 0.1).requires_grad_()


def _uniform_around_zero(n):
    return (torch.rand(n) * 2 - 1).mul(0.1 * 3**0.5).requires_grad_()


def _cut_off(n):
    return torch.randn(n).clamp(-0.1, 0.1).requires_grad_()


def _constant(n):
    return torch.full((n,), 0.1, requires_grad=True)


def _all_the_same(deviations: Sequence[Deviation]) -> str:
    found = {each.record: number_of(each.observed) for each in deviations}
    spread = found.get("spread of the numbers to two decimals")
    # Where all are equal but for rounding, none or all of them are that close to their mean.
    share = found.get("share of the numbers closer to their mean than the spread")
    return ALL_THE_SAME if spread == 0 and share in (0, 1) else ""


def train_weight(make, lab):
    """Is the weight what an optimiser needs, and does a gradient arrive at it?"""
    torch = lab.torch
    w = make(lab.value("n"))
    is_tensor = issubclass(type(w), torch.Tensor)
    lab.record_kind(w, "a tensor", is_tensor)
    if not is_tensor:
        return
    lab.record("shape of the weight", str(tuple(w.shape)))
    lab.record("the weight is a leaf", w.is_leaf)
    lab.record("the weight requires grad", w.requires_grad)
    loss = (w * lab.tensor("x")).sum()
    lab.outcome("backward of a loss", loss.backward)
    lab.record("gradient of the weight", w.grad)


def measure_weight(make, lab):
    """How are the numbers in the weight spread?"""
    small, n = make(3), lab.value("n")
    # Whoever makes a matrix of it has not the memory for a large one.
    fits = issubclass(type(small), lab.torch.Tensor) and list(small.shape) == [3]
    lab.record("a weight of three numbers has the shape (3,)", fits)
    if not fits:
        return
    w, other = make(n), make(n)
    values, others = w.detach().numpy(), other.detach().numpy()
    lab.record("shape of the weight", str(values.shape))
    if values.shape != (n,):
        return
    lab.record("spread of the numbers to two decimals", round(float(values.std()), 2))
    lab.record("mean of the numbers to two decimals", round(float(values.mean()), 2) + 0.0)
    near = abs(values - values.mean()) < values.std()
    lab.record("share of the numbers closer to their mean than the spread", round(near.mean(), 1))
    repeated = values.shape == others.shape and bool((values == others).all())
    lab.record("two weights hold the same numbers", repeated)


def _training(rng):
    n = int(rng.integers(4, 7))
    return {"n": n, "x": rng.uniform(0.5, 2.5, n).round(2).astype("float32")}


EXERCISE = Exercise(
    id="leaf-missing-grad",
    lesson="02_leaf_nodes",
    section="The weight that never learns",
    title="Repair the weight that never learns",
    symbol="make_weight",
    kind="repair",
    points=4,
    difficulty=2,
    minutes=6,
    task=(
        "`make_weight(n)` should return a new weight: `n` random numbers from a normal "
        "distribution, scaled by 0.1, which an optimiser can train. It runs, but after backward "
        "there is never a gradient in the weight. Repair it."
    ),
    starter='''\
def make_weight(n):
    """A weight of n small random numbers, ready to be trained."""
    w = torch.randn(n, requires_grad=True)
    return 0.1 * w
''',
    reference=make_weight,
    checks=(
        Check(
            "ready to be trained",
            3,
            train_weight,
            _training,
            passes="The weight is a leaf that requires grad, and its gradient arrives.",
            fails="An optimiser cannot train this weight.",
        ),
        Check(
            "small random numbers",
            1,
            measure_weight,
            lambda rng: {"n": 10_000},
            passes="The numbers are random and as small as they should be.",
            fails="The numbers in the weight are not as they should be.",
            after=("ready to be trained",),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "left-as-a-result",
            "Your weight is still the result of a recorded operation. What you return is not the "
            "leaf that was made to be trained, but something computed from it.",
            _left_as_a_result,
        ),
        Misconception(
            "retain-grad-as-the-cure",
            "With `retain_grad` your weight keeps its gradient, but it is still not a leaf. Every "
            "backward goes on through the operation that made it, and after the first training "
            "step that part of the graph has been freed.",
            _retaining,
        ),
        Misconception(
            "detached-without-requires-grad",
            "Your weight is a leaf, but it does not require grad. A tensor that was detached, or "
            "computed without recording, does not require grad until you ask for it.",
            _detached_only,
        ),
        Misconception(
            "scaled-in-place-while-recording",
            "You change the leaf in place while operations are recorded. That is refused: the leaf "
            "would become the result of an operation on itself.",
            _scaled_in_place,
        ),
        Misconception(
            "scale-lost",
            "Your weight can be trained, but its numbers are ten times too large. The scale must "
            "not get lost.",
            _without_scale,
        ),
        Misconception(
            "shifted-for-scaled",
            "Your numbers are as far apart as without a scale, and lie around one tenth. The tenth "
            "is to be their spread, and they should lie around zero.",
            _shifted_for_scaled,
        ),
        Misconception(
            "scaled-twice",
            "Your weight can be trained, but its numbers are ten times too small, as if the scale "
            "had been applied twice.",
            _scaled_twice,
        ),
        Misconception(
            "uniform-for-normal",
            "Your numbers come from a uniform distribution, so none of them is negative. The "
            "weight should come from a normal distribution around zero.",
            _uniform,
        ),
        Misconception(
            "uniform-around-zero",
            "Your numbers are spread evenly between two bounds, as in a uniform distribution. A "
            "normal distribution has more numbers near zero, and a few large ones.",
            _uniform_around_zero,
        ),
        Misconception(
            "cut-off-for-scaled",
            "Your numbers are cut off at one tenth, so that most of them are one tenth or minus "
            "one tenth. Scaling makes all of them smaller, and keeps their proportions.",
            _cut_off,
        ),
        Misconception(
            "the-same-number-everywhere",
            "All numbers in your weight are the same, in every weight you make. They should be "
            "random, so that different parts can learn different things.",
            _constant,
        ),
    ),
    hints=(
        "Print `is_leaf` of what you return. Which operation came last, and was it recorded?",
        "Two things are needed: a leaf, and that it requires grad. Whether you get a leaf depends "
        "on the order in which you scale and ask for gradients.",
        "Do everything with the numbers while nothing is recorded, because nothing requires grad "
        "yet. Ask for gradients only when the numbers are final.",
    ),
    variants=(
        Variant("scaled in place under no_grad", _weight_without_recording),
        Variant("detached and asked again, with a print", _weight_detached),
        Variant("made from a list of numbers", _weight_from_data),
    ),
    suspicion=_all_the_same,
    place=3,
)
