"""Initial values of parameters: functions that fill tensors in place, unrecorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_core import creation
from autograd_core.creation.ranges import eye as eye_of
from autograd_core.messages import warn
from autograd_core.messages.unsupported import refusing
from autograd_core.modes.grad_mode import no_grad
from autograd_core.ops.making import called
from autograd_core.random.sampling import randperm
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

__getattr__ = refusing(__name__)

_NO_MATRIX = "Only tensors with 2 dimensions are supported"
_FAR_OFF = (
    "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may "
    "be incorrect."
)
_GAINS = {
    **dict.fromkeys(["linear", "sigmoid"], 1),
    **dict.fromkeys([f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3)], 1),
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3.0 / 4,
}


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return the recommended gain for a nonlinearity; ValueError for unknown ones."""
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    if isinstance(param, bool) or not isinstance(param, int | float | None):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers uniformly distributed over [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers of the normal distribution."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with numbers of the normal distribution, drawn again until they are in [a, b]."""
    if not a - 2 * std <= mean <= b + 2 * std:
        warn(_FAR_OFF)
    below = [math.erf((bound - mean) / std / math.sqrt(2.0)) for bound in (a, b)]
    often, nearest = (below[1] - below[0]) / 2 > 0.3, max(a, min(mean, b))
    pending: Any = creation.ones_like(tensor, dtype=dtypes.bool_)
    while bool(pending.any()):
        drawn: Any = creation.empty_like(tensor)
        if often:
            refused = (drawn.normal_(mean, std, generator=generator) < a) | (drawn > b)
        else:
            # Most normal numbers would be rejected; draw points under the curve above [a, b].
            drawn.uniform_(a, b, generator=generator)
            height = ((drawn - mean) / std) ** 2 * -0.5 + ((nearest - mean) / std) ** 2 / 2
            refused = creation.empty_like(tensor).uniform_(generator=generator).log_() > height
        tensor.copy_(drawn.where(pending, tensor))
        pending = pending & refused
    return tensor


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one number."""
    return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Make a matrix the identity; ValueError for other than two dimensions."""
    if tensor.dim() != 2:
        raise ValueError(_NO_MATRIX)
    return tensor.copy_(eye_of(*tensor.shape))


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal numbers, and a random share of each column, `sparsity`, with 0."""
    if tensor.dim() != 2:
        raise ValueError(_NO_MATRIX)
    rows, columns = tensor.shape
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[randperm(rows)[: math.ceil(sparsity * rows)], column] = 0
    return tensor


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill uniformly over +-gain * sqrt(6 / (in + out))."""
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill normally with standard deviation gain * sqrt(2 / (in + out))."""
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill uniformly over +-gain * sqrt(3 / fan), the gain being that of the nonlinearity."""
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator) if tensor.numel() else tensor


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill normally with standard deviation gain / sqrt(fan)."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return normal_(tensor, 0, std, generator) if tensor.numel() else tensor


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill so that as a matrix (rows, the rest) its rows, or its columns, are orthonormal."""
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    drawn = tensor.clone().normal_(generator=generator).reshape(rows, -1).numpy()
    q, r = np.linalg.qr(drawn.T if rows < drawn.shape[1] else drawn)
    q = q * np.sign(np.diagonal(r))
    found = creation.tensor(q.T if rows < drawn.shape[1] else q)
    return tensor.copy_(found.view_as(tensor)).mul_(gain)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _xavier_std(tensor: Tensor, gain: float) -> float:
    return gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op")
        return 0.0
    mode = mode.lower()
    modes = ["fan_in", "fan_out"]
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    fan = _calculate_fan_in_and_fan_out(tensor)[modes.index(mode)]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _renamed(function: Any) -> Any:
    """Return a function under its deprecated name."""
    old = function.__name__.removesuffix("_")

    def as_once(*args: Any, **kwargs: Any) -> Tensor:
        warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.", FutureWarning)
        return function(*args, **kwargs)

    return called(old, f"Do what `{old}_` does.", as_once)


uniform, normal, constant, eye = map(_renamed, (uniform_, normal_, constant_, eye_))
xavier_uniform, xavier_normal = map(_renamed, (xavier_uniform_, xavier_normal_))
kaiming_uniform, kaiming_normal = map(_renamed, (kaiming_uniform_, kaiming_normal_))
orthogonal, sparse = map(_renamed, (orthogonal_, sparse_))
