"""Steps of gradient descent, right and wrong: the solutions of `nograd-sgd`."""

from __future__ import annotations

import autograd_core as torch


def sgd_step(parameters, lr):
    """Move each parameter downhill, and clear its gradient."""
    with torch.no_grad():
        for parameter in parameters:
            if parameter.grad is not None:
                parameter -= lr * parameter.grad
                parameter.grad = None


@torch.no_grad()
def decorated(params, rate: float = 0.1) -> None:
    for p in params:
        if p.grad is None:
            continue
        p.sub_(p.grad, alpha=rate)
        p.grad.zero_()


def with_copy(parameters, lr):
    parameters = [p for p in parameters if p.grad is not None]
    with torch.no_grad():
        for p in parameters:
            p.copy_(p - lr * p.grad)
    for p in parameters:
        p.grad = torch.zeros_like(p)


def through_detach(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            print("moving", tuple(p.shape))
            p.detach().add_(p.grad, alpha=-lr)
            p.grad.data.zero_()


def with_the_optimiser(parameters, lr):
    optimizer = torch.optim.SGD(list(parameters), lr=lr)
    optimizer.step()
    optimizer.zero_grad()


def with_a_switch(parameters, lr):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        for p in parameters:
            if p.grad is not None:
                p += -lr * p.grad
                p.grad = None
    finally:
        torch.set_grad_enabled(before)


def rebinding(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            p = p - lr * p.grad
            p.grad = None


def rebinding_and_clearing(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            g = p.grad
            p.grad = None
            with torch.no_grad():
                p = p - lr * g


def replacing_entries(parameters, lr):
    if not isinstance(parameters, list):
        return
    for i, p in enumerate(parameters):
        if p.grad is not None:
            parameters[i] = (p - lr * p.grad).detach().requires_grad_()


def on_the_record(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            p -= lr * p.grad
            p.grad = None


def not_clearing(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad


def clearing_first(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p.grad.zero_()
                p -= lr * p.grad


def clearing_to_none_first(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p.grad = None
                p -= lr * p.grad


def through_data(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            p.data -= lr * p.grad
            p.grad = None


def ascending(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p += lr * p.grad
                p.grad = None


def without_rate(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= p.grad
                p.grad = None


def own_rate(parameters, lr):
    with torch.no_grad():
        for parameter in parameters:
            if parameter.grad is not None:
                parameter -= 0.1 * parameter.grad
                parameter.grad = None


def mode_not_called(parameters, lr):
    with torch.no_grad:
        for parameter in parameters:
            if parameter.grad is not None:
                parameter -= lr * parameter.grad
                parameter.grad = None


def gradient_everywhere(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            p -= lr * p.grad
            p.grad = None


def only_the_first(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad
                p.grad = None
                return


def stopping_at_none(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is None:
                break
            p -= lr * p.grad
            p.grad = None


def walking_twice(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad
    for p in parameters:
        p.grad = None


def left_frozen(parameters, lr):
    for p in parameters:
        if p.grad is not None:
            p.requires_grad = False
            p -= lr * p.grad
            p.grad = None


def left_off(parameters, lr):
    torch.set_grad_enabled(False)
    for p in parameters:
        if p.grad is not None:
            p -= lr * p.grad
            p.grad = None


def left_on(parameters, lr):
    torch.set_grad_enabled(False)
    for p in parameters:
        if p.grad is not None:
            p -= lr * p.grad
            p.grad = None
    torch.set_grad_enabled(True)
