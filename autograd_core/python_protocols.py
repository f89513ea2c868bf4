"""Tensors among Python's and NumPy's own: `in`, `reversed`, `complex`, `np.asarray`, ufuncs."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.ops import comparison
from autograd_core.ops.elementwise import OPERANDS
from autograd_core.tensor import Tensor, wrap


def contains(self: Tensor, element: Any) -> bool:
    """Return whether some element equals the number or tensor `element`."""
    if not isinstance(element, Tensor | int | float | np.number | np.bool_):
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )
    return bool(comparison.eq(self.detach(), element).any())


def equals(self: Tensor, other: Any) -> Any:
    """Return where both are equal; NotImplemented for what is no tensor, array or number."""
    if isinstance(other, np.ndarray):
        other = wrap(other)
    return comparison.eq(self, other) if isinstance(other, OPERANDS) else NotImplemented


def reverse(self: Tensor) -> Tensor:
    """Return the tensor with its first dimension reversed."""
    return self.flip(0) if self.dim() else self


def to_complex(self: Tensor) -> complex:
    """Return the only element as a complex number."""
    return complex(float(self))


def array(self: Tensor, dtype: Any = None) -> np.ndarray:
    """Return the elements as an array, which shares this tensor's memory where it can."""
    made = self.numpy()
    return made if dtype is None else made.astype(dtype, copy=False)


# NumPy looks for this name in the error that says it takes no `copy`.
array.__qualname__ = "Tensor.__array__"


def array_wrap(self: Tensor, array: Any) -> Tensor:
    """Return what a NumPy function made of this tensor as a tensor."""
    return wrap(array if array.ndim else array[()])


def _later(module: str, function: str) -> Callable[..., Any]:
    """Return a method whose module is loaded when the method is first called."""

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        found = getattr(importlib.import_module(f"autograd_core.{module}"), function)
        return found(self, *args, **kwargs)

    call.__name__ = function
    return call


METHODS: dict[str, Callable[..., Any]] = {
    "__contains__": contains,
    "__eq__": equals,
    "__reversed__": reverse,
    "__complex__": to_complex,
    "__array__": array,
    "__array_wrap__": array_wrap,
    "__init__": _later("legacy_constructors", "init"),
    "new": _later("legacy_constructors", "new"),
    "__deepcopy__": _later("pickling", "deepcopy"),
    "__reduce_ex__": _later("pickling", "reduce_ex"),
    "__setstate__": _later("pickling", "setstate"),
}
