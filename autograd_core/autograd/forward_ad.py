"""Dual tensors, the interface of forward mode, under PyTorch's name `torch.autograd.forward_ad`."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograd_core.forward_mode import levels, tangents
from autograd_core.forward_mode.levels import (
    _set_fwd_grad_enabled,
    dual_level,
    enter_dual_level,
    exit_dual_level,
)
from autograd_core.forward_mode.tangents import tangent_of
from autograd_core.messages import check_argument
from autograd_core.modes.grad_mode import is_fwd_grad_enabled as _is_fwd_grad_enabled
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import escapes_recording
from autograd_core.ops.shape import Primal
from autograd_core.rules.overlap import check_overlap
from autograd_core.tensor import Tensor


class UnpackedDualTensor(NamedTuple):
    """A dual tensor's two parts; `tangent` is None for a tensor that is not dual."""

    primal: Tensor
    tangent: Tensor | None


def __getattr__(name: str) -> Any:
    if name == "_current_level":
        return levels.entered - 1
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a view of `tensor` that carries `tangent`, a floating tensor of the same shape.

    The tangent is kept as it is, or copied if its memory layout is not the tensor's; in inference
    mode and if both are inference tensors, it is dropped. Raises RuntimeError outside of a level,
    for other shapes, if one of the two is dual already, and if elements of `tensor`, but not of
    `tangent`, share memory; ValueError for integers.
    """
    level = levels.entered - 1 if level is None else level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    for role, each in (("primal", tensor), ("tangent", tangent)):
        if not each.is_floating_point():
            raise ValueError(
                f"Expected {role} to be floating point or complex, but got: {each.dtype}"
            )
    if mode.inference or escapes_recording(Primal, (tensor, tangent)):
        return unpack_dual(tensor).primal
    if level >= levels.entered:
        raise RuntimeError("Invalid level given to _make_dual")
    if levels.active() and tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {level} is not supported."
        )
    if tangent.stride() != tensor.stride() and tangent.shape == tensor.shape:
        # The tangent would have to be copied into the layout of the tensor.
        check_overlap(tensor)
    dual = tensor.view_as(tensor)
    tangents.attach(dual, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return a view of the primal, which carries no tangent, and the tangent or None."""
    level = levels.entered - 1 if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    check_argument("_unpack_dual", "dual", tensor, Tensor, 1)
    tangent = tangent_of(tensor) if levels.active() else None
    if tangent is not None and level >= levels.entered:
        raise RuntimeError("Invalid level given to _fw_primal")
    primal = Primal.apply(tensor)
    tangents.attach(primal, None)
    return UnpackedDualTensor(primal, tangent)
