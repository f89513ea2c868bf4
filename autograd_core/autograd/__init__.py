"""`backward`, `grad`, `Function`, forward mode and `gradcheck`, under PyTorch's names."""

from __future__ import annotations

from typing import Any

from autograd_core.autograd import anomaly_mode, forward_ad, function, grad_mode
from autograd_core.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from autograd_core.autograd.function import NestedIOFunction
from autograd_core.autograd.grad_mode import _unsafe_preserve_version_counter
from autograd_core.autograd.gradcheck import gradcheck, gradgradcheck
from autograd_core.autograd.gradients import backward, grad
from autograd_core.autograd.variable import Variable
from autograd_core.function import Function
from autograd_core.hooks.saved_tensor_hooks import RawSavedTensor as SavedTensor
from autograd_core.messages.unsupported import refusing
from autograd_core.modes.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)

__getattr__ = refusing(__name__, "functional", "graph")


def variable(*args: Any, **kwargs: Any) -> Any:
    """Refuse, as PyTorch does since tensors have replaced variables."""
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # type: ignore[attr-defined]  # as in PyTorch
