"""`reqgrad-repair`: a gradient that cannot be computed, because nobody has asked for it in time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import signed
from graders.judging.closeness import number_of
from graders.judging.diagnosis import Deviation

NOT_THE_LOSS = "Begin with the loss, which is not the sum of the squares of the data."


def loss_and_grad(data):
    """Return the sum of the squares of data, and its gradient."""
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return loss.item(), x.grad


def _asked_later(data):
    x = torch.tensor(data).float()
    x.requires_grad = True
    loss = x.pow(2).sum()
    loss.backward()
    print("loss:", loss, "grad:", x.grad)
    return float(loss), x.grad


def _numbers_made_float(data: list[float]) -> tuple[float, torch.Tensor]:
    x = torch.tensor([float(number) for number in data]).requires_grad_()
    loss = torch.sum(x**2)
    (gradient,) = torch.autograd.grad(loss, x)
    return loss.item(), gradient


def _double_precision(values):
    x = torch.from_numpy(np.array(values, dtype=np.float64)).requires_grad_(True)
    loss = torch.dot(x, x)
    loss.backward()
    return loss.detach(), x.grad.clone()


def _retained_on_a_result(data):
    given = torch.tensor([1.0 * each for each in data], requires_grad=True)
    x = given * 1
    x.retain_grad()
    loss = sum(each * each for each in x)
    loss.backward()
    return [loss, x.grad]


def _too_late(data):
    x = torch.tensor(data, dtype=torch.float32)
    loss = (x * x).sum()
    x.requires_grad_()
    loss.backward()
    return loss.item(), x.grad


def _on_the_loss(data):
    x = torch.tensor(data, dtype=torch.float32)
    loss = (x * x).sum()
    loss.requires_grad_()
    loss.backward()
    return loss.item(), x.grad


def _on_the_loss_of_whatever_comes(data):
    x = torch.tensor(data)
    loss = (x * x).sum()
    loss.requires_grad_()
    loss.backward()
    return loss.item(), x.grad


def _on_the_squares(data):
    x = torch.tensor(data, dtype=torch.float32)
    squares = x * x
    squares.requires_grad_()
    loss = squares.sum()
    loss.backward()
    return loss.item(), squares.grad


def _on_whole_numbers(data):
    x = torch.tensor(data, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return loss.item(), x.grad


def _not_the_leaf(data):
    x = torch.tensor(data, dtype=torch.float64, requires_grad=True)
    x = x.float()
    loss = (x * x).sum()
    loss.backward()
    return loss.item(), x.grad


def _swapped(data):
    loss, gradient = _asked_later(data)
    return gradient, loss


def _of_the_loss(data):
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = (x * x).sum()
    loss.retain_grad()
    loss.backward()
    return loss.item(), loss.grad


def _half_of_the_sum(data):
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = (x * x).sum() / 2
    loss.backward()
    return loss.item(), x.grad


def _slope_without_two(data):
    x = torch.tensor(data, dtype=torch.float32)
    return (x * x).sum().item(), x


def _without_squares(data):
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = x.sum()
    loss.backward()
    return loss.item(), x.grad


def _averaged(data):
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = (x * x).mean()
    loss.backward()
    return loss.item(), x.grad


def _walked_twice(data):
    x = torch.tensor(data, dtype=torch.float32, requires_grad=True)
    loss = (x * x).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    return loss.item(), x.grad


def _another_loss(deviations: Sequence[Deviation]) -> str:
    """Suspect the loss where it is farther off than a dtype of few digits would make it.

    What is no number may be something else, returned in its place.
    """
    wrong = [each for each in deviations if each.subject == "loss"]
    pairs = [(number_of(each.observed), each.expected) for each in wrong]
    numbers = [(loss, expected) for loss, expected in pairs if loss is not None]
    far = any(abs(loss - expected) > 0.02 * expected for loss, expected in numbers)
    return NOT_THE_LOSS if far and len(numbers) == len(pairs) else ""


def call_with_lists(loss_and_grad, lab):
    """Call it with lists of plain numbers, and with the first of them again."""
    import warnings

    lists = lab.value("lists")
    for name, numbers in [*lists, ("the first list once more", lists[0][1])]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = loss_and_grad(list(numbers))
            except RuntimeError as error:
                if "can require gradients" not in str(error):
                    raise
                lab.record(f"{name}: whole numbers are asked to require grad", True)
                continue
        lab.record(f"{name}: whole numbers are asked to require grad", False)
        is_pair = issubclass(type(result), (tuple, list)) and len(result) == 2
        several = issubclass(type(result), (tuple, list)) and len(result) != 1
        told = f"{len(result)} things" if several else lab.kind_of(result)
        lab.record(f"{name}: result", "two things" if is_pair else told)
        if not is_pair:
            continue
        lab.record(f"{name}: loss", result[0])
        lab.record(f"{name}: gradient", result[1])
        warned = any("not a leaf" in str(each.message) for each in caught)
        of_result = result[1] is None and warned
        lab.record(f"{name}: the gradient is read from a result", of_result)


def _fractions(rng):
    names = {"3 numbers": 3, "3 other numbers": 3, "5 numbers": 5, "a single number": 1}
    return {
        "lists": [
            (name, signed(rng, n).astype(float).round(2).tolist()) for name, n in names.items()
        ]
    }


def _whole(rng):
    drawn = rng.choice([-5, -4, -3, -2, 2, 3, 4, 5], 4).tolist()
    return {"lists": [("whole numbers", drawn), ("whole numbers and a zero", [0, *drawn[:2]])]}


EXERCISE = Exercise(
    id="reqgrad-repair",
    lesson="03_requires_grad",
    section="When and where to ask for it",
    title="Repair the loss without a gradient",
    symbol="loss_and_grad",
    kind="repair",
    points=5,
    difficulty=2,
    minutes=5,
    task=(
        "`loss_and_grad(data)` takes a list of numbers, whole ones too, such as `[1, 2]` or "
        "`[0.5, -1.0]`. It should return two things: the sum of the squares as a number, and the "
        "gradient of that sum with respect to the data as a tensor. As it stands, `backward` "
        "raises the error of this lesson. Repair it."
    ),
    starter='''\
def loss_and_grad(data):
    """The sum of the squares of data, and its gradient."""
    x = torch.tensor(data)
    loss = (x * x).sum()
    loss.backward()
    return loss.item(), x.grad
''',
    reference=loss_and_grad,
    checks=(
        Check(
            "numbers with a fraction",
            3,
            call_with_lists,
            _fractions,
            passes="For numbers with a fraction, loss and gradient are right.",
            fails="For numbers with a fraction, loss or gradient is not right.",
        ),
        Check(
            "whole numbers",
            2,
            call_with_lists,
            _whole,
            passes="For whole numbers, loss and gradient are right.",
            fails="For whole numbers, loss or gradient is not right.",
        ),
    ),
    misconceptions=(
        Misconception(
            "asked-too-late",
            "Backward has nothing to walk over: while the loss was computed, nothing was recorded. "
            "`requires_grad` counts only for what is computed after it was set, and from that very "
            "tensor.",
            _too_late,
        ),
        Misconception(
            "asked-the-loss",
            "What you return as the gradient of the data is `None`. Either no backward has run, or "
            "another tensor requires grad, such as the loss or a copy, and no recorded path leads "
            "from the loss to the data.",
            _on_the_loss,
        ),
        Misconception(
            "asked-the-loss-of-whole-numbers",
            "You let the loss require grad. That makes it a leaf with nothing recorded behind it, "
            "so the data gets no gradient; and a loss of whole numbers cannot require grad.",
            _on_the_loss_of_whatever_comes,
        ),
        Misconception(
            "read-from-a-result",
            "You read the gradient from a tensor that was computed from the one that requires "
            "grad. The gradient passed through it and was stored in the leaf.",
            _not_the_leaf,
        ),
        Misconception(
            "asked-the-squares",
            "Your gradient is one everywhere: that is how the loss changes with the squares, not "
            "with the data. If it is the squares that you asked to require grad, that is one step "
            "too late.",
            _on_the_squares,
        ),
        Misconception(
            "whole-numbers-require-grad",
            "A tensor that is made from whole numbers holds integers, and those cannot require "
            "grad, however you ask for it: there are no small steps between them.",
            _on_whole_numbers,
        ),
        Misconception(
            "gradient-of-the-loss-itself",
            "What you return is the number one: the gradient of the loss with respect to itself. "
            "The gradient with respect to the data is asked for.",
            _of_the_loss,
        ),
        Misconception(
            "the-two-swapped",
            "You return the gradient first and the loss second. The loss is expected first.",
            _swapped,
        ),
        Misconception(
            "loss-without-squares",
            "You add up the numbers themselves. The loss is the sum of their squares.",
            _without_squares,
        ),
        Misconception(
            "half-of-the-sum",
            "Loss and gradient are half of what they should be. With half the sum the gradient has "
            "a simpler form, but the sum of the squares itself is asked for.",
            _half_of_the_sum,
        ),
        Misconception(
            "slope-of-square-forgotten",
            "What you return as the gradient are the numbers themselves. A square changes faster "
            "than that, and backward can work out how fast.",
            _slope_without_two,
        ),
        Misconception(
            "mean-for-sum",
            "Loss and gradient are both too small, by the number of elements: you take the mean "
            "where the sum is asked for.",
            _averaged,
        ),
        Misconception(
            "collected-twice",
            "The loss is right, but the gradient is twice what it should be. Gradients accumulate "
            "in a leaf, so look at how often backward runs.",
            _walked_twice,
        ),
    ),
    variants=(
        Variant("asked afterwards, with a print", _asked_later),
        Variant("numbers made float one by one, with autograd.grad", _numbers_made_float),
        Variant("in double precision, over NumPy", _double_precision),
        Variant("a gradient retained on a result, in a list", _retained_on_a_result),
    ),
    hints=(
        "Read the error again: it says what is missing. When, at the latest, does it have to be "
        "there?",
        "The tensor whose gradient you want has to require grad before the first operation. Then "
        "try a list of whole numbers, and look at the type of the tensor.",
        "There are two things to settle where the tensor is made, and only there: which kind of "
        "numbers it holds, and that a gradient will be needed.",
    ),
    suspicion=_another_loss,
    place=2,
)
