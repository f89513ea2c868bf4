"""Layers and their parameters, under PyTorch's names."""

from autograd_core.messages.unsupported import refusing
from autograd_core.nn import functional, init, modules, parameter, utils
from autograd_core.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from autograd_core.nn.function_layers import (
    CELU,
    ELU,
    GELU,
    SELU,
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    Dropout,
    Hardtanh,
    HuberLoss,
    L1Loss,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    MSELoss,
    NLLLoss,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    SmoothL1Loss,
    Softmax,
    Softmin,
    Softplus,
    Softsign,
    Tanh,
)
from autograd_core.nn.layers import Embedding, Flatten, Identity, Linear, Unflatten
from autograd_core.nn.module import Module
from autograd_core.nn.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, LayerNorm
from autograd_core.nn.parameter import Buffer, Parameter

__getattr__ = refusing(__name__)
