"""`gradcheck` and `gradgradcheck`: compare what backward computes with finite differences.

The checks themselves are in `gradient_checks.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.autograd import gradcheck_messages as messages
from autograd_core.autograd import gradient_checks as checks
from autograd_core.autograd.gradient_checks import GradcheckError, as_tuple, differentiable
from autograd_core.autograd.gradients import grad
from autograd_core.messages import warn
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import float64
from autograd_core.testing.making import make_tensor

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
    GradcheckError if they disagree, or returns False without `raise_exception`; ValueError if no
    input requires grad. (PyTorch: torch.autograd.gradcheck.)
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
    for name, wanted in (
        ("check_batched_grad", check_batched_grad),
        ("check_batched_forward_grad", check_batched_forward_grad),
    ):
        if wanted:
            raise NotImplementedError(f"{name}=True needs vmap, which is out of scope here")
    inputs = as_tuple(inputs)
    _check_inputs(inputs)
    # As in PyTorch, dtypes are checked even if `check_grad_dtypes` does not ask for it.
    check = checks.Check(func, inputs, eps, atol, rtol, nondet_tol, True)
    compare = checks.compare_fast if fast_mode else checks.compare
    try:
        outputs = check.outputs()
        # As in PyTorch, AttributeError for an output that is no tensor.
        differentiable(outputs)
        if check_backward_ad:
            compare(check, outputs, forward=False)
        if check_forward_ad:
            compare(check, outputs, forward=True)
            if check_undefined_grad:
                checks.check_undefined_tangents(check)
        if check_backward_ad:
            checks.check_multiplies(check, outputs, bool(masked))
            if check_undefined_grad:
                checks.check_undefined_grads(check, outputs)
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
    Raises, returns and takes the other options as `gradcheck` does. (PyTorch:
    torch.autograd.gradgradcheck.)
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
    # Noted here, because forward mode passes duals of detached tensors, which require no grad.
    required = [isinstance(each, Tensor) and each.requires_grad for each in both]

    def gradients(*args: Any) -> tuple[Tensor, ...]:
        args = tuple(
            [each.requires_grad_() if r else each for each, r in zip(args, required, strict=True)]
        )
        points, weights = args[: -len(grad_outputs)], args[-len(grad_outputs) :]
        outputs = differentiable(as_tuple(func(*points)))
        wanted = [each for each, r in zip(points, required, strict=False) if r]
        found = grad(outputs, wanted, weights, create_graph=True, allow_unused=True)
        return tuple([each for each in found if each is not None])

    return gradcheck(
        gradients, both, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode, masked=masked,
    )  # fmt: skip


def get_numerical_jacobian(
    fn: Callable[..., Any],
    inputs: Any,
    target: Any = None,
    eps: float = 1e-3,
    grad_out: float = 1.0,
) -> tuple[Tensor, ...]:
    """Return the Jacobian of fn's first output for each input, or `target`, by finite differences.

    Deprecated, as in PyTorch.
    """
    _warn_of_old("get_numerical_jacobian", grad_out)
    inputs = as_tuple(inputs)
    check = checks.Check(lambda *inputs: fn(inputs), inputs, eps, 0.0, 0.0, 0.0, False)
    targets = check._replace(inputs=inputs if target is None else as_tuple(target)).variables
    outputs = check.outputs()
    return tuple([checks.numerical_jacobians(check, each, outputs)[0] for each in targets])


def get_analytical_jacobian(
    inputs: Any, output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[tuple[Tensor, ...], bool, bool, bool]:
    """Return the Jacobian of `output` for each input, by backward, and whether it is reproducible.

    Two more results, about sizes and dtypes, are always True. Deprecated, as in PyTorch.
    """
    _warn_of_old("get_analytical_jacobian", grad_out)
    check = checks.Check(grad, as_tuple(inputs), 0.0, 0.0, 0.0, nondet_tol, False)
    found, again = checks.backward_twice(check, output)
    return tuple(found), again, True, True


def _warn_of_old(name: str, grad_out: float) -> None:
    warn(messages.PRIVATE.format(name), FutureWarning)
    if grad_out != 1.0:
        raise ValueError(messages.GRAD_OUT.format(name))


def _random_like(output: Tensor, with_gaps: bool) -> Tensor:
    kind = output.dtype if output.is_floating_point() else float64
    return make_tensor(
        output.shape, dtype=kind, device=output.device, low=-1, high=1, requires_grad=True,
        noncontiguous=with_gaps,
    )  # fmt: skip


def _check_inputs(inputs: tuple[Any, ...]) -> None:
    found = False
    for position, each in enumerate(inputs):
        if not isinstance(each, Tensor) or not each.requires_grad:
            continue
        found = True
        if each.dtype is not float64:
            warn(messages.NOT_DOUBLE.format(position))
        if any(s == 0 and n > 1 for s, n in zip(each.stride(), each.shape, strict=True)):
            raise RuntimeError(messages.OVERLAP.format(position))
    if not found:
        raise ValueError(messages.NOTHING_TO_CHECK)
