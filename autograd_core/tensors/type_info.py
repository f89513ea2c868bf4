"""What dtypes can hold, and how they are promoted: `finfo`, `iinfo`, `can_cast`, the default."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.messages import check_argument
from autograd_core.messages.arguments import explained
from autograd_core.tensor import Tensor, data_of
from autograd_core.tensors import dtypes

_DEFAULT: Any = object()


class _Info:
    """The limits of one dtype; prints as PyTorch's."""

    _shown: tuple[str, ...] = ()

    def __init__(self, kind: dtypes.dtype) -> None:
        self._limits: Any = (np.finfo if kind.is_floating_point else np.iinfo)(kind.numpy)
        self._kind = kind
        self.bits, self.dtype = 8 * kind.itemsize, kind.name
        number = float if kind.is_floating_point else int
        self.min, self.max = number(self._limits.min), number(self._limits.max)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Info) and self._kind is other._kind

    def __repr__(self) -> str:
        values = [f"{name}={getattr(self, name):g}" for name in self._shown]
        return f"{type(self).__name__}({', '.join(values)}, dtype={self.dtype})"


class finfo(_Info):  # noqa: N801 - PyTorch's name
    """The limits and precision of a floating dtype, the default one if none is named."""

    _shown = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")

    def __init__(self, type: Any = _DEFAULT) -> None:
        kind = dtypes.default() if type is _DEFAULT else _as_dtype("finfo", type)
        if not kind.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        super().__init__(kind)
        self.eps, self.resolution = float(self._limits.eps), float(str(self._limits.resolution))
        self.tiny = self.smallest_normal = float(self._limits.tiny)


class iinfo(_Info):  # noqa: N801
    """The limits of an integer dtype."""

    _shown = ("min", "max")

    def __init__(self, type: Any = _DEFAULT) -> None:
        if type is _DEFAULT:
            raise TypeError('iinfo() missing 1 required positional arguments: "type"')
        kind = _as_dtype("iinfo", type)
        if kind.is_floating_point:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        if kind is dtypes.bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        super().__init__(kind)


def _as_dtype(function: str, value: Any) -> dtypes.dtype:
    value = dtypes.of_type(value)
    check_argument(function, "type", value, dtypes.dtype, 1, "torch.dtype")
    return value


def get_default_dtype() -> dtypes.dtype:
    """Return the dtype that Python floats take."""
    return dtypes.default()


def set_default_dtype(d: dtypes.dtype) -> None:
    """Set the dtype that Python floats take; TypeError unless it is a floating one."""
    only = "only floating-point types are supported as the default type"
    if not isinstance(d, dtypes.dtype):
        raise TypeError(f"invalid dtype object: {only}")
    if not d.is_floating_point:
        raise TypeError(only)
    dtypes.set_default(d)


@explained
def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """Return the dtype of an operation between the two, tensors or numbers."""
    operands = [
        each.item() if isinstance(each, np.generic) else data_of(each)
        for each in (tensor1, tensor2)
    ]
    return dtypes.result_type(*operands)


@explained
def promote_types(type1: dtypes.dtype, type2: dtypes.dtype) -> dtypes.dtype:
    """Return the smallest dtype that both fit into without changing the kind of number."""
    return dtypes.wider(type1, type2)


@explained
def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> bool:
    """Return whether type promotion allows the cast: never to a lower kind, as int to bool."""
    return from_.category <= to.category


def is_tensor(obj: Any) -> bool:
    """Return whether `obj` is a tensor."""
    return isinstance(obj, Tensor)


def typename(obj: Any) -> str:
    """Return the full name of an object's type; of a tensor the legacy one, `torch.FloatTensor`."""
    if isinstance(obj, Tensor):
        return obj.type()
    known = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(known, "__module__", "") or ""
    # Classes of this package go by the names that they have in PyTorch.
    module = module.replace("autograd_core", "torch", 1)
    return known.__qualname__ if module in ("", "builtins") else f"{module}.{known.__qualname__}"
