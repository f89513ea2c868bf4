"""Layers and losses as functions, without parameters of their own."""

from __future__ import annotations

import math
from functools import partial
from operator import index
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.messages import check_argument, warn
from autograd_core.messages.arguments import explained, explained_by_place
from autograd_core.messages.unsupported import refusing
from autograd_core.modes.grad_mode import no_grad
from autograd_core.nn.loss_functions import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    huber_loss,
    l1_loss,
    mse_loss,
    nll_loss,
    smooth_l1_loss,
)
from autograd_core.nn.normalization import batch_norm, layer_norm
from autograd_core.ops import activations, functions
from autograd_core.ops.copying import Pad
from autograd_core.ops.dims import whole_number
from autograd_core.ops.elementwise import broadcast_shape
from autograd_core.ops.in_place import changed
from autograd_core.ops.index_parts import first_outside
from autograd_core.ops.index_select import Embedding as LookUp
from autograd_core.ops.matmul import matmul
from autograd_core.ops.matrix_products import addmm
from autograd_core.ops.norms import vector_norm
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import result_type

__getattr__ = refusing(__name__)

# Operators whose in-place variant saves something else for backward.
_IN_PLACE = {
    activations.LeakyRelu: activations.LeakyRelu_,
    activations.Elu: activations.Elu_,
    activations.Celu: activations.Celu_,
}


@explained
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return input W^T + b for `input` (..., in), `weight` (out, in) and `bias` (out)."""
    rank = input._array.ndim
    if rank == 2 and bias is not None:
        return addmm(bias, input, weight.t())
    if not rank or not weight.dim():
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{rank}D and {weight.dim()}D"
        )
    if bias is None:
        return matmul(input, weight.t())
    if bias.dim() == 1 and bias.is_contiguous() and input.is_contiguous():
        *lengths, last = input.shape
        rows = addmm(bias, input.reshape(math.prod(lengths), last), weight.t())
        return rows.view(*lengths, weight.shape[0])
    return matmul(input, weight.t()).add_(bias)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element, or 0 where it is negative; `inplace` changes `input` itself."""
    if not isinstance(input, Tensor):
        check_argument("relu_" if inplace else "relu", "input", input, Tensor, 1)
    return input.relu_() if inplace else functions.relu(input)


def relu_(input: Tensor) -> Tensor:
    """Change each negative element of `input` to 0, and return it."""
    check_argument("relu_", "input", input, Tensor, 1)
    return input.relu_()


def tanh(input: Tensor) -> Tensor:
    """Return the hyperbolic tangent of each element."""
    return input.tanh()


def sigmoid(input: Tensor) -> Tensor:
    """Return 1 / (1 + e^-x) of each element."""
    return input.sigmoid()


@explained_by_place
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Return each element, multiplied by `negative_slope` where it is negative."""
    return _applied(activations.LeakyRelu, inplace, input, negative_slope)


@explained
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Multiply each negative element of `input` by `negative_slope`, and return `input`."""
    return leaky_relu(input, negative_slope, True)


@explained_by_place
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^x - 1) where it is negative."""
    return _applied(activations.Elu, inplace, input, alpha, 1, 1)


@explained
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Change each negative element x of `input` to alpha * (e^x - 1), and return `input`."""
    return elu(input, alpha, True)


@explained_by_place
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return `elu` with the two numbers that keep mean and variance of layers."""
    scales = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1
    return _applied(activations.Elu, inplace, input, *scales)


@explained
def selu_(input: Tensor) -> Tensor:
    """Change `input` to its `selu`, and return it."""
    return selu(input, True)


@explained_by_place
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return each element, or alpha * (e^(x / alpha) - 1) where it is negative."""
    alpha = creation.plain_number(alpha)
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _applied(activations.Celu, inplace, input, alpha, 1, 1 / alpha)


@explained
def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Change `input` to its `celu`, and return it."""
    return celu(input, alpha, True)


@explained_by_place
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times its sigmoid."""
    return _applied(activations.Silu, inplace, input)


@explained_by_place
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element times the tanh of its softplus."""
    return _applied(activations.Mish, inplace, input)


@explained
def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """Return x P(x) for the normal distribution's P, or with "tanh" an approximation."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return (activations.Gelu if approximate == "none" else activations.GeluTanh).apply(input)


@explained
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Return log(1 + e^(beta x)) / beta, and x itself where beta x exceeds `threshold`."""
    return _applied(activations.Softplus, False, input, beta, threshold)


@partial(explained, name="log_sigmoid")
def logsigmoid(input: Tensor) -> Tensor:
    """Return the logarithm of each element's sigmoid."""
    return activations.LogSigmoid.apply(input)


@explained_by_place
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """Return each element, moved into [min_val, max_val]; no gradient at the bounds."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _applied(activations.Hardtanh, inplace, input, min_val, max_val)


@explained
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Move each element of `input` into [min_val, max_val], and return `input`."""
    return _applied(activations.Hardtanh, True, input, min_val, max_val)


@explained_by_place
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Return each element, moved into [0, 6]."""
    return _applied(activations.Hardtanh, inplace, input, 0, 6)


def softsign(input: Tensor) -> Tensor:
    """Return x / (1 + |x|)."""
    return input / (input.abs() + 1)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Return each element divided by 1 - p, or with probability p zero, when `training`."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    name = "dropout_" if inplace else "dropout"
    check_argument(name, "input", input, Tensor, 1)
    p = creation.plain_number(p, f"{name}(): argument 'p' (position 2)")
    check_argument(name, "train", training, bool, 3)
    if not training or p == 0.0 or not input.numel():
        return input
    if p == 1.0:
        scaled = creation.zeros((), dtype=input.dtype)
    else:
        scaled = creation.empty_like(input).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(scaled) if inplace else input * scaled


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return e^input divided by its sum along `dim`; warns when no dimension is named."""
    dim = _implicit_dim("softmax", input) if dim is None else dim
    return input.softmax(dim, dtype)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return the `softmax` of -input; warns when no dimension is named."""
    dim = _implicit_dim("softmin", input) if dim is None else dim
    return (-input).softmax(dim, dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Return the logarithm of `softmax`; warns when no dimension is named."""
    dim = _implicit_dim("log_softmax", input) if dim is None else dim
    return input.log_softmax(dim, dtype)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Return the rows of `weight` at the indices `input`; row `padding_idx` gets no gradient."""
    refuse_for_tables(max_norm, scale_grad_by_freq, sparse)
    check_argument("embedding", "weight", weight, Tensor, 1)
    check_argument("embedding", "indices", input, Tensor, 2)
    count = weight.shape[0] if weight.dim() else 0
    padding = row_never_learnt(padding_idx, count)
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got torch.{input.dtype.legacy} instead (while checking arguments for "
            "embedding)"
        )
    if first_outside(input._array, 0, count) is not None:
        raise IndexError("index out of range in self")
    return LookUp.apply(weight, -1 if padding is None else padding, (input,))


def refuse_for_tables(max_norm: float | None, scale_grad_by_freq: bool, sparse: bool) -> None:
    """Raise NotImplementedError for options of embeddings that are out of scope."""
    if max_norm is not None or scale_grad_by_freq or sparse:
        raise NotImplementedError("embedding(max_norm=, scale_grad_by_freq=, sparse=) is not here")


def row_never_learnt(padding_idx: int | None, count: int) -> int | None:
    """Return `padding_idx` counted from the front; AssertionError if it is out of range."""
    if padding_idx is None:
        return None
    if not -count <= padding_idx < count:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % count


@explained
def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """Return zeros with a 1 at each class, in a new last dimension; classes are int64."""
    num_classes = whole_number(num_classes)
    if input._array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    classes = input._array
    if not classes.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif classes.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(classes.max()) + 1
    elif classes.size and num_classes <= classes.max():
        raise RuntimeError("Class values must be smaller than num_classes.")
    return wrap((classes[..., None] == np.arange(num_classes)).astype(np.int64))


@explained_by_place
def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Return `input` with a border: widths before and after, the last dimension's first."""
    if mode != "constant":
        raise NotImplementedError(f"torch.nn.functional.pad(mode={mode!r}) is not here")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {input.dim()}"
        )
    pad = [index(each) for each in pad]
    pairs = [(pad[i], pad[i + 1]) for i in range(0, len(pad), 2)]
    widths = [(0, 0)] * (input.dim() - len(pairs)) + pairs[::-1]
    for length, (before, after) in zip(input.shape, widths, strict=True):
        if length + min(before, 0) + min(after, 0) < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    filling = float(creation.plain_number(0 if value is None else value))
    return Pad.apply(input, widths, creation.fitting(filling, input._array.dtype))


def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Return `input` divided by its p-norm along `dim`, or by `eps` where that is larger."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / length if out is None else out.copy_(input / length)


@explained
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosines of the angles between the vectors along `dim`."""
    common = result_type(x1._array, x2._array)
    if not common.is_floating_point:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {common.title}"
        )
    eps = creation.plain_number(eps)
    x1, x2 = [each if each.is_floating_point() else each.to(common) for each in (x1, x2)]
    if x1.shape != x2.shape:
        shape = broadcast_shape(x1.shape, x2.shape)
        x1, x2 = x1.expand(shape), x2.expand(shape)
    lengths = [vector_norm(each, 2, dim, True).clone() for each in (x1, x2)]
    # Unrecorded, so that gradients pass through the bound.
    with no_grad():
        for length in lengths:
            length.clamp_min_(eps)
    second = x2 / lengths[1]
    return (x1 / lengths[0] * second).sum(dim)


def _implicit_dim(name: str, input: Tensor) -> int:
    rank = input.dim()
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if rank in (0, 1, 3) else 1


def _applied(operator: Any, inplace: bool, input: Tensor, *numbers: Any) -> Tensor:
    """Return what an operator makes of `input`; in place with the one that is made for it."""
    given = map(creation.plain_number, numbers)
    if inplace:
        return changed(_IN_PLACE.get(operator, operator), input, *given)
    return operator.apply(input, *given)
