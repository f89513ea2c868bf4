"""Other dtypes: `to`, `type`, `float()` and their like. There is only one device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.messages import check_argument
from autograd_core.ops.copying import ToCopy
from autograd_core.ops.making import called
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import check_cpu, contiguous_format, device

_ORDERS = {
    "device": ("device", "dtype", "non_blocking", "copy"),
    "dtype": ("dtype", "non_blocking", "copy"),
    "tensor": ("tensor", "non_blocking", "copy"),
}


def to(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Return `input` in another dtype; itself if it has that dtype, unless `copy` is True.

    Called as to(dtype), to(device, dtype) or to(other), each with non_blocking=, copy= and
    memory_format=. NotImplementedError for devices other than the cpu.
    """
    if len(args) == 1 and not kwargs and isinstance(args[0], dtypes.dtype):
        return in_dtype(input, args[0])
    if args and isinstance(args[0], np.dtype):
        return in_dtype(input, dtypes.of(args[0]))
    if args and isinstance(args[0], float):
        # PyTorch takes a number's type.
        args = dtypes.asked("to", args[0].__class__), *args[1:]
    given = dict(zip(_ORDERS[_kind_of_call(args, kwargs)], args, strict=False)) | kwargs
    check_cpu(given.get("device"))
    wanted = given["tensor"].dtype if "tensor" in given else given.get("dtype")
    moved = in_dtype(input, dtypes.asked("to", wanted), bool(given.get("copy")))
    return moved.contiguous() if given.get("memory_format") is contiguous_format else moved


def in_dtype(input: Tensor, kind: dtypes.dtype | None, copy: bool = False) -> Tensor:
    """Return `input` in a dtype (None: its own); itself if it has that dtype, unless `copy`."""
    target = input._array.dtype if kind is None else kind.numpy
    return ToCopy.apply(input, target) if copy or input._array.dtype != target else input


def type(input: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Return the legacy name of the tensor's type, or the tensor in the given dtype."""
    if dtype is None:
        return f"torch.{input.dtype.legacy}"
    if isinstance(dtype, dtypes.dtype):
        return in_dtype(input, dtype)
    if not isinstance(dtype, str) and not hasattr(dtype, "__name__"):
        raise TypeError("dtype must be a type, str, or dtype object")
    module = getattr(dtype, "__module__", "")
    name = dtype if isinstance(dtype, str) else f"{module}.{dtype.__name__}"
    return in_dtype(input, legacy_type(name.removeprefix("builtins.")))


def legacy_type(name: str) -> dtypes.dtype:
    """Return the dtype of a legacy name such as `torch.LongTensor`; ValueError for other names."""
    if name == "torch.Tensor":
        return dtypes.default()
    if name.startswith("torch.cuda."):
        raise NotImplementedError(f"{name}: autograd_core knows only the cpu")
    for kind in dtypes.ALL:
        if name == f"torch.{kind.legacy}":
            return kind
    raise ValueError(f"invalid type: '{name}'")


def type_as(input: Tensor, other: Any) -> Tensor:
    """Return `input` in the dtype of another tensor."""
    check_argument("type_as", "other", other, Tensor, 1)
    return in_dtype(input, other.dtype)


def cpu(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """Return `input`: the cpu is the only device."""
    return input


def cuda(input: Tensor, device: Any = None, non_blocking: bool = False, **_: Any) -> Tensor:
    """Refuse: the cpu is the only device."""
    raise NotImplementedError("cuda() is not supported: autograd_core knows only the cpu")


def _conversion(kind: dtypes.dtype) -> Callable[..., Tensor]:
    def convert(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return in_dtype(self, kind)

    return called(kind.title.lower(), f"Return this tensor as {kind.name}.", convert)


_ALL: tuple[Any, ...] = (to, type, type_as, cpu, cuda, *map(_conversion, dtypes.ALL))
METHODS: dict[str, Callable[..., Any]] = {each.__name__: each for each in _ALL}


def _kind_of_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    first = args[0] if args else None
    kinds = {"device": device | str | int | None, "dtype": dtypes.dtype, "tensor": Tensor}
    flags = args[2:] if isinstance(first, kinds["device"]) else args[1:]
    wrong = isinstance(first, bool) or any(not isinstance(each, bool) for each in flags)
    for kind, classes in kinds.items():
        known = {*_ORDERS[kind][len(args) :], "memory_format"}
        fits = isinstance(first, classes) or (kind == "dtype" and first in (float, int, bool))
        if not wrong and (fits or not args) and known.issuperset(kwargs):
            return kind
    raise TypeError
