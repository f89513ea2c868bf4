"""The constructors that are older than `tensor()`: `Tensor(2, 3)`, `LongTensor([1])`, `x.new()`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from autograd_core.creation import from_data
from autograd_core.creation.options import size_of
from autograd_core.messages import type_name, warn_once
from autograd_core.messages.arguments import check_arguments
from autograd_core.ops.conversion import legacy_type
from autograd_core.ops.shape import Alias
from autograd_core.storage import Storage
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import device as device_type
from autograd_core.tensors.size import Size
from autograd_core.tensors.type_info import set_default_dtype

_SET_DEFAULT = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives."
)
_OPTIONS = (
    "TensorOptions(dtype={}, device=cpu, layout=Strided, requires_grad=false (default), "
    "pinned_memory=false (default), memory_format=(nullopt))"
)
_NAMES = {"size", "storage", "other", "data"}


class tensortype(type):  # noqa: N801 - PyTorch's name
    """The type of `FloatTensor` and its like, which make tensors and take part in `isinstance`."""

    dtype: dtypes.dtype
    is_cuda = False

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a tensor of this dtype, of a given size or with given data."""
        return _typed(cls.dtype, args, kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


TYPES: dict[str, tensortype] = {
    each.legacy: tensortype(each.legacy, (), {"dtype": each, "__module__": "torch"})
    for each in dtypes.ALL
}
globals().update(TYPES)


def set_default_tensor_type(t: Any) -> None:
    """Set the dtype that Python floats take, by an old type or its name. Deprecated."""
    warn_once(_SET_DEFAULT)
    set_default_dtype(t.dtype if isinstance(t, tensortype) else legacy_type(t))


def construct(cls: type[Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """Return a tensor of the default dtype: of a given size, with data, or an alias of a tensor."""
    source = made(dtypes.default(), args, kwargs)
    tensor = object.__new__(cls)
    vars(tensor).update(vars(source))
    return tensor


def new(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Return a tensor of this one's dtype, of a given size or with given data."""
    return _typed(self.dtype, args, kwargs)


def _typed(kind: dtypes.dtype, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """As `made`; TypeError for a tensor of another dtype."""
    if len(args) == 1 and isinstance(args[0], Tensor) and args[0].dtype is not kind:
        expected, got = (_OPTIONS.format(each.in_c) for each in (kind, args[0].dtype))
        raise TypeError(f"expected {expected} (got {got})")
    return made(kind, args, kwargs)


def made(kind: dtypes.dtype, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """Return what PyTorch's legacy constructors make of their arguments."""
    refuse = partial(check_arguments, "new", args, kwargs, TypeError(), False, made)
    given = {name: value for name, value in kwargs.items() if name != "device"}
    if len(given) + bool(args) > 1 or not given.keys() <= _NAMES:
        refuse()
    place = device_type(kwargs.get("device") or "cpu")
    if place.type != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {place.type} was passed"
        )
    if not given:
        is_data = len(args) == 1 and (isinstance(args[0], Tensor) or not _begins_size(args[0]))
        given = {"data": args[0]} if is_data else {"size": args or (0,)}
    ((name, value),) = given.items()
    if name != "size":
        return _of_one(kind, value)
    if not isinstance(value, tuple | list) or not all(map(_begins_size, value[:1])):
        refuse()
    for position, length in enumerate(value):
        if not _is_length(length):
            raise TypeError(
                f"new(): argument 'size' failed to unpack the object at pos {position + 1} with "
                f'error "type must be tuple of ints,but got {type_name(length)}"'
            )
    return wrap(np.zeros(size_of("Tensor", (value,), {}), kind.numpy))


def _of_one(kind: dtypes.dtype, data: Any) -> Tensor:
    if isinstance(data, Tensor):
        return Alias.apply(data)
    if isinstance(data, Size):
        return wrap(np.zeros(data, kind.numpy))
    if isinstance(data, Storage):
        return wrap(data.data.ravel(order="K"))
    if not (from_data.is_row(data) or isinstance(data, str | np.ndarray)):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return wrap(from_data.copied(data, kind))


def _is_length(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.numel() == 1 and not value.is_floating_point()
    return isinstance(value, int | np.integer)


def _begins_size(value: Any) -> bool:
    return _is_length(value) and not isinstance(value, bool)
