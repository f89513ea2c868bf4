"""Layers and their parameters, under PyTorch's names."""

from autograd_core.nn import functional
from autograd_core.nn.containers import ModuleList, Sequential
from autograd_core.nn.layers import Flatten, Linear, ReLU, Sigmoid, Tanh
from autograd_core.nn.losses import CrossEntropyLoss, MSELoss
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter

__all__ = [
    "CrossEntropyLoss",
    "Flatten",
    "Linear",
    "MSELoss",
    "Module",
    "ModuleList",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
]
