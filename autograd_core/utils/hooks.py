"""Handles of hooks, under PyTorch's name `torch.utils.hooks`."""

from autograd_core.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
