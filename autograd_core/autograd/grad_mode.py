"""Grad modes under PyTorch's name, `torch.autograd.grad_mode`."""

from __future__ import annotations

from autograd_core.modes.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from autograd_core.tensor import Tensor


class _unsafe_preserve_version_counter:  # noqa: N801 - PyTorch's name
    """Inside, in-place changes of these tensors are not counted, even of saved tensors.

    Takes a tensor or a tuple of them. RuntimeError for inference tensors, which have no version.
    """

    def __init__(self, tensors: Tensor | tuple[Tensor, ...]) -> None:
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tensors
        assert isinstance(self.tensors, tuple), "Expected tensors to be a tuple"
        self.prev_versions = tuple([each._version for each in self.tensors])

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        for each, version in zip(self.tensors, self.prev_versions, strict=True):
            each._storage.version = version
