"""Optimizers, which change parameters by their gradients, under PyTorch's names."""

from autograd_core.messages.unsupported import refusing
from autograd_core.optim import lr_scheduler
from autograd_core.optim.adam import Adam, AdamW
from autograd_core.optim.optimizer import Optimizer
from autograd_core.optim.sgd import SGD

__getattr__ = refusing(__name__)
