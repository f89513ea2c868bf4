"""What a Function's forward can tell backward and the engine through its `ctx`."""

from __future__ import annotations

from typing import Any

from autograd_core.messages import warn
from autograd_core.tensor import Tensor

_SHARED_STORAGE = (
    "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. "
    "Note that calls to `set_()` are not tracked"
)


class FunctionCtx:
    """The methods of `ctx` that forward calls. They only take notes; `Function.apply` acts on them.

    As in PyTorch, a second call replaces the note of the first.
    """

    to_save: Any = None
    saved_for_forward: Any = None
    dirty_tensors: Any = None
    non_differentiable: Any = None
    materializes = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, where `saved_tensors` returns them.

        They are kept with the version they have after forward; reading one that was changed in
        place since raises RuntimeError. `apply` raises TypeError for anything but tensors and None.
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`, where `saved_tensors` returns them; AssertionError for others."""
        for tensor in tensors:
            if not (isinstance(tensor, Tensor) or tensor is None):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save "
                    "non-tensors as attributes on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Say which inputs forward changes in place; all of them must be returned as outputs.

        This bumps their versions, so that backward raises for tensors that were saved before the
        change instead of computing a wrong gradient, and makes this node their `grad_fn`. It does
        not change or restore any values.
        """
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which outputs are not differentiable, such as indices."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs without a gradient."""
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing but warn: tensors that share memory are found without being told."""
        warn(_SHARED_STORAGE, FutureWarning)
