"""Statements that change a tensor, executed in one engine: what the tensor is afterwards.

A statement is Python text about `torch`, the tensors of `expressions` and `y`, the tensor to be
changed. Each runs twice: with y a result of differentiable operations, and with y a constant.
"""

import re
import warnings
from collections.abc import Iterable
from typing import Any

from .expressions import tensors
from .harness import Plain, error_of, outcome, plain, short_name


def changed(torch: Any, made: str, statements: Iterable[str]) -> dict[str, Plain]:
    """What each statement makes of `y`, which the expression `made` gives, by its text."""
    return {each: [_run(torch, made, each, tracked) for tracked in (True, False)]
            for each in statements}  # fmt: skip


def _run(torch: Any, made: str, statement: str, tracked: bool) -> Plain:
    torch.set_warn_always(True)
    given = tensors(torch)
    names = {**given, "torch": torch, "F": torch.nn.functional}
    with torch.set_grad_enabled(tracked):
        names["y"] = y = eval(made, names)
    text = f"{made} {statement}"
    used = [
        given[name]
        for name in dict.fromkeys(re.findall(r"\b[a-z]+\b", text))
        if name in given and given[name].requires_grad
    ]
    seen: dict[str, Plain] = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # NumPy's, which the package silences.
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            code = compile(statement, "statement", "eval" if _is_value(statement) else "exec")
            returned = eval(code, names)
            if returned is not None:
                seen["returned"] = "y" if returned is y else plain(returned)
        except Exception as error:
            seen |= error_of(error)
    said = [str(each.message).partition(" (Triggered")[0] for each in caught]
    if said:
        seen["warnings"] = said
    seen["y"] = outcome(lambda: after(y))
    if names["y"] is not y:
        seen["another y"] = plain(names["y"])
    if y.requires_grad and used:
        seen["gradients"] = outcome(lambda: _gradients(torch, y, used))
    return seen


def after(y: Any) -> dict[str, Plain]:
    """A tensor's values, geometry, version, view base and place in the graph."""
    seen = {
        **plain(y),
        "version": y._version,
        "is_leaf": y.is_leaf,
        "is_view": y._is_view(),
        "offset": y.storage_offset(),
        "strides": [
            step if length > 1 and y.numel() else None
            for step, length in zip(y.stride(), y.shape, strict=True)
        ],
    }
    if y.grad_fn is not None:
        seen["edges"] = [
            None if node is None else short_name(node) for node, _ in y.grad_fn.next_functions
        ]
    return seen


def _is_value(statement: str) -> bool:
    try:
        compile(statement, "statement", "eval")
    except SyntaxError:
        return False
    return True


def _gradients(torch: Any, y: Any, leaves: list[Any]) -> tuple[Any, ...]:
    direction = (torch.arange(1.0, y.numel() + 1) / 4).reshape(y.shape).to(y.dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return torch.autograd.grad(y, leaves, direction, allow_unused=True)
