"""Copies and files: `copy`, `deepcopy`, `pickle`, `save` and `load` of tensors."""

from __future__ import annotations

import copy
import io
import os
import pickle
from contextlib import nullcontext
from typing import Any

import numpy as np

from autograd_core.messages import warn
from autograd_core.modes.grad_mode import mode
from autograd_core.modes.inference import UNTRACKED, AssignedStorage
from autograd_core.storage import Storage, new_storage
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes
from autograd_core.tensors.device import check_cpu, device

_NON_LEAF = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)
_NOT_SAFE = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, "
    "do those steps only if you trust the source of the checkpoint.\n"
    "\t(1) Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it "
    "can result in arbitrary code execution. Do it only if you got the file from a trusted source."
    "\n\t(2) WeightsUnpickler error: Unsupported global: GLOBAL {} was not an allowed global by "
    "default."
)
_PATHS = str, os.PathLike
_NOT_WRITABLE = "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
_NO_SEEK = (
    "You can only torch.load from a file that is seekable. Please pre-load the data into a buffer "
    "like io.BytesIO and try to load from it instead."
)
_SAFE = {
    ("collections", "OrderedDict"),
    ("autograd_core.tensors.pickling", "rebuild"),
    ("autograd_core.tensor", "Tensor"),
    ("autograd_core.nn.parameter", "Parameter"),
    ("autograd_core.tensors.size", "Size"),
    ("autograd_core.tensors.device", "device"),
    *[("autograd_core.tensors.dtypes", each.__reduce__()) for each in dtypes.ALL],
}
_HOOK = (
    "backward hook {!r} on tensor will not be serialized.  If this is expected, you can decorate "
    "the function with @torch.utils.hooks.unserializable_hook to suppress this warning"
)


class Memory:
    """A storage on its way into a copy or a file.

    Each tensor makes a new one: as in PyTorch, tensors that share memory no longer do so after
    `pickle`; only `save` preserves the sharing.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def __reduce__(self) -> Any:
        return _memory, (self.storage.data.ravel(order="K"),)


def _memory(flat: np.ndarray) -> Memory:
    return Memory(new_storage(flat))


def reduce_ex(self: Tensor, protocol: Any) -> Any:
    """Take the tensor apart for `copy` and `pickle`; what is rebuilt is a leaf."""
    for hook in (self._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warn(_HOOK.format(hook))
    geometry = self.storage_offset(), tuple(self.shape), self.stride()
    parts = type(self), Memory(self.untyped_storage()), *geometry, self.requires_grad
    return rebuild, parts, attributes_of(self) or None


def attributes_of(tensor: Tensor) -> dict[str, Any]:
    """Return the attributes that a user has given to a tensor."""
    known = vars(Tensor).keys() | {"_array"}
    return {name: value for name, value in vars(tensor).items() if name not in known}


def setstate(self: Tensor, state: dict[str, Any]) -> None:
    """Restore the attributes that a user had given."""
    for name, value in state.items():
        setattr(self, name, value)


def rebuild(
    kind: type[Tensor], memory: Memory, offset: int, size: Any, stride: Any, requires_grad: bool
) -> Tensor:
    """Rebuild a tensor that `reduce_ex` took apart."""
    tensor = object.__new__(kind)
    # Version 1, as in PyTorch, which sets the memory of an empty tensor.
    counter = new_storage(None)
    counter.version = UNTRACKED if mode.inference else 1
    tensor._storage = AssignedStorage(memory.storage, counter)
    flat = tensor._array = memory.storage.data
    steps = tuple([step * flat.itemsize for step in stride])
    if flat.shape != size or offset or flat.strides != steps:
        flat = flat.ravel(order="K")
        tensor._array = np.ndarray(size, flat.dtype, flat, offset * flat.itemsize, steps)
    if requires_grad:
        tensor._requires_grad = True
    return tensor


def deepcopy(self: Tensor, memo: dict[Any, Any]) -> Tensor:
    """Copy a leaf with its memory; copies of its views in the same call share the new memory.

    RuntimeError for tensors that were computed.
    """
    if not self.is_leaf:
        raise RuntimeError(_NON_LEAF)
    storages, storage = memo.setdefault("storages", {}), self.untyped_storage()
    # Keep the original too, so that its id stays unique as long as `memo` exists.
    if id(storage.data) not in storages:
        storages[id(storage.data)] = _memory(storage.data.copy(order="K")), storage
    geometry = self.storage_offset(), tuple(self.shape), self.stride()
    memory = storages[id(storage.data)][0]
    result = rebuild(type(self), memory, *geometry, self.requires_grad)
    memo[id(self)] = result
    if self._grad is not None:
        result.grad = copy.deepcopy(self._grad, memo)
    setstate(result, copy.deepcopy(attributes_of(self), memo))
    return result


class _Pickler(pickle.Pickler):
    """Writes each storage once."""

    def __init__(self, file: Any, protocol: int) -> None:
        super().__init__(file, protocol)
        self.storages: dict[int, Storage] = {}

    def persistent_id(self, obj: Any) -> Any:
        """Name a storage by its number among those seen so far."""
        if not isinstance(obj, Memory):
            return None
        self.storages.setdefault(id(obj.storage.data), obj.storage)
        return list(self.storages).index(id(obj.storage.data))


class _Unpickler(pickle.Unpickler):
    """Reads storages by number, and, unless it trusts the file, nothing but tensors and data."""

    def __init__(self, file: Any, memories: list[Memory], safe: bool) -> None:
        super().__init__(file)
        self._memories, self._safe = memories, safe

    def persistent_load(self, pid: Any) -> Memory:
        """Return the storage with this number."""
        return self._memories[pid]

    def find_class(self, module_name: str, global_name: str) -> Any:
        """Return a function or class, if it may be used."""
        if self._safe and (module_name, global_name) not in _SAFE:
            raise pickle.UnpicklingError(_NOT_SAFE.format(f"{module_name}.{global_name}"))
        return super().find_class(module_name, global_name)


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **_: Any) -> None:
    """Write `obj`, with the tensors in it, to a path or a binary file; shared memory stays shared.

    The file is this package's own, not PyTorch's.
    """
    if isinstance(f, _PATHS):
        folder = os.path.dirname(os.fspath(f))
        if folder and not os.path.isdir(folder):
            raise RuntimeError(f"Parent directory {folder} does not exist.")
    elif not hasattr(f, "write"):
        raise AttributeError(_NOT_WRITABLE)
    content = io.BytesIO()
    pickler = _Pickler(content, pickle_protocol)
    pickler.dump(obj)
    storages = [each.data.ravel(order="K") for each in pickler.storages.values()]
    plain = [(each.dtype.name, each.tobytes()) for each in storages]
    whole = pickle.dumps((plain, content.getvalue()), 4)
    with open(f, "wb") if isinstance(f, _PATHS) else nullcontext(f) as file:
        file.write(whole)


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool = True
) -> Any:
    """Read what `save` wrote, from a path or a binary file.

    With `weights_only`, as by default, a file can hold nothing but tensors and plain data;
    pickle.UnpicklingError otherwise. NotImplementedError for a `map_location` that is not the cpu.
    """
    if isinstance(map_location, str | device):
        check_cpu(map_location)
    if not isinstance(f, _PATHS) and not hasattr(f, "seek"):
        raise AttributeError(f"{type(f).__name__!r} object has no attribute 'seek'. {_NO_SEEK}")
    with open(f, "rb") if isinstance(f, _PATHS) else nullcontext(f) as file:
        whole = file.read()
    plain, content = _Unpickler(io.BytesIO(whole), [], True).load()
    memories = [_memory(np.frombuffer(data, kind).copy()) for kind, data in plain]
    return _Unpickler(io.BytesIO(content), memories, weights_only).load()
