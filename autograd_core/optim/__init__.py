"""Optimizers: what changes parameters by their gradients, under PyTorch's names."""

from typing import Any

from autograd_core.nn.unsupported import OPTIMIZERS, missing
from autograd_core.optim import lr_scheduler
from autograd_core.optim.adam import Adam, AdamW
from autograd_core.optim.optimizer import Optimizer
from autograd_core.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]


def __getattr__(name: str) -> Any:
    raise missing("optim", name, OPTIMIZERS)
