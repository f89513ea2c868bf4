"""A rehearsal: the nursery runs what workers will run, before it forks more of them.

Python specialises code that has run a few times, and writes that into memory which each worker
would otherwise have to copy and fill again. The same goes for objects that take long to make and
are the same for all. A rehearsal leaves nothing else behind: no answers, no warnings, no random
numbers; its streams and modules are removed.
"""

from __future__ import annotations

import functools
import linecache
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import autograd_core
from graders.observe.long_chain import long_chain

ROUNDS = 6
"""Python specialises code that has run eight times; most of it runs twice or more in a round."""

PREPARING = """
import autograd_core as torch
from autograd_core.autograd import Function

def told(action):
    try:
        return action()
    except Exception as error:
        return str(error)
"""

ENGINE = """
x = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
w = torch.ones(2, requires_grad=True)
y = (x * w + 2 * x - w / 4).exp().sum() + (x.detach() @ w).sin().mean()
y.backward()
print(x.grad, w.is_leaf, y, y.item(), x.shape)
x.grad = None
with torch.no_grad():
    x.add_(1)
    w.mul_(0.5).clone().zero_()
z = (x**2).relu().reshape(-1)[1:3].clamp(0, 1)
z.retain_grad()
(first,) = torch.autograd.grad(z.sum(), x, create_graph=True)
first.sum().backward(retain_graph=True)
told(lambda: torch.ones(2).backward())
told(lambda: x.add_(1))
print(z.grad_fn, z.requires_grad, x.grad_fn, w.tolist(), w.dtype)
"""

SOLUTIONS = '''
def line(a, b):
    """No exercise asks for this."""
    return a * 0.25 + b.sin() * 0.5

def spoiled(a, b):
    raise RuntimeError("This fails, as solutions do.")

class Blend(Function):
    """Nor for this."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * 0.25 + b**2

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        grad_a = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_a = grad_output * 0.25
        if ctx.needs_input_grad[1]:
            grad_b = (grad_output * 2 * b).sum_to_size(b.shape)
        return grad_a, grad_b

class Moved(Function):
    """Nor for this, in place."""

    @staticmethod
    def forward(ctx, a, b):
        a.add_(b * 0.25)
        ctx.mark_dirty(a)
        return a

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, grad_output * 0.25

answers = {"leaf": True, "value": 2.5, "list": [1, 2, 3]}
'''

PLAIN = ("call", "call_gradients", "plain_values", "plain_gradients", "plain_in_graph")
OF_FUNCTIONS = (
    "function_values",
    "function_gradients",
    "function_gradients",
    "function_one_gradient",
    "function_reuse",
    "function_in_graph",
    "function_keeps_grad_output",
    "function_saved",
    "function_notices_changes",
    "function_second_order",
)
IN_PLACE = (
    "inplace_values",
    "inplace_gradients",
    "inplace_identity",
    "inplace_leaf",
    "inplace_stale",
    "inplace_later",
)


@functools.cache
def request() -> Mapping[str, Any]:
    """A request as a worker might get it, with all scenarios of the library."""
    cells = (PREPARING, *[ENGINE] * 2, SOLUTIONS)
    last = len(cells) - 1
    asked = {
        "line": PLAIN,
        "spoiled": ("call",),
        "Blend": OF_FUNCTIONS,
        "Moved": IN_PLACE,
        "answers": ("value", "entries"),
    }
    return {
        "cells": [{"index": i, "source": text, "code": None} for i, text in enumerate(cells)],
        "skip": [],
        "exercises": [
            {"id": symbol, "symbol": symbol, "cell": last, "checks": list(map(_check, scenarios))}
            for symbol, scenarios in asked.items()
        ],
    }


def _check(scenario: str) -> dict[str, Any]:
    shapes = [((3,), (3,)), ((2, 3), (2, 3))]
    cases = [
        {
            "name": f"case {place}",
            "args": {"a": np.linspace(0.5, 1.5, _size(one)).reshape(one), "b": np.ones(other)},
            "changed": ("a", "b"),
        }
        for place, (one, other) in enumerate(shapes)
    ]
    inputs = {"seed": 1, "cases": cases, "keys": ["leaf", "value"], "of": "a"}
    return {"name": scenario, "scenario": {"name": scenario}, "inputs": inputs}


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))


def rehearse(run: Callable[[Mapping[str, Any], int], None]) -> None:
    """Call `run` some times on the `request`, with a channel that nobody reads."""
    streams, main = (sys.stdin, sys.stdout, sys.stderr), sys.modules["__main__"]
    nobody = os.open(os.devnull, os.O_WRONLY)
    try:
        for _ in range(ROUNDS):
            run(request(), nobody)
        long_chain(autograd_core)
    finally:
        os.close(nobody)
        sys.stdin, sys.stdout, sys.stderr = streams
        sys.modules["__main__"] = main
        for cell in request()["cells"]:
            linecache.cache.pop(f"<cell {cell['index']}>", None)
