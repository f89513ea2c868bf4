"""Inference tensors: made in inference mode, they have no version counter and no history.

Where another storage counts its changes, theirs has `UNTRACKED`; it is their mark, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.grad_mode import mode
from autograd_core.messages.type_name import wrong_type

if TYPE_CHECKING:
    from autograd_core.function import Function
    from autograd_core.tensor import Tensor

NO_VERSION = "Inference tensors do not track version counter."
SAVED = (
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


def is_inference(input: Tensor) -> bool:
    """Return whether `input` was made in inference mode, or is a view of such a tensor."""
    if not hasattr(input, "untyped_storage"):
        raise wrong_type("is_inference(): argument 'input' (position 1)", "Tensor", input)
    return input._storage.version is UNTRACKED


def check_requires_grad(tensor: Tensor) -> None:
    """Raise RuntimeError if `tensor` is an inference tensor and this is not inference mode."""
    if tensor._storage.version is UNTRACKED and not mode.inference:
        raise RuntimeError(_REQUIRES_GRAD)


def escapes_recording(function: type[Function], args: tuple[Any, ...]) -> bool:
    """Return whether an operator works on inference tensors alone: autograd never hears of it.

    A number counts as a tensor where PyTorch makes one of it.
    """
    if not function.node_name:
        return False
    for arg in args:
        if hasattr(arg, "untyped_storage"):
            if arg._storage.version is not UNTRACKED:
                return False
        elif function.edges_for_numbers and isinstance(arg, int | float):
            return False
    return True
