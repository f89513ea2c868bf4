"""Jacobians for `gradcheck`: by finite differences, by backward and by forward mode.

All are matrices with a row for each element of the input and a column for each element of the
output. The numerical ones come from central differences, row by row:
J[i] = (f(x + eps e_i) - f(x - eps e_i)) / (2 eps).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from autograd_core import creation
from autograd_core.autograd import forward_ad
from autograd_core.autograd import gradcheck_messages as messages
from autograd_core.autograd.gradcheck import GradcheckError, as_tuple
from autograd_core.autograd.gradients import grad
from autograd_core.dtypes import float64
from autograd_core.ops.joining import stack
from autograd_core.tensor import Tensor


class Check(NamedTuple):
    """One function at one point, and how exactly its gradients have to agree."""

    func: Callable[..., Any]
    inputs: tuple[Any, ...]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    grad_dtypes: bool

    @property
    def variables(self) -> list[Tensor]:
        """The inputs that are differentiated."""
        return [each for each in self.inputs if isinstance(each, Tensor) and each.requires_grad]

    def outputs(self) -> tuple[Any, ...]:
        """What the function returns."""
        return as_tuple(self.func(*self.inputs))

    def close(self, a: Tensor, b: Tensor, scale: float = 1.0) -> bool:
        """Return whether two results agree; `scale` is how many elements were added up."""
        return a.to(float64).allclose(b.to(float64), self.rtol, self.atol * scale)


def floating(outputs: Sequence[Any]) -> list[Tensor]:
    """Return the outputs that can have a gradient."""
    return [each for each in outputs if isinstance(each, Tensor) and each.is_floating_point()]


def _indices(tensor: Tensor) -> Iterator[tuple[int, ...]]:
    return itertools.product(*[range(length) for length in tensor.shape])


def difference(check: Check, entry: Tensor, step: Any, on_index: str) -> list[Tensor]:
    """Return (f(x + step) - f(x - step)) / (2 eps) of each output that is a tensor, flat.

    `entry` is the part of x that is moved; afterwards it is put back.
    """
    before = entry.clone()
    moved = []
    for there in (before - step, before + step):
        entry.copy_(there)
        moved.append([each.clone() for each in check.outputs() if isinstance(each, Tensor)])
    entry.copy_(before)
    for behind, ahead in zip(*moved, strict=True):
        for what in ("shape", "dtype"):
            a, b = getattr(behind, what), getattr(ahead, what)
            assert a == b, messages.perturbed(what, on_index, step, a, b)
    # Of those without a gradient too: as in PyTorch, truth values cannot be subtracted.
    changes = [ahead - behind for behind, ahead in zip(*moved, strict=True)]
    return [(each / (2 * check.eps)).detach().reshape(-1) for each in changes]


def of_floating(values: Sequence[Tensor], outputs: Sequence[Any]) -> list[Tensor]:
    """Return those of the values, one for each tensor, that belong to floating outputs."""
    tensors = [each for each in outputs if isinstance(each, Tensor)]
    floats = [each.is_floating_point() for each in tensors]
    return [value for value, wanted in zip(values, floats, strict=True) if wanted]


def numerical_jacobians(check: Check, variable: Tensor, outputs: tuple[Any, ...]) -> list[Tensor]:
    """Return the numerical Jacobian of each floating one of the function's outputs."""
    # Through `.data`, so that no version tells that the input has been moved.
    data = variable.data
    rows = [
        of_floating(difference(check, data[i], check.eps, f"on index {i} "), outputs)
        for i in _indices(data)
    ]
    return _stacked(rows, outputs)


def _stacked(rows: Sequence[Sequence[Tensor]], outputs: tuple[Any, ...]) -> list[Tensor]:
    """Return matrices, one for each floating output, with these rows; there may be none."""
    if not rows:
        return [creation.zeros(0, each.numel(), dtype=each.dtype) for each in floating(outputs)]
    return [stack(each) for each in zip(*rows, strict=True)]


def _backward_rows(check: Check, output: Tensor, grads: Sequence[Tensor]) -> list[Tensor]:
    """Return, for each variable, the gradients that backward makes of `grads`, as columns."""
    variables = check.variables
    found: list[Any] = [
        grad(output, variables, each, retain_graph=True, allow_unused=True) for each in grads
    ]
    jacobians = []
    for i, variable in enumerate(variables):
        jacobian = creation.zeros(variable.numel(), len(grads), dtype=variable.dtype)
        for j, row in enumerate(found):
            if row[i] is not None:
                if check.grad_dtypes and row[i].dtype is not variable.dtype:
                    raise GradcheckError("Gradient has dtype mismatch")
                if row[i].shape != variable.shape:
                    raise GradcheckError("Analytical gradient has incorrect size")
                jacobian[:, j] = row[i].detach().reshape(-1)
        jacobians.append(jacobian)
    return jacobians


def backward_jacobians(
    check: Check, output: Tensor, grads: Sequence[Tensor] | None = None
) -> list[Tensor]:
    """Return the analytical Jacobian for each variable; GradcheckError if it varies."""
    if grads is None:
        grads = []
        for index in _indices(output):
            unit = creation.zeros(output.shape, dtype=output.dtype)
            unit[index] = 1.0
            grads.append(unit)
    first, second = (_backward_rows(check, output, grads) for _ in range(2))
    for a, b in zip(first, second, strict=True):
        if a.numel() and float((a - b).abs().max()) > check.nondet_tol:
            raise GradcheckError(messages.NOT_REENTRANT.format(check.nondet_tol))
    return first


def with_tangents(check: Check) -> tuple[list[Any], list[Tensor]]:
    """Return the inputs, those that require grad as duals, and their tangents, all zero."""
    duals, tangents = [], []
    for each in check.inputs:
        if isinstance(each, Tensor) and each.requires_grad:
            each = forward_ad.make_dual(each.detach(), creation.zeros_like(each))
            tangent = forward_ad.unpack_dual(each).tangent
            assert tangent is not None
            tangents.append(tangent)
        duals.append(each)
    return duals, tangents


def tangents_of(check: Check, duals: Sequence[Any]) -> list[Tensor]:
    """Return the tangents of the floating outputs, flat."""
    unpacked = [forward_ad.unpack_dual(each) for each in floating(as_tuple(check.func(*duals)))]
    return [
        creation.zeros_like(primal.detach()).reshape(-1)
        if tangent is None
        else tangent.detach().reshape(-1).clone()
        for primal, tangent in unpacked
    ]


def forward_jacobians(check: Check, outputs: tuple[Any, ...]) -> list[list[Any]]:
    """Return, for each variable, forward mode's Jacobian of each floating output."""
    with forward_ad.dual_level():
        duals, tangents = with_tangents(check)
        jacobians = []
        for tangent in tangents:
            rows = []
            for index in _indices(tangent):
                tangent[index] = 1.0
                rows.append(tangents_of(check, duals))
                tangent[index] = 0.0
            jacobians.append(_stacked(rows, outputs))
    return jacobians


def forward_products(check: Check, directions: Sequence[Tensor]) -> list[list[Tensor]]:
    """Return, for each variable, the outputs' tangents along its direction alone."""
    with forward_ad.dual_level():
        duals, tangents = with_tangents(check)
        products = []
        for tangent, direction in zip(tangents, directions, strict=True):
            tangent.copy_(direction.reshape(tangent.shape))
            products.append(tangents_of(check, duals))
            tangent.zero_()
    return products
