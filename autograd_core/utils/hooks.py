"""Hooks, under PyTorch's name `torch.utils.hooks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.hooks.handles import RemovableHandle


def unserializable_hook(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a hook on a tensor that `pickle` and `copy` may leave out without a warning."""
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]  # PyTorch's mark
    return f
