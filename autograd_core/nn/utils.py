"""Functions of all parameters together: gradient clipping, and parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_core import creation
from autograd_core.messages.unsupported import refusing
from autograd_core.modes.grad_mode import no_grad
from autograd_core.ops.joining import cat, stack
from autograd_core.tensor import Tensor
from autograd_core.tensors.type_info import typename

__getattr__ = refusing(__name__)

_Parameters = Tensor | Iterable[Tensor]
_NON_FINITE = (
    "The total norm of order {} for gradients from `parameters` is non-finite, so it cannot be "
    "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
    "`error_if_nonfinite=False`"
)
_NO_GRADIENTS = (
    "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message "
    "be improved?  If so, please report an enhancement request to PyTorch.)"
)


@no_grad()
def get_total_norm(
    tensors: _Parameters,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Return the norm of all elements of all tensors: (sum |x|^p)^(1/p), or the largest |x|."""
    norm_type = float(norm_type)
    norms = [tensor.norm(norm_type) for tensor in _listed(tensors)]
    if not norms:
        return creation.zeros(())
    total = stack(norms).norm(norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(_NON_FINITE.format(norm_type))
    return total


@no_grad()
def clip_grads_with_norm_(
    parameters: _Parameters, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale all gradients, in place, by max_norm / total_norm, never by more than 1."""
    total: Any = total_norm + 1e-6
    scale = (float(max_norm) / total).clamp(max=1.0)
    for parameter in _listed(parameters):
        if parameter.grad is not None:
            parameter.grad.mul_(scale.to(parameter.grad.dtype))


@no_grad()
def clip_grad_norm_(
    parameters: _Parameters,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients, in place, until their norm together is `max_norm`; return what it was.

    Raises RuntimeError, if asked to, where that norm is not finite.
    """
    parameters = _listed(parameters)
    grads = [each.grad for each in parameters if each.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


@no_grad()
def clip_grad_value_(
    parameters: _Parameters, clip_value: float, foreach: bool | None = None
) -> None:
    """Move all elements of all gradients, in place, into [-clip_value, clip_value]."""
    limit = float(clip_value)
    grads = [each.grad for each in _listed(parameters) if each.grad is not None]
    if not grads:
        raise RuntimeError(_NO_GRADIENTS)
    for grad in grads:
        grad.clamp_(min=-limit, max=limit)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return all elements of all parameters in one vector; the history is kept."""
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let the `.data` of each parameter be its part of a vector, in the same memory."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end


def _listed(tensors: _Parameters) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)
