"""Layers and their parameters, under PyTorch's names."""

from autograd_core.messages.unsupported import refusing
from autograd_core.nn import functional, init, modules, parameter, utils
from autograd_core.nn.activations import (
    CELU,
    ELU,
    GELU,
    SELU,
    Dropout,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Softsign,
    Tanh,
)
from autograd_core.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from autograd_core.nn.layers import Embedding, Flatten, Identity, Linear, Unflatten
from autograd_core.nn.losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from autograd_core.nn.module import Module
from autograd_core.nn.normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    LayerNorm,
)
from autograd_core.nn.parameter import Buffer, Parameter

__getattr__ = refusing(__name__)
