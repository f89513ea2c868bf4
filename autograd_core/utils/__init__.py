"""Helpers, under PyTorch's name `torch.utils`."""

from autograd_core.utils import hooks

__all__ = ["hooks"]
