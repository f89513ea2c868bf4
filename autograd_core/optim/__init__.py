"""Optimizers: what changes parameters by their gradients, under PyTorch's names."""

from autograd_core.optim.adam import Adam
from autograd_core.optim.optimizer import Optimizer
from autograd_core.optim.sgd import SGD

__all__ = ["SGD", "Adam", "Optimizer"]
