"""Layers and their parameters, under PyTorch's names."""

from autograd_core.nn import functional
from autograd_core.nn.layers import Flatten, Linear, MSELoss, ReLU, Sequential, Sigmoid, Tanh
from autograd_core.nn.module import Module, Parameter

__all__ = [
    "Flatten",
    "Linear",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Tanh",
    "functional",
]
