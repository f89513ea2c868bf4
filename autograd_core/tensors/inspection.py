"""What a tensor tells without computing: flags, sizes, strides, shared memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any

from autograd_core.messages import check_argument, warn, wrong_type
from autograd_core.ops.dims import dim_that_is
from autograd_core.ops.order_in_memory import in_order
from autograd_core.storage import TypedStorage
from autograd_core.tensor import Tensor
from autograd_core.tensors.device import CPU, contiguous_format, memory_format, strided

_TYPED_STORAGE = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)
VOLATILE_SET = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
# For each of these there is a property `is_...`, which is always False.
_NEVER = (
    "cuda", "sparse", "sparse_csr", "quantized", "meta", "mkldnn", "mps", "mtia", "xpu", "xla",
    "ipu", "maia", "nested", "vulkan",
)  # fmt: skip


def size(self: Tensor, dim: int | None = None) -> Any:
    """Return the shape, or the length of one dimension; IndexError if it is out of range."""
    return self.shape if dim is None else self.shape[_dim(self, dim, "size")]


def stride(self: Tensor, dim: int | None = None) -> Any:
    """Return for each dimension the step in memory, in elements, from one index to the next."""
    array = self._array
    steps = tuple([step // array.itemsize for step in array.strides])
    if not array.size and not any(steps):
        # NumPy sets these to 0 if there are no elements; PyTorch has those of a new tensor.
        steps = in_order(array.shape)
    return steps if dim is None else steps[_dim(self, dim, "stride")]


def _dim(self: Tensor, given: Any, function: str) -> int:
    whole: Any = None if isinstance(given, bool) else given
    try:
        return dim_that_is(self, index(whole))
    except TypeError:
        raise wrong_type(f"{function}(): argument 'dim' (position 1)", "int", given) from None


def element_size(self: Tensor) -> int:
    """Return the bytes per element."""
    return self._array.itemsize


def storage_offset(self: Tensor) -> int:
    """Return where in the storage this tensor begins, in elements."""
    if not self._array.size:
        return self._offset_if_empty
    return (self.data_ptr() - self._storage.data_ptr()) // self._array.itemsize


def data_ptr(self: Tensor) -> int:
    """Return the address of the first element."""
    memory = self.memory()
    return memory.__array_interface__["data"][0] if memory.size else 0


def is_contiguous(self: Tensor, *, memory_format: memory_format = contiguous_format) -> bool:
    """Return whether the elements are in memory in the order of their indices, without gaps."""
    kind = type(contiguous_format)
    check_argument(
        "is_contiguous", "memory_format", memory_format, kind, wanted="torch.memory_format"
    )
    return self._array.flags.c_contiguous


def numel(input: Tensor) -> int:
    """Return the number of elements."""
    return input._array.size


def is_floating_point(input: Tensor) -> bool:
    """Return whether the dtype is a floating one."""
    return input.dtype.is_floating_point


def is_complex(input: Tensor) -> bool:
    """Return False: complex numbers are out of this package's scope."""
    return input.dtype.is_complex


def is_signed(input: Tensor) -> bool:
    """Return whether the dtype has negative numbers."""
    return input.dtype.is_signed


def is_nonzero(input: Tensor) -> bool:
    """Return whether the only element is not zero; RuntimeError for several elements."""
    return Tensor.__bool__(input)


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Return whether the shapes are the same."""
    return input._array.shape == other._array.shape


def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Return whether both look at the same elements of the same storage."""
    return (
        self.untyped_storage().data is tensor.untyped_storage().data
        and self.storage_offset() == tensor.storage_offset()
        and self.shape == tensor.shape
        and self.stride() == tensor.stride()
    )


def real(input: Tensor) -> Tensor:
    """Return `input`, which is real: complex numbers are out of this package's scope."""
    if not isinstance(input, Tensor):
        raise TypeError
    return input


def imag(input: Tensor) -> Tensor:
    """Refuse, as PyTorch does for real tensors."""
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


def get_device(self: Tensor) -> int:
    """Return -1, which stands for the cpu."""
    return -1


def storage(self: Tensor) -> TypedStorage:
    """Return the memory as numbers of this tensor's dtype. Deprecated, as in PyTorch."""
    _warn_of_typed_storage()
    return TypedStorage(self.untyped_storage(), self.dtype)


@cache
def _warn_of_typed_storage() -> None:
    # Once a process whatever `set_warn_always` says, as in PyTorch, where Python code gives it.
    warn(_TYPED_STORAGE)


def read_only(name: str, getter: Callable[[Tensor], Any]) -> property:
    """Return a property that refuses, in PyTorch's words, to be set or deleted."""

    def refuse(*_: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return property(getter, refuse, refuse)


def _volatile(self: Tensor) -> bool:
    """Return False: `volatile` is what PyTorch had before `no_grad`."""
    warn("volatile was removed (Variable.volatile is always False)")
    return False


def _set_volatile(self: Tensor, value: Any) -> None:
    warn(VOLATILE_SET)


def _false(self: Tensor) -> bool:
    """Return False."""
    return False


def is_coalesced(self: Tensor) -> bool:
    """Refuse, as PyTorch does for tensors that are not sparse."""
    raise RuntimeError("is_coalesced expected sparse coordinate tensor layout but got Strided")


# Also functions of the package.
FUNCTIONS: dict[str, Callable[..., Any]] = (
    {
        each.__name__: each
        for each in (numel, is_floating_point, is_complex, is_signed, is_nonzero, is_same_size)
    }
    | {"get_device": get_device, "imag": imag}
    | dict.fromkeys(("is_conj", "is_neg"), is_complex)
    | dict.fromkeys(("real", "conj", "conj_physical", "resolve_conj", "resolve_neg"), real)
)

METHODS: dict[str, Any] = {
    each.__name__: each
    for each in (size, stride, storage, storage_offset, data_ptr, element_size, is_contiguous)
} | {
    "ndimension": Tensor.dim,
    "nelement": numel,
    "is_pinned": _false,
    "is_shared": _false,
    "is_coalesced": is_coalesced,
    "to_dense": lambda self, dtype=None: self if dtype is None else self.to(dtype),
    "volatile": property(_volatile, _set_volatile),
}

# Attributes of Tensor that nobody may set.
READ_ONLY = (
    "grad_fn", "is_leaf", "output_nr", "_version", "shape", "dtype", "ndim", "retains_grad",
)  # fmt: skip
PROPERTIES: dict[str, Callable[[Tensor], Any]] = {
    "device": lambda self: CPU,
    "layout": lambda self: strided,
    "itemsize": lambda self: self._array.itemsize,
    "nbytes": lambda self: self._array.nbytes,
    "is_cpu": lambda self: True,
    "real": real,
    "imag": imag,
    "name": lambda self: None,
} | {f"is_{name}": _false for name in _NEVER}
