"""Helpers, under PyTorch's name `torch.utils`."""

import importlib
from typing import Any

from autograd_core.utils import hooks

__all__ = ["checkpoint", "hooks"]


def __getattr__(name: str) -> Any:
    if name == "checkpoint":
        return importlib.import_module(f"{__name__}.checkpoint")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
