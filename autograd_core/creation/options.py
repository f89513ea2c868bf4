"""The keyword arguments that all functions share that make tensors: `dtype`, `out`, …"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_core.messages import check_argument, warn, wrong_type
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.order_in_memory import in_order
from autograd_core.ops.resizing import resized
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import check_cpu, preserve_format, strided

NO_GRAD_FOR_INTEGERS = "Only Tensors of floating point and complex dtype can require gradients"
NO_GRADIENT_IN_OUT = (
    "{}(): functions with out=... arguments don't support automatic differentiation, but one of "
    "the arguments requires grad."
)
_COUNTED = (
    "The number of elements in the out tensor of shape {0} is {1} which does not match the "
    "computed number of elements {2}. Note that this may occur as a result of rounding error. The "
    "out tensor will be resized to a tensor of shape ({2},)."
)
_COMMON = {"dtype", "layout", "device", "pin_memory", "requires_grad"}
# Functions that copy data have no `layout`.
_OF_COPIES = {
    "tensor": _COMMON - {"layout"},
    "new_tensor": _COMMON - {"layout", "pin_memory"},
    "asarray": _COMMON - {"layout", "pin_memory"},
}


class Options:
    """The options of a call of `function`, such as `dtype` (None if not given).

    Raises TypeError for keywords that PyTorch does not know, NotImplementedError for what this
    package lacks: other devices and pinned memory.
    """

    __slots__ = ("_function", "_out", "_requires_grad", "dtype", "generator", "keeps_strides")

    def __init__(self, function: str, given: dict[str, Any], *also: str) -> None:
        known = _OF_COPIES.get(function, _COMMON)
        for name in given:
            if name not in known and name not in also:
                raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
        get = given.get
        check_cpu(get("device"))
        if get("layout") not in (None, strided):
            raise wrong_type(f"{function}(): argument 'layout'", "torch.layout", get("layout"))
        if pinned := get("pin_memory"):
            check_argument(function, "pin_memory", pinned, bool)
            raise NotImplementedError("pinned memory is not supported by autograd_core")
        self.dtype = dtypes.asked(function, get("dtype"))
        self.generator = get("generator")
        self.keeps_strides = get("memory_format") in (None, preserve_format)
        self._function, self._out = function, get("out")
        if self._out is not None:
            self._check_out()
        self._requires_grad = flag = get("requires_grad", False)
        may_be_none = flag is None and function not in ("tensor", "new_tensor")
        if not may_be_none and not isinstance(flag, bool):
            raise wrong_type(f"{function}(): argument 'requires_grad'", "bool", flag)

    def _check_out(self) -> None:
        out: Any = self._out
        dtype = self.dtype
        check_argument(self._function, "out", out, Tensor)
        if dtype is not None and dtype is not out.dtype:
            raise RuntimeError(
                f"dtype {dtype.title} does not match dtype of out parameter ({out.dtype.title})"
            )

    def numpy(self, otherwise: dtypes.dtype | None = None) -> np.dtype:
        """Return the NumPy dtype of the result: the one asked for, or `otherwise`."""
        if self.dtype is None and self._out is not None:
            return self._out.dtype.numpy
        return (self.dtype or otherwise or dtypes.default()).numpy

    def finish_row(self, data: np.ndarray, rounded: bool = False) -> Tensor:
        """As `finish`, but an `out` with the right number of elements keeps its shape.

        Any other `out` gives a warning, if the number of elements depends on rounding (`rounded`).
        """
        if self._out is not None and self._out.numel() == data.size:
            data = data.reshape(self._out.shape)
        elif self._out is not None and self._out.numel() and rounded:
            warn(_COUNTED.format(list(self._out.shape), self._out.numel(), data.size))
        return self.finish(data)

    def finish(self, data: Any) -> Tensor:
        """Return the NumPy `data` as a tensor, or written into `out`."""
        if isinstance(data, np.ndarray):
            if not data.ndim:
                data = data[()]
            elif not data.size and not any(data.strides):
                # Views need its strides, which NumPy does not keep for an array without elements.
                steps = in_order(data.shape, data.itemsize)
                data = np.ndarray(data.shape, data.dtype, data, 0, steps)
        result = wrap(data)
        if (out := self._out) is not None:
            if mode.enabled and out.requires_grad:
                raise RuntimeError(NO_GRADIENT_IN_OUT.format(f"aten::{self._function}"))
            if out.shape != result.shape:
                resized(out, result.shape)
            return out.copy_(result).requires_grad_(bool(self._requires_grad))
        if self._requires_grad:
            if not result.is_floating_point():
                raise RuntimeError(NO_GRAD_FOR_INTEGERS)
            result._requires_grad = True
        return result


def size_of(function: str, size: tuple[Any, ...], given: dict[str, Any]) -> tuple[int, ...]:
    """Return the shape that a caller gave as integers, one sequence, or `size=`."""
    if not size:
        if "size" not in given:
            raise TypeError(f'{function}() missing 1 required positional arguments: "size"')
        size = (given.pop("size"),)
        if not isinstance(size[0], tuple | list):
            raise TypeError
    first = size[0]
    several = len(size) == 1 and isinstance(first, tuple | list)
    lengths = first if several else size
    if set(map(type, lengths)) - {int}:
        # As in PyTorch, the first length must not be a bool; others may.
        if isinstance(lengths[0], bool | np.bool_):
            raise TypeError
        lengths = [operator.index(each) for each in lengths]
    for length in lengths:
        if length < 0:
            raise RuntimeError(negative_size(function, tuple(lengths), length))
    return tuple(lengths)


def negative_size(function: str, size: tuple[int, ...], length: int) -> str:
    """Say in PyTorch's words that a dimension cannot have a negative length."""
    if function == "zeros":
        return f"{function}: Dimension size must be non-negative."
    return f"Trying to create tensor with negative dimension {length}: {list(size)}"
