"""What a Function's forward can say to backward and to the engine, by its `ctx`."""

from __future__ import annotations

from typing import Any

from autograd_core.messages import warn
from autograd_core.tensor import Tensor

_SHARED_STORAGE = (
    "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. "
    "Note that calls to `set_()` are not tracked"
)


class FunctionCtx:
    """What forward can say to backward and to the engine. It is noted; Function.apply acts on it.

    Each note replaces the one before, as in PyTorch.
    """

    to_save: Any = None
    saved_for_forward: Any = None
    dirty_tensors: Any = None
    non_differentiable: Any = None
    materializes = True

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, where `saved_tensors` returns them.

        They are kept with their version after forward; reading one that has been changed in place
        since raises RuntimeError. After forward, TypeError is raised for what is no tensor or None.
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

        Changes and repairs nothing: it bumps the version, so that tensors saved before the change
        raise in backward instead of giving a wrong gradient, and it moves the changed tensor's
        place in the graph to this node.
        """
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which outputs have no gradient, such as indices."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs without a gradient."""
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing but warn: tensors that share memory are found without being told."""
        warn(_SHARED_STORAGE, FutureWarning)
