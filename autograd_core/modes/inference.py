"""Inference tensors: made in inference mode, they have no version counter and no history.

Where another storage counts its changes, theirs has `UNTRACKED`; it is their mark, too. What
`detach` and `data` make of one outside of inference mode is still an inference tensor, but one that
may be changed there, and counts its changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.messages import wrong_type
from autograd_core.modes.grad_mode import mode
from autograd_core.storage import Storage, UntypedStorage, storage_of

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
    """What stands in for a version: always the same, and only inference mode may add to it."""

    def __add__(self, changes: int) -> _Untracked:
        if not mode.inference:
            raise RuntimeError(_CHANGED)
        return self


UNTRACKED: Any = _Untracked()
# That of an inference tensor which was given other memory: it is none any more, but counts nothing.
_LOST: Any = _Untracked()


class _Apart(int):
    """The version of an inference tensor that was detached; inference mode does not add to it."""

    def __add__(self, changes: int) -> _Apart:
        return self if mode.inference else _Apart(super().__add__(changes))

    def __bool__(self) -> bool:
        # A node may not keep this tensor just as it is, whatever its version.
        return True


def marks_inference(version: Any) -> bool:
    """Return whether this is what an inference tensor has for a version."""
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
    """Return the storage of what detaches an inference tensor: same memory, its own version."""
    storage = storage_of(tensor._storage.data)
    storage.version = UNTRACKED if mode.inference else _Apart(0)
    return storage


class AssignedStorage(UntypedStorage):
    """What `x.data = other` gives x: the memory of `other`, still under the counter of x.

    Views of x keep the memory of before, and share the counter all the same.
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
        """The number of changes of the tensor, and of those that shared its former memory."""
        version = self._counter.version
        return version if self._shown_as is None else self._shown_as(version)

    @version.setter
    def version(self, version: int) -> None:
        self._counter.version = version if self._shown_as is None else int(version)


def assigned_storage(tensor: Tensor, other: Tensor) -> Storage:
    """Return the storage of a tensor that is given the `data` of another.

    It is an inference tensor if the other is, but goes on counting its changes if it did.
    """
    memory, counter = other._storage, tensor._storage
    shown_as: Any = _Apart if marks_inference(memory.version) else int
    if isinstance(counter.version, _Untracked):
        counter = storage_of(None)
        counter.version, shown_as = UNTRACKED if shown_as is _Apart else _LOST, None
    return AssignedStorage(memory, counter, shown_as)


def storage_of_views(storage: Storage) -> Storage:
    """Return the storage of the views of an inference tensor, which count no changes."""
    if storage.version is _LOST:
        raise RuntimeError(NO_VERSION)
    if storage.version is not UNTRACKED:
        storage = storage_of(storage.data)
        storage.version = UNTRACKED
    return storage


def check_requires_grad(tensor: Tensor) -> None:
    """Raise RuntimeError if `tensor` is an inference tensor and this is not inference mode."""
    if marks_inference(tensor._storage.version) and not mode.inference:
        raise RuntimeError(_REQUIRES_GRAD)


def check_saved(tensor: Tensor) -> None:
    """Raise RuntimeError if `tensor` is an inference tensor, or was one: no node may keep it."""
    version = tensor._storage.version
    if type(version) is not int:
        raise RuntimeError(NO_VERSION if version is _LOST else _SAVED)


def copied(tensor: Tensor, copy: Tensor) -> Tensor:
    """Return `copy`; that of an inference tensor outside of inference mode is filled once more.

    As in PyTorch, where autograd does not see how others are filled.
    """
    if marks_inference(tensor._storage.version) and not mode.inference:
        copy.copy_(tensor)
    return copy


def escapes_recording(function: type[Function], args: tuple[Any, ...]) -> bool:
    """Return whether an operator works on inference tensors alone: autograd never hears of it.

    A number counts as a tensor where PyTorch makes one of it.
    """
    if not function.node_name:
        return False
    for arg in args:
        # Tensors that have no gradients, such as indices and masks, may stand in a list.
        for each in arg if isinstance(arg, list | tuple) else (arg,):
            if hasattr(each, "untyped_storage"):
                if not marks_inference(each._storage.version):
                    return False
            elif function.edges_for_numbers and isinstance(each, int | float):
                return False
    return True
