"""Inference tensors: made in inference mode, they have no version counter and no history.

Their storages have `UNTRACKED` in place of a version, which also marks them as inference tensors.
Outside of inference mode, `detach` and `data` of one return an inference tensor too, but one that
may be changed there and counts its changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.messages import wrong_type
from autograd_core.modes.grad_mode import mode
from autograd_core.storage import Storage, UntypedStorage, new_storage

if TYPE_CHECKING:
    from autograd_core.function import Function
    from autograd_core.tensor import Tensor

NO_VERSION = "Inference tensors do not track version counter."
_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
_CHANGED = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update.See "
    "https://github.com/pytorch/rfcs/pull/17 for more details."
)
_REQUIRES_GRAD = (
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)


class _Untracked:
    """Takes the place of a version: changes are not counted, and allowed in inference mode only."""

    def __add__(self, changes: int) -> _Untracked:
        if not mode.inference:
            raise RuntimeError(_CHANGED)
        return self


UNTRACKED: Any = _Untracked()
# For a former inference tensor, whose `data` was set: it still does not count changes.
_LOST: Any = _Untracked()


class _Apart(int):
    """The version of a detached inference tensor: changes in inference mode are not counted."""

    def __add__(self, changes: int) -> _Apart:
        return self if mode.inference else _Apart(super().__add__(changes))

    def __bool__(self) -> bool:
        # Even for 0: a node must not save the tensor as it is, but in a SavedTensor, which raises.
        return True


def marks_inference(version: Any) -> bool:
    """Return whether this is the version of an inference tensor."""
    return version is UNTRACKED or type(version) is _Apart


def counted(version: Any) -> int:
    """Return a version as a number; RuntimeError if there is none."""
    if isinstance(version, _Untracked):
        raise RuntimeError(NO_VERSION)
    return int(version)


def is_inference(input: Tensor) -> bool:
    """Return whether `input` was made in inference mode, or is a view of such a tensor."""
    if not hasattr(input, "untyped_storage"):
        raise wrong_type("is_inference(): argument 'input' (position 1)", "Tensor", input)
    return marks_inference(input._storage.version)


def detached_storage(tensor: Tensor) -> Storage:
    """Return a storage for `detach` or `data` of an inference tensor: same memory, new version."""
    storage = new_storage(tensor._storage.data)
    storage.version = UNTRACKED if mode.inference else _Apart(0)
    return storage


class AssignedStorage(UntypedStorage):
    """The storage of x after `x.data = other`: the memory of `other`, but the version counter of x.

    Views that x had before keep the old memory, and still share the counter.
    """

    __slots__ = "_counter", "_shown_as"

    _counter: UntypedStorage

    def __init__(
        self, memory: UntypedStorage, counter: UntypedStorage, shown_as: Any = None
    ) -> None:
        self.data, self._shown_as = memory.data, shown_as
        self._counter = counter._counter if isinstance(counter, AssignedStorage) else counter

    @property
    def version(self) -> int:
        """The number of changes of the tensor, and of those that share its old memory."""
        version = self._counter.version
        return version if self._shown_as is None else self._shown_as(version)

    @version.setter
    def version(self, version: int) -> None:
        self._counter.version = version if self._shown_as is None else int(version)


def assigned_storage(tensor: Tensor, other: Tensor) -> Storage:
    """Return the storage of a tensor after `tensor.data = other`.

    The tensor becomes an inference tensor if `other` is one, but still counts changes if it did.
    """
    memory, counter = other._storage, tensor._storage
    shown_as: Any = _Apart if marks_inference(memory.version) else int
    if isinstance(counter.version, _Untracked):
        counter = new_storage(None)
        counter.version, shown_as = UNTRACKED if shown_as is _Apart else _LOST, None
    return AssignedStorage(memory, counter, shown_as)


def storage_of_views(storage: Storage) -> Storage:
    """Return a storage for views of an inference tensor, which do not count changes."""
    if storage.version is _LOST:
        raise RuntimeError(NO_VERSION)
    if storage.version is not UNTRACKED:
        storage = new_storage(storage.data)
        storage.version = UNTRACKED
    return storage


def check_requires_grad(tensor: Tensor) -> None:
    """Raise RuntimeError if `tensor` is an inference tensor and this is not inference mode."""
    if marks_inference(tensor._storage.version) and not mode.inference:
        raise RuntimeError(_REQUIRES_GRAD)


def check_saved(tensor: Tensor) -> None:
    """Raise RuntimeError if `tensor` is an inference tensor, or was one: no node may save it."""
    shared = tensor._shared
    if shared is not None and type(shared.version) is not int:
        raise RuntimeError(NO_VERSION if shared.version is _LOST else _SAVED)


def copied(tensor: Tensor, copy: Tensor) -> Tensor:
    """Return `copy`, but filled by `copy_` if it is an inference tensor's, outside inference mode.

    As in PyTorch, where only then filling the copy counts as a change in place.
    """
    if marks_inference(tensor._storage.version) and not mode.inference:
        copy.copy_(tensor)
    return copy


def escapes_recording(function: type[Function], args: tuple[Any, ...]) -> bool:
    """Return whether an operator's arguments are all inference tensors, which is never recorded.

    A number counts as a usual tensor if PyTorch makes a tensor of it.
    """
    if not function.node_name:
        return False
    for arg in args:
        # Tensors without gradients, such as indices and masks, may be in a list.
        for each in arg if isinstance(arg, list | tuple) else (arg,):
            if hasattr(each, "untyped_storage"):
                if not marks_inference(each._storage.version):
                    return False
            elif function.edges_for_numbers and isinstance(each, int | float):
                return False
    return True
