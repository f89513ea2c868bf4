"""Expressions evaluated in one engine: values, dtypes, views, graphs, gradients, errors.

An expression is Python text about `torch`, `F` (nn.functional) and a fixed set of small tensors,
made anew for each. What the floating ones contribute is differentiated.
"""

import re
import warnings
from collections.abc import Iterable
from typing import Any

from .harness import Plain, error_of, outcome, plain, short_name

ROWS = [[0.5, -1.25, 2.0], [1.5, -0.75, 0.25]]


def tensors(torch: Any) -> dict[str, Any]:
    """The tensors that expressions name; those of floating dtype require grad."""
    given = {
        "x": torch.tensor(ROWS),
        "p": torch.tensor(ROWS).abs(),
        "w": torch.tensor([1.5, -0.5, 2.0]),
        "c": torch.tensor([[0.75], [-2.0]]),
        "s": torch.tensor(0.7),
        "z": torch.zeros(0, 3),
        "n": torch.tensor([[0.5, 1.5], [-1.25, 0.75], [2.0, -0.25]]).t().detach(),
        "k": torch.tensor([ROWS, [[-0.5, 1.0, 0.75], [2.5, 0.125, -1.0]]]),
        "t": torch.tensor([[1.0, 2.0, 2.0], [2.0, 2.0, 0.0]]),
        "o": torch.tensor([[2.0, 0.0, 3.0], [0.0, 0.0, 4.0]]),
        "q": torch.tensor([[1.0, 0.0], [2.0, 3.0], [-1.0, 0.5]]),
        "h": torch.tensor(ROWS, dtype=torch.float16),
        "d": torch.tensor(ROWS, dtype=torch.float64),
    }
    for each in given.values():
        each.requires_grad_()
    return given | {
        "i": torch.tensor([[3, -2, 5], [0, 7, -4]]),
        "j": torch.tensor([[3, -2, 5], [0, 7, -4]], dtype=torch.int32),
        "u": torch.tensor([[3, 2, 255], [0, 7, 4]], dtype=torch.uint8),
        "b": torch.tensor([[True, False, True], [False, True, True]]),
        "at": torch.tensor([2, 0, 2]),
        "grid": torch.tensor([[0, 1, 1], [1, 0, 1]]),
        "nan": torch.tensor([1.0, float("nan"), float("inf"), -float("inf"), -0.0]),
    }


def observed(torch: Any, expressions: Iterable[str]) -> dict[str, Plain]:
    """What each expression gives in the engine `torch`, by its text."""
    return {expression: _observed(torch, expression) for expression in expressions}


def lines(text: str) -> list[str]:
    """The expressions of a text, one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _observed(torch: Any, expression: str) -> Plain:
    given = tensors(torch)
    names = given | {"torch": torch, "F": torch.nn.functional}
    used = [
        given[name]
        for name in dict.fromkeys(re.findall(r"\b[a-z]+\b", expression))
        if name in given and given[name].requires_grad
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # NumPy's, which the package silences.
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            result = eval(expression, names)
        except Exception as error:
            return error_of(error)
    said = [str(each.message).partition(" (Triggered")[0] for each in caught]
    outputs = result if isinstance(result, tuple | list) else (result,)
    seen: dict[str, Plain] = {"result": [_tensor(torch, each) for each in outputs]}
    if said:
        seen["warnings"] = said
    differentiable = [
        each for each in outputs if isinstance(each, torch.Tensor) and each.requires_grad
    ]
    if differentiable and used:
        seen["gradients"] = outcome(lambda: _gradients(torch, differentiable, used))
    return seen


def _tensor(torch: Any, value: Any) -> Plain:
    if not isinstance(value, torch.Tensor):
        return plain(value)
    seen = plain(value)
    if value._is_view() and value.numel():
        seen["view"] = [
            step if length > 1 else None
            for step, length in zip(value.stride(), value.shape, strict=True)
        ]
    if value.grad_fn is not None:
        seen["edges"] = [
            None if node is None else short_name(node) for node, _ in value.grad_fn.next_functions
        ]
    return seen


def _gradients(torch: Any, outputs: list[Any], leaves: list[Any]) -> tuple[Any, ...]:
    directions = [
        (torch.arange(1.0, each.numel() + 1) / 4).reshape(each.shape).to(each.dtype)
        for each in outputs
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return torch.autograd.grad(outputs, leaves, directions, allow_unused=True)
