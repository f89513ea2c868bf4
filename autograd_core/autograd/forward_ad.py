"""Forward mode under PyTorch's name, `torch.autograd.forward_ad`."""

from typing import Any

from autograd_core import forward_ad as _forward_ad
from autograd_core.forward_ad import (
    UnpackedDualTensor,
    _is_fwd_grad_enabled,
    _set_fwd_grad_enabled,
    dual_level,
    enter_dual_level,
    exit_dual_level,
    make_dual,
    unpack_dual,
)

__all__ = [
    "UnpackedDualTensor",
    "_is_fwd_grad_enabled",
    "_set_fwd_grad_enabled",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


def __getattr__(name: str) -> Any:
    if name == "_current_level":
        return _forward_ad.levels_open - 1
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
