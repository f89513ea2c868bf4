"""Scenarios for a function that moves parameters: `step(parameters, rate)`.

They are for those exercises whose symbol does what an optimiser does. As with all scenarios, each
function is sent to the isolated worker by itself, and holds no answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graders.observe.lab import Lab


def one_step(step: Any, lab: Lab) -> None:
    """Take one step: do the parameters move, and do they stay leaves that require grad?"""
    for one in lab.cases():
        lab.torch.set_grad_enabled(True)
        given = one.arguments()
        w, b = given["w"], given["b"]
        ((w * given["slope_of_w"]).sum() + (b * given["slope_of_b"]).sum()).backward()
        parameters = [w, b]
        lab.do(step, parameters, given["lr"])
        lab.torch.set_grad_enabled(True)
        one.record("w after the step", w)
        one.record("b after the step", b)
        one.record("w is still a leaf", w.is_leaf)
        one.record("w still requires grad", w.requires_grad)
        same = len(parameters) == 2 and parameters[0] is w and parameters[1] is b
        one.record("the caller's list holds the same tensors as before", same)


def three_steps(step: Any, lab: Lab) -> None:
    """Train for three steps: does each one start with a gradient of its own?"""
    for one in lab.cases():
        w, k, lr = one.arguments().values()
        for _ in range(3):
            lab.torch.set_grad_enabled(True)
            (k * w * w).sum().backward()
            before = w.grad.detach().numpy().copy()
            lab.do(step, [w], lr)
        lab.torch.set_grad_enabled(True)
        one.record("w after three steps", w)
        cleared = w.grad is None or not w.grad.detach().numpy().any()
        kept = not cleared and np.array_equal(w.grad.detach().numpy(), before)
        state = "cleared" if cleared else "as it was before" if kept else "a new one"
        one.record("gradient after the step", state)


def any_iterable(step: Any, lab: Lab) -> None:
    """Pass the parameters in other iterables: is the result that of a list?"""

    def after(collect: Any) -> list[Any]:
        lab.torch.set_grad_enabled(True)
        tensors = [lab.tensor(name, requires_grad=True) for name in ("first", "second")]
        sum((each * each).sum() for each in tensors).backward()
        lab.do(step, collect(tensors), lab.value("lr"))
        lab.torch.set_grad_enabled(True)
        return [
            (each.detach().tolist(), each.grad is None or not each.grad.numpy().any())
            for each in tensors
        ]

    as_a_list = after(list)
    lab.record("a tuple of parameters ends as a list of them", after(tuple) == as_a_list)
    from_dict = after(lambda tensors: dict(enumerate(tensors)).values())
    lab.record("the values of a dict end as a list of them", from_dict == as_a_list)
    generated = after(lambda tensors: (each for each in tensors))
    lab.record("a generator of parameters ends as a list of them", generated == as_a_list)


def without_gradient(step: Any, lab: Lab) -> None:
    """Some parameters have no gradient, and one of them is frozen."""
    unused = lab.tensor("unused", requires_grad=True)
    frozen = lab.tensor("frozen")
    used, last = (lab.tensor(name, requires_grad=True) for name in ("used", "last"))
    (used * used * last).sum().backward()
    lab.do(step, [used, unused, frozen, last], lab.value("lr"))
    lab.torch.set_grad_enabled(True)
    lab.record("the parameter without a gradient", unused)
    lab.record("the frozen tensor", frozen)
    lab.record("the frozen tensor requires grad", frozen.requires_grad)
    lab.record("the parameter before them", used)
    lab.record("the parameter after them", last)


def watched_change(step: Any, lab: Lab) -> None:
    """Record something before the step and walk it after: does the engine know of the change?"""
    for one in lab.cases():
        lab.torch.set_grad_enabled(True)
        w, slope, lr = one.arguments().values()
        (w * slope).sum().backward()
        recorded = (w * w).sum()
        right, version = 2 * w.detach().numpy(), w._version
        lab.do(step, [w], lr)
        lab.torch.set_grad_enabled(True)
        try:
            (found,) = lab.torch.autograd.grad(recorded, [w])
        except RuntimeError:
            harmless = True  # after set_, it says that w is not the one that was used
        else:
            harmless = bool(np.array_equal(found.numpy(), right))
        one.record("the version counter of w has gone up", w._version > version)
        one.record("backward of what was recorded before never goes wrong silently", harmless)


def mode_afterwards(step: Any, lab: Lab) -> None:
    """Take a step with recording on, and one with recording off."""
    for one in lab.cases():
        lab.torch.set_grad_enabled(True)
        w, lr, before = one.arguments().values()
        (w * w).sum().backward()
        lab.torch.set_grad_enabled(before)
        lab.do(step, [w], lr)
        now = lab.torch.is_grad_enabled()
        lab.torch.set_grad_enabled(True)
        one.record("recording is on after the step", now)
