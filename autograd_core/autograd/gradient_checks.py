"""The checks of which `gradcheck` consists, each of which raises GradcheckError.

With `compare_fast` the Jacobians are multiplied by random vectors first, v J u, which costs one
difference for each input instead of one for each element.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from autograd_core import creation, random
from autograd_core.autograd import forward_ad
from autograd_core.autograd import gradcheck_messages as messages
from autograd_core.autograd.gradcheck import GradcheckError, differentiable
from autograd_core.autograd.gradients import grad
from autograd_core.autograd.jacobians import (
    Check,
    backward_jacobians,
    difference,
    floating,
    forward_jacobians,
    forward_products,
    numerical_jacobians,
    of_floating,
    tangents_of,
    with_tangents,
)
from autograd_core.function import Function
from autograd_core.tensor import Tensor


def compare(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    """Hold the Jacobians of backward, or of forward mode, against differences."""
    numerical = [numerical_jacobians(check, variable, outputs) for variable in check.variables]
    which = [i for i, each in enumerate(floating(outputs)) if each.requires_grad]
    if not which:
        if any(not _is_zero(jacobian) for row in numerical for jacobian in row):
            raise GradcheckError(messages.NOT_ZERO)
        return
    if forward:
        analytical = forward_jacobians(check, outputs)
    for number, i in enumerate(which):
        if not forward:
            analytical = [
                [None] * i + [jacobian]
                for jacobian in backward_jacobians(check, floating(outputs)[i])
            ]
        for j in range(len(numerical)):
            a, n = analytical[j][i], numerical[j][i]
            if not check.close(a, n):
                raise GradcheckError(messages.mismatch(n, a, number, j, forward))


def compare_fast(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    """Hold products of the Jacobians with random vectors against differences."""
    shown = floating(outputs) if forward else differentiable(outputs)
    drawn: list[Any] = _random_vectors(check.variables if forward else [*check.variables, *shown])
    directions = drawn[: len(check.variables)]
    weights = drawn[len(check.variables) :] or [None] * len(shown)
    columns = [i for i, each in enumerate(floating(outputs)) if any(each is o for o in shown)]
    changes = [
        difference(check, variable.data, u.reshape(variable.shape) * check.eps, "")
        for variable, u in zip(check.variables, directions, strict=True)
    ]
    numerical = [of_floating(row, outputs) for row in changes]
    if forward:
        analytical = forward_products(check, directions)
    else:
        if not shown and any(
            bool((each.abs() > check.nondet_tol).any()) for row in changes for each in row
        ):
            raise GradcheckError(messages.NOT_ZERO)
        rows = [
            backward_jacobians(check, each, [v.reshape(each.shape)])
            for each, v in zip(shown, weights, strict=True)
        ]
        analytical = [[row[j].reshape(-1).dot(u) for row in rows] for j, u in enumerate(directions)]
    for j, u in enumerate(directions):
        for i, (column, v) in enumerate(zip(columns, weights, strict=True)):
            n = numerical[j][column]
            n = n if v is None else (v * n).sum()
            scale = float(u.sum()) * (1.0 if v is None else float(v.sum()))
            if not check.close(analytical[j][i], n, scale):
                slow = _slow_report(check, outputs, shown[i], column, j, forward)
                text = messages.mismatch(n, analytical[j][i], i, j, forward)
                raise GradcheckError(text + slow)


def _random_vectors(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Return positive numbers of norm 1 for each tensor; the same ones at each call."""
    source = random.Generator()
    drawn = [random.rand(each.numel(), generator=source).to(each.dtype) for each in tensors]
    return [vector / vector.norm() for vector in drawn]


def _slow_report(
    check: Check, outputs: tuple[Any, ...], output: Tensor, column: int, j: int, forward: bool
) -> str:
    n = numerical_jacobians(check, check.variables[j], outputs)[column]
    if forward:
        a = forward_jacobians(check, outputs)[j][column]
    else:
        a = backward_jacobians(check._replace(nondet_tol=float("inf")), output)[j]
    return messages.slow(n, a, (n - a).abs().max(), check.close(a, n))


def check_multiplies(check: Check, outputs: tuple[Any, ...], masked: bool) -> None:
    """Raise GradcheckError if a gradient of zero does not give gradients of zero."""
    for gradient in _gradients_of_zero(check, differentiable(outputs)):
        if not (gradient.allclose(creation.zeros_like(gradient)) if masked else _is_zero(gradient)):
            raise GradcheckError("backward not multiplied by grad_output")


def _gradients_of_zero(check: Check, outputs: Sequence[Tensor]) -> list[Tensor]:
    zeros = [creation.zeros_like(each) for each in outputs]
    found = grad(outputs, check.variables, zeros, allow_unused=True)
    return [each for each in found if each is not None]


def _is_zero(gradient: Tensor) -> bool:
    return not gradient.numel() or float(gradient.abs().max()) == 0


class _UndefinedGrad(Function):
    """z = x;  dL/dx = None, as if nothing depended on z."""

    node_name = "UndefinedGrad"

    @staticmethod
    def forward(ctx, x):
        return x.detach()

    @staticmethod
    def backward(ctx, g):
        return None


def check_undefined_grads(check: Check, outputs: tuple[Any, ...]) -> None:
    """Raise GradcheckError if backward cannot do without the gradients of some outputs."""
    count = len(differentiable(outputs))
    without = [range(count)] + ([range(i, i + 1) for i in range(count)] if count > 1 else [])
    for undefined in without:
        again = differentiable(check.outputs())
        roots = [_UndefinedGrad.apply(o) if i in undefined else o for i, o in enumerate(again)]
        try:
            found = _gradients_of_zero(check, roots)
        except RuntimeError as error:
            warnings.warn(messages.UNDEFINED_IS_NEW, stacklevel=3)
            raise GradcheckError(messages.UNDEFINED_UNHANDLED) from error
        if not all(_is_zero(each) for each in found):
            warnings.warn(messages.UNDEFINED_IS_NEW, stacklevel=3)
            raise GradcheckError(messages.UNDEFINED_NOT_ZERO)


def check_undefined_tangents(check: Check) -> None:
    """Raise GradcheckError if no tangent is not the same as a tangent of zeros."""
    with forward_ad.dual_level():
        duals, tangents = with_tangents(check)
        for tangent, vector in zip(tangents, _random_vectors(check.variables), strict=True):
            tangent.copy_(vector.reshape(tangent.shape))
        for i, each in enumerate(check.inputs):
            if not isinstance(each, Tensor) or not each.requires_grad:
                continue
            given = []
            for other in (
                forward_ad.make_dual(each.detach(), creation.zeros_like(each)),
                each.detach(),
            ):
                point = [*duals[:i], other, *duals[i + 1 :]]
                given.append(tangents_of(check, point))
            for j, (zeros, undefined) in enumerate(zip(*given, strict=True)):
                if not zeros.allclose(undefined):
                    raise GradcheckError(*messages.undefined_tangent(j, each, zeros, undefined))
