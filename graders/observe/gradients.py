"""Random gradients that scenarios send back from a symbol's results, and what arrives at leaves."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from graders.observe.lab import Case


def leads_back(case: Case, result: Any) -> bool:
    """Record whether `result` is a tensor from which a gradient can be sent back."""
    is_tensor = case.is_tensor(result)
    case.record("a tensor is returned", is_tensor)
    if is_tensor:
        case.record("the result requires grad", result.requires_grad)
    return bool(is_tensor and result.requires_grad)


def send_back(case: Case, leaves: Mapping[str, Any], output: Any) -> None:
    """Send random gradients back from the outputs, and record those that arrive at the leaves."""
    outputs = output if issubclass(type(output), tuple) else (output,)
    case.record("number of outputs", len(outputs))
    case.record("all outputs are tensors", all(map(case.is_tensor, outputs)))
    tensors = [each for each in outputs if case.is_tensor(each)]
    if len(tensors) > 1:
        for place, each in enumerate(tensors):
            case.record(f"output {place} requires grad", each.requires_grad)
        tensors = [each for each in tensors if each.requires_grad]
    wanted = {n: v for n, v in leaves.items() if case.is_tensor(v) and v.requires_grad}
    if tensors and wanted:
        sent = [case.upstream(each) for each in tensors]
        # Not read from .grad, which the student's own code might have filled.
        found = case.torch.autograd.grad(tensors, list(wanted.values()), sent, allow_unused=True)
        for name, gradient in zip(wanted, found, strict=True):
            case.record(f"gradient of {name}", gradient)


def gradients_after(
    case: Case, function: Any, leaves: Mapping[str, Any], changed: str | None
) -> list[Any]:
    """Return the leaves' gradients as arrays, with one argument changed after forward."""
    inner = case.copies(leaves)
    output = case.apply(function, inner)
    gradient = case.upstream(output)
    is_as_changed = case.change(inner[changed]) if changed is not None else None
    wanted = [each for each in leaves.values() if case.is_tensor(each) and each.requires_grad]
    gradients = case.torch.autograd.grad(output, wanted, gradient)
    if is_as_changed is not None and not is_as_changed():
        raise TypeError(f"backward has changed the input {changed} in place")
    return [case.numbers(each) for each in gradients]


def gradients_at(
    case: Case, function: Any, inputs: Mapping[str, Any], names: Iterable[str]
) -> dict[str, Any]:
    """Apply a Function, send a gradient back, and return what arrives at `names`, by name."""
    output = case.apply(function, inputs)
    wanted = {name: inputs[name] for name in names}
    found = case.torch.autograd.grad(
        output, list(wanted.values()), case.upstream(output), allow_unused=True
    )
    return dict(zip(wanted, found, strict=True))


def accepted_gradients(case: Case, function: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return by name what arrives at those `inputs` that require grad, or None.

    If the engine refuses the gradients that backward returns, each input gets a call of its own, in
    which it alone requires grad; inputs whose gradient is still refused are left out. RuntimeError
    if all are.
    """
    learning = [name for name, leaf in inputs.items() if leaf.requires_grad]
    try:
        return gradients_at(case, function, inputs, learning)
    except RuntimeError:
        found: dict[str, Any] = {}
        for name in learning:
            with contextlib.suppress(RuntimeError):
                found |= gradients_at(case, function, case.frozen_but(name, inputs), [name])
        if not found:
            raise
        return found


def same_gradient(case: Case, one: Any, other: Any) -> bool:
    """Return whether both gradients are None, or hold the same numbers up to rounding."""
    if one is None or other is None:
        return one is other
    return np.allclose(case.numbers(one), case.numbers(other), rtol=1e-4, atol=1e-5, equal_nan=True)


def record_accumulated(case: Case, leaves: Mapping[str, Any]) -> None:
    """Record what the leaves' `.grad` holds after several walks."""
    for name, leaf in leaves.items():
        if case.is_tensor(leaf) and leaf.requires_grad:
            case.record(f"accumulated gradient of {name}", leaf.grad)
