"""Python's and NumPy's protocols: tensors in `if`, `float`, `len`, `in`, `format`, `np.asarray`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograd_core.messages import warn_once
from autograd_core.messages.unsupported import refuse_overrides
from autograd_core.modes.grad_mode import mode
from autograd_core.ops import comparison
from autograd_core.ops.elementwise import OPERANDS
from autograd_core.tensor import Tensor, wrap

_TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)


def to_bool(self: Tensor) -> bool:
    """Return whether the only element is not zero; RuntimeError for several elements, or none."""
    if self._array.size != 1:
        many = "more than one value" if self._array.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(self._array.item())


def to_int(self: Tensor) -> int:
    """Return the only element as an int, cut off towards zero; ValueError for several elements."""
    return int(_number(self))


def to_float(self: Tensor) -> float:
    """Return the only element as a float; warn if the tensor requires grad in grad mode."""
    if mode.enabled and self.requires_grad:
        warn_once(_TO_SCALAR)
    return float(_number(self))


def to_index(self: Tensor) -> int:
    """Return the only element, an integer, for use as an index of Python's lists."""
    if self.dtype.is_floating_point or self._array.size != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._array.item())


def _number(self: Tensor) -> Any:
    """Return the only element; ValueError for several elements."""
    if self._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return self._array.item()


def length(self: Tensor) -> int:
    """Return the length of the first dimension; TypeError if there is none."""
    if not self._array.ndim:
        raise TypeError("len() of a 0-d tensor")
    return self._array.shape[0]


def iterate(self: Tensor) -> Iterator[Tensor]:
    """Return the parts along the first dimension, one after the other."""
    if not self._array.ndim:
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def formatted(self: Tensor, spec: str) -> str:
    """Return a 0-d tensor formatted as its number, so that f"{x.grad}" shows all digits."""
    if self._array.ndim == 0 and type(self) is Tensor:
        return format(self._array.item(), spec)
    return object.__format__(self, spec)


def contains(self: Tensor, element: Any) -> bool:
    """Return whether some element equals the number or tensor `element`."""
    if not isinstance(element, OPERANDS):
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )
    return bool(comparison.eq(self.detach(), element).any())


def equals(self: Tensor, other: Any) -> Any:
    """Return where both are equal; NotImplemented unless `other` is a tensor, array or number."""
    if isinstance(other, np.ndarray):
        other = wrap(other)
    return comparison.eq(self, other) if isinstance(other, OPERANDS) else NotImplemented


def array(self: Tensor, dtype: Any = None) -> np.ndarray:
    """Return the elements as an array, which shares this tensor's memory where it can."""
    made = self.numpy()
    return made if dtype is None else made.astype(dtype, copy=False)


def dlpack(self: Tensor, **options: Any) -> Any:
    """Return the memory of a tensor that requires no grad for another package, such as NumPy."""
    if self.requires_grad:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
    return self.numpy().__dlpack__(**options)


# NumPy calls without `copy` if the TypeError for it names this function.
array.__qualname__ = "Tensor.__array__"


def wrapped(self: Tensor, array: np.ndarray) -> Tensor:
    """Return a NumPy function's result as a tensor; as in PyTorch, bools become uint8."""
    array = array.astype(np.uint8) if array.dtype == np.bool_ else array
    return wrap(array if array.ndim else array[()])


def _later(module: str, function: str) -> Callable[..., Any]:
    """Return a method whose module is loaded when the method is first called."""

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        found = getattr(importlib.import_module(f"autograd_core.{module}"), function)
        return found(self, *args, **kwargs)

    call.__name__ = function
    return call


def refuse_deletion(self: Tensor, index: Any) -> None:
    """Refuse: a tensor's shape does not change with its elements."""
    raise TypeError("Tensor does not support deleting items")


def begin_subclass(cls: type[Tensor], **options: Any) -> None:
    """Refuse a subclass that would have operators call a method of its own."""
    refuse_overrides(cls)
    super(Tensor, cls).__init_subclass__(**options)


METHODS: dict[str, Any] = {
    "__bool__": to_bool,
    "__float__": to_float,
    "__int__": to_int,
    "__index__": to_index,
    "__len__": length,
    "__iter__": iterate,
    "__repr__": _later("tensors.printing", "tensor_str"),
    "__format__": formatted,
    "__contains__": contains,
    "__delitem__": refuse_deletion,
    "__eq__": equals,
    "__reversed__": lambda self: self.flip(0) if self.dim() else self,
    "__complex__": lambda self: complex(float(self)),
    "__array__": array,
    "__dlpack__": dlpack,
    "__dlpack_device__": lambda self: self.detach().numpy().__dlpack_device__(),
    "__array_wrap__": wrapped,
    "__init_subclass__": classmethod(begin_subclass),
    # As in PyTorch, so that the `__init__` of a subclass need not call this class's.
    "__new__": staticmethod(_later("creation.legacy", "construct")),
    "new": _later("creation.legacy", "new"),
    "__deepcopy__": _later("tensors.pickling", "deepcopy"),
    "__reduce_ex__": _later("tensors.pickling", "reduce_ex"),
    "__setstate__": _later("tensors.pickling", "setstate"),
}
