"""`gradcheck` and `gradgradcheck`: hold what backward computes against finite differences.

The Jacobians are those of `jacobians.py`. With `fast_mode` both are multiplied by random vectors
first, v J u, which costs one difference for each input instead of one for each element.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from autograd_core import creation
from autograd_core.autograd import forward_ad
from autograd_core.autograd import gradcheck_messages as messages
from autograd_core.autograd.jacobians import (
    Check,
    GradcheckError,
    as_tuple,
    backward_jacobians,
    difference,
    differentiable,
    floating,
    forward_jacobians,
    forward_products,
    numerical_jacobians,
    tangents_of,
    with_tangents,
)
from autograd_core.dtypes import float64
from autograd_core.function import Function
from autograd_core.tensor import Tensor

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Return True if the gradients of `func` at `inputs` agree with finite differences.

    `inputs` is a tensor or a tuple; those that require grad, of float64, are checked. Raises
    GradcheckError, or returns False without `raise_exception`, where they disagree; ValueError
    when no input requires grad. (PyTorch: torch.autograd.gradcheck.)
    """
    assert check_forward_ad or check_backward_ad, (
        "Expected at least one of check_forward_ad or check_backward_ad to be True"
    )
    assert check_backward_ad or not check_batched_grad, (
        "Setting check_batched_grad=True requires check_backward_ad to be True"
    )
    assert check_forward_ad or not check_batched_forward_grad, (
        "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
    )
    _refuse_batches(check_batched_grad, check_batched_forward_grad)
    inputs = as_tuple(inputs)
    _check_inputs(inputs)
    check = Check(func, inputs, eps, atol, rtol, nondet_tol, check_grad_dtypes)
    compare = _compare_fast if fast_mode else _compare
    try:
        outputs = check.outputs()
        if check_backward_ad:
            compare(check, outputs, forward=False)
        if check_forward_ad:
            compare(check, outputs, forward=True)
            if check_undefined_grad:
                _check_undefined_tangents(check)
        if check_backward_ad:
            _check_multiplies(check, outputs, bool(masked))
            if check_undefined_grad:
                _check_undefined_grads(check, outputs)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Return True if the gradients of `func`'s gradients agree with finite differences.

    They are those with respect to `inputs` and to `grad_outputs`, drawn at random if not given.
    Raises and returns as `gradcheck` does. (PyTorch: torch.autograd.gradgradcheck.)
    """
    assert check_fwd_over_rev or check_rev_over_rev, (
        "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
    )
    for name, wanted in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        assert check_rev_over_rev or not wanted, (
            f"Setting {name}=True requires check_rev_over_rev to be True"
        )
    inputs = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(as_tuple(func(*inputs)))
        grad_outputs = tuple([_random_like(each, gen_non_contig_grad_outputs) for each in outputs])
    else:
        grad_outputs = as_tuple(grad_outputs)
    both = inputs + grad_outputs
    # Forward mode hands in duals of detached tensors: what requires grad is known only here.
    required = [isinstance(each, Tensor) and each.requires_grad for each in both]

    def gradients(*args: Any) -> tuple[Tensor, ...]:
        from autograd_core.autograd import grad

        args = tuple(
            [each.requires_grad_() if r else each for each, r in zip(args, required, strict=True)]
        )
        points = args[: len(inputs)]
        found = grad(
            differentiable(as_tuple(func(*points))),
            [each for each, r in zip(points, required, strict=False) if r],
            args[len(inputs) :],
            create_graph=True,
            allow_unused=True,
        )
        return tuple([each for each in found if each is not None])

    return gradcheck(
        gradients,
        both,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _refuse_batches(*wanted: bool) -> None:
    for name, each in zip(
        ("check_batched_grad", "check_batched_forward_grad"), wanted, strict=True
    ):
        if each:
            raise NotImplementedError(f"{name}=True needs vmap, which is out of scope here")


def _random_like(output: Tensor, with_gaps: bool) -> Tensor:
    shape = output.shape
    kind = output.dtype if output.is_floating_point() else float64
    if with_gaps and shape:
        drawn = creation.rand(*shape[:-1], 2 * shape[-1], dtype=kind)[..., ::2]
    else:
        drawn = creation.rand(shape, dtype=kind)
    return drawn.mul_(2).sub_(1).requires_grad_()


def _check_inputs(inputs: tuple[Any, ...]) -> None:
    found = False
    for position, each in enumerate(inputs):
        if not isinstance(each, Tensor) or not each.requires_grad:
            continue
        found = True
        if each.dtype is not float64:
            warnings.warn(messages.NOT_DOUBLE.format(position), UserWarning, stacklevel=4)
        if any(s == 0 and n > 1 for s, n in zip(each.stride(), each.shape, strict=True)):
            raise RuntimeError(messages.OVERLAP.format(position))
    if not found:
        raise ValueError(messages.NOTHING_TO_CHECK)


def _compare(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    numerical = [numerical_jacobians(check, variable) for variable in check.variables]
    differentiable = [i for i, each in enumerate(floating(outputs)) if each.requires_grad]
    if not differentiable:
        if any(not _is_zero(jacobian) for row in numerical for jacobian in row):
            raise GradcheckError(messages.NOT_ZERO)
        return
    if forward:
        analytical = forward_jacobians(check, outputs)
    for number, i in enumerate(differentiable):
        if not forward:
            analytical = [
                [None] * i + [jacobian]
                for jacobian in backward_jacobians(check, floating(outputs)[i])
            ]
        for j in range(len(numerical)):
            _expect(check, analytical[j][i], numerical[j][i], number, j, forward)


def _expect(check: Check, a: Any, n: Any, output: int, variable: int, forward: bool) -> None:
    if not check.close(a, n):
        raise GradcheckError(messages.mismatch(n, a, output, variable, forward))


def _compare_fast(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    directions = [_random_vector(each) for each in check.variables]
    shown = floating(outputs) if forward else differentiable(outputs)
    weights: list[Any] = [None if forward else _random_vector(each) for each in shown]
    columns = [i for i, each in enumerate(floating(outputs)) if any(each is o for o in shown)]
    numerical = [
        difference(check, variable.data, u.reshape(variable.shape) * check.eps, "")
        for variable, u in zip(check.variables, directions, strict=True)
    ]
    if forward:
        analytical = forward_products(check, directions)
    else:
        if not shown and any(
            bool((each.abs() > check.nondet_tol).any()) for row in numerical for each in row
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


def _random_vector(tensor: Tensor) -> Tensor:
    """Return positive numbers of norm 1; the same ones at each call, and nobody else's."""
    state = creation.get_rng_state()
    creation.manual_seed(tensor.numel())
    vector = creation.rand(tensor.numel(), dtype=tensor.dtype)
    creation.set_rng_state(state)
    return vector / (vector * vector).sum().sqrt()


def _slow_report(
    check: Check, outputs: tuple[Any, ...], output: Tensor, column: int, j: int, forward: bool
) -> str:
    n = numerical_jacobians(check, check.variables[j])[column]
    if forward:
        a = forward_jacobians(check, outputs)[j][column]
    else:
        a = backward_jacobians(check._replace(nondet_tol=float("inf")), output)[j]
    return messages.slow(n, a, (n - a).abs().max(), check.close(a, n))


def _check_multiplies(check: Check, outputs: tuple[Any, ...], masked: bool) -> None:
    """Raise GradcheckError if a gradient of zero does not give gradients of zero."""
    for gradient in _gradients_of_zero(check, differentiable(outputs)):
        if not (gradient.allclose(creation.zeros_like(gradient)) if masked else _is_zero(gradient)):
            raise GradcheckError("backward not multiplied by grad_output")


def _gradients_of_zero(check: Check, outputs: Sequence[Tensor]) -> list[Tensor]:
    from autograd_core.autograd import grad

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


def _check_undefined_grads(check: Check, outputs: tuple[Any, ...]) -> None:
    """Raise GradcheckError if backward cannot do without the gradients of some outputs."""
    count = len(differentiable(outputs))
    without = [range(count)] + ([range(i, i + 1) for i in range(count)] if count > 1 else [])
    for undefined in without:
        again = differentiable(check.outputs())
        roots = [_UndefinedGrad.apply(o) if i in undefined else o for i, o in enumerate(again)]
        try:
            found = _gradients_of_zero(check, roots)
        except RuntimeError as error:
            warnings.warn(messages.UNDEFINED_IS_NEW, UserWarning, stacklevel=3)
            raise GradcheckError(messages.UNDEFINED_UNHANDLED) from error
        if not all(_is_zero(each) for each in found):
            warnings.warn(messages.UNDEFINED_IS_NEW, UserWarning, stacklevel=3)
            raise GradcheckError(messages.UNDEFINED_NOT_ZERO)


def _check_undefined_tangents(check: Check) -> None:
    """Raise GradcheckError if no tangent is not the same as a tangent of zeros."""
    with forward_ad.dual_level():
        duals, tangents = with_tangents(check)
        for tangent, variable in zip(tangents, check.variables, strict=True):
            tangent.copy_(_random_vector(variable).reshape(tangent.shape))
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
