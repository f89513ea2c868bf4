"""Helpers, under PyTorch's name `torch.utils`."""

import importlib
from typing import Any

from autograd_core.utils import hooks

__all__ = ["checkpoint", "hooks"]


def __getattr__(name: str) -> Any:
    if name == "checkpoint":
        return importlib.import_module(f"{__name__}.checkpoint")
    from autograd_core.messages.unsupported import absent

    raise absent("utils", name)
