"""Copies: clone, contiguous, other dtypes, reversed dimensions, a border."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.modes import grad_mode
from autograd_core.modes.inference import copied
from autograd_core.ops.dims import dims_of
from autograd_core.ops.making import named
from autograd_core.ops.operator import Linear, Symmetric
from autograd_core.ops.order_in_memory import alike, converted, copy_of, laid_in_order
from autograd_core.ops.shape import sizes_of
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.device import contiguous_format, memory_format, preserve_format


class Clone(Symmetric):
    """z = a copy of x in the memory layout of x;  dL/dx = g."""

    copy: Any = staticmethod(copy_of)

    @classmethod
    def forward(cls, x):
        z = wrap(cls.copy(x._array))
        return copied(x, z) if grad_mode.inference_used else z

    @staticmethod
    def backward(ctx, g):
        return g


# Contiguous.
CloneInOrder = named("CloneInOrder", Clone, "CloneBackward0", copy=lambda data: data.copy())


class ToCopy(Linear):
    """z = x in another dtype;  dL/dx = g in the dtype of x."""

    @staticmethod
    def forward(x, dtype):
        z = wrap(converted(x._array, dtype))
        return copied(x, z) if grad_mode.inference_used else z

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.dtype, ctx.arguments = inputs[0]._array.dtype, inputs[1:]

    @staticmethod
    def backward(ctx, g):
        return g.to(ctx.dtype), None


class Flip(Linear):
    """z = x with dimensions reversed;  dL/dx = g with them reversed."""

    @staticmethod
    def forward(x, dims):
        z = alike(x._array, x._array.dtype)
        z[...] = np.flip(x._array, dims)
        return wrap(z if z.ndim else z[()])

    @staticmethod
    def backward(ctx, g):
        return Flip.apply(g, *ctx.arguments), None


class Pad(Linear):
    """z = x with a border of one number, or, where that is negative, cut;  dL/dx = g inside."""

    node_name = "ConstantPadNdBackward0"

    @staticmethod
    def forward(x, widths, value):
        inside = tuple(
            slice(max(-before, 0), length - max(-after, 0))
            for (before, after), length in zip(widths, x.shape, strict=True)
        )
        border = [(max(before, 0), max(after, 0)) for before, after in widths]
        return wrap(laid_in_order(np.pad(x.memory()[inside], border, constant_values=value)))

    @staticmethod
    def backward(ctx, g):
        widths, _ = ctx.arguments
        return Pad.apply(g, [(-before, -after) for before, after in widths], 0), None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        return Pad.apply(dx, ctx.arguments[0], 0)


def clone(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    """Return a copy, through which gradients flow back.

    It has the memory layout of `input`; with `contiguous_format` it is contiguous.
    """
    _check_format(memory_format)
    return (CloneInOrder if memory_format is contiguous_format else Clone).apply(input)


def contiguous(input: Tensor, *, memory_format: memory_format = contiguous_format) -> Tensor:
    """Return `input` if it is contiguous, else a contiguous copy."""
    _check_format(memory_format)
    if input.is_contiguous():
        return input
    if memory_format is preserve_format:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return CloneInOrder.apply(input)


def _check_format(given: Any) -> None:
    if not isinstance(given, memory_format | None):
        raise TypeError(f"memory_format must be torch.memory_format, not {type(given).__name__}")


def flip(input: Tensor, *order: Any, dims: Any = None) -> Tensor:
    """Return a copy with the given dimensions reversed."""
    wanted = sizes_of(order, dims)
    return Flip.apply(input, dims_of(input, wanted) if wanted else ())


def fliplr(input: Tensor) -> Tensor:
    """Return a copy with the second dimension reversed; RuntimeError if there is none."""
    if input.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """Return a copy with the first dimension reversed; RuntimeError if there is none."""
    if not input.dim():
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)
