"""`cap-repair`: a loop that runs, goes astray, and holds on to every step it has made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, positive, signed
from graders.judging.closeness import same
from graders.judging.diagnosis import Deviation
from graders.observe.lab import Lab


def fit_slope(x, y, steps):
    """Return the slope of the line through zero that fits, and the loss of every step."""
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return w.item(), losses


def _zeroing_first(data, target, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for number in range(steps):
        if w.grad is not None:
            w.grad.zero_()
        loss = ((w * data - target) ** 2).mean()
        loss.backward()
        print(number, loss)
        losses.append(loss.detach())
        w.data -= 0.1 * w.grad
    return w.detach(), losses


def _with_an_optimizer(x, y, steps):
    w = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    history = np.zeros(steps)
    for number in range(steps):
        optimizer.zero_grad()
        loss = torch.mean((w * x - y) ** 2)
        loss.backward()
        optimizer.step()
        history[number] = loss.item()
    return [w, history]


def _with_a_new_leaf_each_step(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        (slope,) = torch.autograd.grad(loss, [w])
        w = (w - 0.1 * slope).detach().requires_grad_()
        losses.append(float(loss.detach()))
    return float(w.detach()), tuple(losses)


def _still_adding(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses


def _still_holding(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss)
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return w.item(), losses


def _holding_until_the_end(x, y, steps):
    w, losses = _still_holding(x, y, steps)
    return w, [loss.item() for loss in losses]


def _uphill(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            w += 0.1 * w.grad
        w.grad = None
    return w.item(), losses


def _noted_after_the_update(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            losses.append(((w * x - y) ** 2).mean().item())
        w.grad = None
    return w.item(), losses


def _clearing_before_the_update(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        w.grad.zero_()
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses


def _dropping_before_the_update(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        w.grad = None
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses


def _beginning_anew(x, y, steps):
    losses = []
    for _ in range(steps):
        w = torch.tensor(0.0, requires_grad=True)
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses


def _cut_before_backward(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean().detach()
        loss.backward()
        losses.append(loss)
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return w.item(), losses


def _clearing_too_early(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        w.grad.zero_()
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses


def _recording_the_update(x, y, steps):
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss.item())
        w = w.sub(w.grad, alpha=0.1)
    return w.item(), losses


def fits_a_line(fit: Any, lab: Lab) -> None:
    """Which slope is found, and over which losses?"""
    from graders.observe.training import numbers_of, slope_and_losses, watched_walks

    for data in lab.cases():
        x, y = (data.build(data.value(name)) for name in ("x", "y"))
        with watched_walks(lab.torch):
            result = fit(x, y, data.value("steps"))
        pair = slope_and_losses(result, data)
        if pair is not None:
            slope, losses = pair[0], numbers_of(pair[1])
            data.record("number of losses", len(losses))
            data.record("slope", slope)
            # As exact as the tensors are that they come from, whatever they are kept in.
            data.record("list of losses", losses.astype(np.float32))


def leaves_nothing_behind(fit: Any, lab: Lab) -> None:
    """What is still in memory when the losses have been returned?"""
    from graders.observe.training import slope_and_losses, watched_walks

    x, y = lab.tensor("x"), lab.tensor("y")
    with watched_walks(lab.torch, in_memory=True) as walks:
        result = fit(x, y, lab.value("steps"))
    pair = slope_and_losses(result, lab)
    if pair is None:
        return
    losses = list(pair[1])
    held = [each for each in losses if issubclass(type(each), lab.torch.Tensor)]
    lab.record("number of losses", len(losses))
    lab.record("the losses hold no graph", not any(each.requires_grad for each in held))
    lab.record("the graphs of earlier steps are freed", walks.lets_go and walks.alive() <= 1)


SMALLER_STEPS = (
    "After one step the loss has fallen, but not as far as it should: is the rate still 0.1?"
)


def _falls_more_slowly(deviations: Sequence[Deviation]) -> str:
    found = [each for each in deviations if each.subject == "list of losses"]
    return SMALLER_STEPS if found and all(map(_falls_less, found)) else ""


def _falls_less(deviation: Deviation) -> bool:
    one, other = deviation.observed, deviation.expected
    if not isinstance(one, np.ndarray) or len(one) != len(other) or len(one) < 2:
        return False
    return bool(same(one[0].item(), other[0].item()) and other[1] < one[1] < one[0])


def _line(rng: np.random.Generator, n: int) -> dict[str, Any]:
    x = signed(rng, n)
    slope = rng.choice([-1.0, 1.0]) * positive(rng)
    return {"x": x, "y": (slope * x + 0.1 * signed(rng, n)).astype(np.float32)}


def _lines(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "cases": [
            case("three steps", **_line(rng, 4), steps=3),
            case("seven steps", **_line(rng, 5), steps=7),
        ]
    }


EXERCISE = Exercise(
    id="cap-repair",
    lesson="09_capstone",
    section="The line that everybody forgets",
    title="Repair a training loop",
    symbol="fit_slope",
    kind="repair",
    points=3,
    difficulty=2,
    minutes=4,
    task=(
        "`fit_slope(x, y, steps)` looks for the slope `w` with which `w * x` comes close to `y`. "
        "It returns the slope and the losses of all steps. It runs, but `w` does not settle where "
        "it should, and after a million steps a million graphs are in memory. Two things are "
        "wrong: fix both. Leave the start value and the rate of 0.1 as they are."
    ),
    starter='''\
def fit_slope(x, y, steps):
    """The slope that fits, and the loss of every step."""
    w = torch.tensor(0.0, requires_grad=True)
    losses = []
    for _ in range(steps):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        losses.append(loss)
        with torch.no_grad():
            w -= 0.1 * w.grad
    return w.item(), losses
''',
    reference=fit_slope,
    checks=(
        Check(
            "the steps",
            2,
            fits_a_line,
            _lines,
            passes="Every step goes where it should.",
            fails="The steps do not go where they should.",
        ),
        Check(
            "the memory",
            1,
            leaves_nothing_behind,
            lambda rng: {**_line(rng, 4), "steps": 4},
            passes="No graph of a step stays in memory.",
            fails="The graphs of the steps stay in memory.",
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "still-adding",
            "Each backward pass still adds to the gradient that is already there. From the second "
            "step on, the update uses a sum of gradients.",
            _still_adding,
        ),
        Misconception(
            "still-holding",
            "Each loss that you return is still a tensor with its history. So the graphs of all "
            "steps stay in memory.",
            _still_holding,
        ),
        Misconception(
            "holding-until-the-end",
            "You return numbers, but you make them only after the loop. Until then the losses "
            "keep the graphs of all steps in memory.",
            _holding_until_the_end,
        ),
        Misconception(
            "uphill",
            "Your steps go uphill. The gradient points to where the loss grows, and the update "
            "goes the other way.",
            _uphill,
        ),
        Misconception(
            "noted-after-the-update",
            "Your losses are those after each step. The task asks for the loss that each step "
            "starts from.",
            _noted_after_the_update,
        ),
        Misconception(
            "never-moving",
            "Your `w` never changes, because the update subtracts nothing. Is the gradient still "
            "there when the update needs it?",
            _clearing_before_the_update,
        ),
        Misconception(
            "dropping-before-the-update",
            "When the update needs the gradient, it is None. Which line removes it, and when?",
            _dropping_before_the_update,
        ),
        Misconception(
            "beginning-anew",
            "Every step starts again with `w` at its start value. What one step learns is lost in "
            "the next.",
            _beginning_anew,
        ),
        Misconception(
            "clearing-too-early",
            "You clear the gradient before the first call of `backward`. At that time it is still "
            "None.",
            _clearing_too_early,
        ),
        Misconception(
            "recording-the-update",
            "The gradient that you read is None, because it belongs to the result of a recorded "
            "operation: the loss, or `w` after your update. By default only leaves keep theirs.",
            _recording_the_update,
        ),
        Misconception(
            "cut-before-backward",
            "`backward` finds nothing that requires grad. Either the loss was cut off from its "
            "history, or `w` does not require grad any more.",
            _cut_before_backward,
        ),
    ),
    hints=(
        "Print `w` and its gradient in every step, and compare them with what you predicted in "
        "the exercise before.",
        "One mistake is a line that is missing at the end of each step. The other is about what "
        "exactly is appended to the list.",
        "After the update the gradient has been used and has to be cleared. And of each loss only "
        "its number is needed; tensors have a method for that.",
    ),
    variants=(
        Variant("zeroing first, detached losses, data", _zeroing_first),
        Variant("an optimizer and an array", _with_an_optimizer),
        Variant("autograd.grad and a new leaf each step", _with_a_new_leaf_each_step),
    ),
    suspicion=_falls_more_slowly,
    place=4,
)
