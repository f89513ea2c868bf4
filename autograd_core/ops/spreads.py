"""How far apart and how large numbers are: var, std, norm, and logsumexp."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.creation import zeros_of
from autograd_core.function import Function
from autograd_core.messages import warn, wrong_type
from autograd_core.ops.arithmetic import DivNumber, MulNumber
from autograd_core.ops.dims import dims_of, number_of, rows_over
from autograd_core.ops.in_place import not_the_shape
from autograd_core.ops.making import called
from autograd_core.ops.operator import Operator, keep_first, keep_first_and_output, plus
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.reductions import SharedOut, spread, unreduced
from autograd_core.ops.rounding import floating
from autograd_core.ops.softmax import tangent_of_logsumexp
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import within_64_bits

_sum: Any = np.add.reduce


class Var(Operator):
    """z = sum (x - m)^2 / (n - c) for the mean m;  dL/dx = g * 2 (x - m) / (n - c)."""

    saved_names, setup_context = ("self",), keep_first

    @staticmethod
    def forward(x, dims, correction, keepdim):
        variance = _variance(x._array, dims, correction, keepdim).astype(x._array.dtype)
        return wrap(laid_in_order(variance))

    @staticmethod
    def backward(ctx, g):
        return Var.pulled(ctx, g, *ctx.saved_tensors), None, None, None

    @staticmethod
    def pulled(ctx, g, x):
        """Return dL/dx."""
        dims, _, keepdim = ctx.arguments
        return Var.times_slope(ctx, unreduced(g, dims, keepdim) if x.dim() > 1 else g, x)

    @staticmethod
    def times_slope(ctx, g, x):
        """Return g, which broadcasts to the shape of x, times dz/dx."""
        dims, correction, _ = ctx.arguments
        if (dims is None or not x.shape) and x.numel() <= correction:
            alike = (x == x.mean())._array
            return g * wrap(np.where(alike, math.nan, math.inf).astype(x._array.dtype))
        freedom = _count(x._array, dims) - correction
        centred = x - (x.mean() if dims is None else x.mean(dims, True))
        return MulNumber.apply(g, 2 / freedom if freedom else math.inf) * centred

    @staticmethod
    def jvp(ctx, dx, *_):
        dims, _, keepdim = ctx.arguments
        return Var.times_slope(ctx, dx, ctx.saved_tensors[0]).sum(dims, keepdim)


class Std(Operator):
    """z = the square root of `Var`;  dL/dx = g * (x - m) / (n - c) / z, 0 where z is."""

    saved_names, setup_context = ("self", "result"), keep_first_and_output

    @staticmethod
    def forward(x, dims, correction, keepdim):
        variance = _variance(x._array, dims, correction, keepdim)
        return wrap(laid_in_order(np.sqrt(variance).astype(x._array.dtype)))

    @staticmethod
    def backward(ctx, g):
        return Std.pulled(ctx, g, *ctx.saved_tensors), None, None, None

    @staticmethod
    def pulled(ctx, g, x, z):
        """Return dL/dx."""
        return Var.pulled(ctx, (g / MulNumber.apply(z, 2)).masked_fill_(z == 0, 0), x)

    @staticmethod
    def jvp(ctx, dx, *_):
        z = ctx.saved_tensors[1]
        return (Var.jvp(ctx, dx) / (z * 2)).masked_fill_(z == 0, 0)


class VarMean(Function):
    """`Var` and the mean together;  dL/dx = the sum of their gradients."""

    node_name = "VarMeanBackward0"
    saved_names: tuple[str, ...] = ("self",)
    spread_of: Any = Var

    @classmethod
    def forward(cls, ctx, x, *arguments):
        z = cls.spread_of.forward(x, *arguments)
        dims, _, keepdim = ctx.arguments = arguments
        ctx.save_for_backward(x)
        ctx.materializes = False
        dims = dims or None
        total = _sum(x._array, axis=dims, keepdims=keepdim, dtype=np.float64)
        mean = total / _count(x._array, dims)
        if not np.isfinite(mean).all():
            # PyTorch, which takes one number after the other, goes on from infinity to nan.
            passed = np.isinf(rows_over(x._array, dims)[..., :-1]).any(-1)
            mean = np.where(passed.reshape(mean.shape), np.nan, mean)[()]
        return z, wrap(laid_in_order(mean.astype(x._array.dtype)))

    @classmethod
    def backward(cls, ctx, g, h):
        kept = ctx.saved_tensors
        dims, _, keepdim = ctx.arguments
        of_mean = of_spread = None
        if h is not None:
            repeated = spread(h, kept[0].shape, dims, keepdim)
            of_mean = DivNumber.apply(repeated, _count(kept[0]._array, dims or None))
        if g is not None:
            of_spread = cls.spread_of.pulled(ctx, g, *kept)
        return plus(of_spread, of_mean), None, None, None

    @classmethod
    def jvp(cls, ctx, dx, *_):
        dims, _, keepdim = ctx.arguments
        return cls.spread_of.jvp(ctx, dx), dx.mean(dims, keepdim)


class StdMean(VarMean):
    """`Std` and the mean together;  dL/dx = the sum of their gradients."""

    node_name, saved_names, spread_of = "StdMeanBackward0", ("self", "result0"), Std

    @classmethod
    def forward(cls, ctx, x, *arguments):
        z, mean = super().forward(ctx, x, *arguments)
        ctx.save_for_backward(x, z)
        return z, mean


class Logsumexp(SharedOut):
    """z = log sum e^x over dims;  dL/dx = g * e^(x - z)."""

    @staticmethod
    def forward(x, dims, keepdim):
        a = floating(x._array)
        most = np.max(a, axis=dims, keepdims=True, initial=-np.inf)
        most = np.where(np.isinf(most), 0, most).astype(a.dtype)
        powers = np.exp((a - most).astype(np.float64)).astype(a.dtype)
        total = _sum(powers, axis=dims, keepdims=True)
        logarithm = np.log(total.astype(np.float64)).astype(a.dtype) + most
        return wrap(laid_in_order(logarithm if keepdim else np.squeeze(logarithm, dims)[()]))

    @staticmethod
    def share(x, z, dims, keepdim):
        """Return the softmax."""
        return (x - unreduced(z, dims, keepdim)).exp()

    @classmethod
    def jvp(cls, ctx, dx, *_):
        return tangent_of_logsumexp(ctx.saved_tensors[0], dx, *ctx.arguments)


class VectorNorm(Operator):
    """z = (sum |x|^p)^(1/p);  dL/dx = g * sign(x) (|x| / z)^(p-1), 0 where z is."""

    node_name, saved_names = "LinalgVectorNormBackward0", ("self", "result")

    setup_context = keep_first_and_output

    @staticmethod
    def forward(x, order, dims, keepdim):
        a = x._array
        sizes = np.abs(np.asarray(a, np.float64))
        if math.isinf(order):
            z = (np.max if order > 0 else np.min)(sizes, axis=dims, keepdims=keepdim)
        elif order == 0:
            z = np.count_nonzero(sizes, axis=dims, keepdims=keepdim)
        else:
            z = _sum(sizes**order, axis=dims, keepdims=keepdim) ** (1 / order)
        return wrap(laid_in_order((np.float64(1) * z).astype(a.dtype)))

    @staticmethod
    def backward(ctx, g):
        x, z = ctx.saved_tensors
        order, dims, keepdim = ctx.arguments
        if order == 0:
            return None, None, None, None
        return VectorNorm.slope(ctx, x, z, unreduced(g, dims, keepdim)), None, None, None

    @staticmethod
    def jvp(ctx, dx, *_):
        order, dims, keepdim = ctx.arguments
        if order == 0:
            return zeros_of(ctx.saved_tensors[1].shape, dx._array.dtype)
        x, z = ctx.saved_tensors
        return VectorNorm.slope(ctx, x, z, dx).sum(dims, keepdim)

    @staticmethod
    def slope(ctx, x, z, g):
        """Return g times the derivative by each element."""
        order, dims, keepdim = ctx.arguments
        z = unreduced(z, dims, keepdim)
        if order == 1:
            return x.sgn() * g
        if order == 2:
            return g * (x / z).masked_fill_(z == 0, 0)
        if math.isinf(order):
            chosen = ((x.abs() == z) | (x.isnan() & z.isnan())).to(x.dtype)
            return x.sgn() * (g / chosen.sum(dims, True) * chosen)
        if order > 2:
            return x * x.abs() ** (order - 2) * (g / z ** (order - 1)).masked_fill_(z == 0, 0)
        scaled = x.sgn() * (x.abs() ** (order - 1)).masked_fill_(x == 0, 0)
        if order < 1:
            return scaled * g * z ** (1 - order)
        return scaled * (g / z ** (order - 1)).masked_fill_(z == 0, 0)


def _in_all_forms(name: str, operator: type[Function], returned: str) -> Callable[..., Any]:
    def function(
        input: Tensor,
        dim: Any = ...,
        unbiased: Any = None,
        keepdim: bool = False,
        *,
        correction: Any = ...,
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = ..., dim
        if unbiased is not None:
            if correction is not ... or (dim is ... and keepdim):
                raise TypeError
            correction = int(unbiased)
        if not input.is_floating_point():
            what = "std and var" if name in ("std", "var") else name
            raise RuntimeError(f"{what} only support floating point and complex dtypes")
        dims = dims_of(input, None if dim is ... else dim)
        correction = 1 if correction in (None, ...) else number_of(correction)
        if (_count(input._array, dims) if input._array.size else 0) <= correction:
            warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel)."
            )
        if dims is None and dim not in (None, ...) and input.dim():
            # An empty tuple: all are reduced, but backward counts none.
            dims = ()
        return operator.apply(input, dims, correction, keepdim)

    doc = f"""Return {returned}, over dimensions or of all elements.

    The squares are divided by n - `correction`; warns if that is not positive. In the forms
    {name}(dim, unbiased, keepdim) and {name}(unbiased) the correction is 1 if `unbiased`, else 0.
    """
    return called(name, doc, function)


var = _in_all_forms("var", Var, "the variance")
std = _in_all_forms("std", Std, "the standard deviation")
var_mean = _in_all_forms("var_mean", VarMean, "variance and mean")
std_mean = _in_all_forms("std_mean", StdMean, "standard deviation and mean")


def logsumexp(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return log(sum(exp(input))) over one or several dimensions, without overflow."""
    if dim is None:
        raise TypeError
    dims = dims_of(input, dim)
    if dims is None and input.dim() and input.numel() and not keepdim:
        # PyTorch has kept the largest of all in every dimension.
        raise RuntimeError(not_the_shape((), (1,) * input.dim()))
    return Logsumexp.apply(input, dims, keepdim)


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """Return the p-norm of all elements or over dimensions; "fro" and 2 are the Euclidean one."""
    if isinstance(p, str) and p != "fro":
        raise NotImplementedError(f"norm(p={p!r})")
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim, dtype=dtype)


def vector_norm(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Return (sum |x|^ord)^(1/ord), of all elements or over dimensions (torch.linalg)."""
    if isinstance(ord, Tensor | np.generic) and not (ord.ndim or getattr(ord, "requires_grad", 0)):
        ord = ord.item()
    if not isinstance(ord, int | float):
        raise wrong_type("linalg_vector_norm(): argument 'ord' (position 2)", "Number", ord)
    within_64_bits(ord)
    x = x if dtype is None else x.to(dtype)
    if not x.is_floating_point():
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.title}"
        )
    dims = dims_of(x, dim)
    if (ord < 0 or math.isinf(ord)) and not x.numel():
        start, end = f"linalg.vector_norm cannot compute the {ord:g} norm on ", "an identity"
        if dims is None:
            raise RuntimeError(f"{start}an empty tensor because the operation does not have {end}")
        for empty in [each for each in dims if not x.shape[each]]:
            # It is PyTorch that lacks the space.
            raise RuntimeError(
                f"{start}the dimension {getattr(empty, 'given', empty)}because this dimension is "
                f"empty and the operation does not have {end}"
            )
    return VectorNorm.apply(x, ord, dims, keepdim)


def _count(a: Any, dims: Any) -> int:
    return a.size if dims is None else math.prod([a.shape[dim] for dim in dims])


def _variance(a: Any, dims: Any, correction: float, keepdim: bool) -> Any:
    wide, dims = np.asarray(a, np.float64), dims or None
    count = np.float64(_count(a, dims))
    centred = wide - _sum(wide, axis=dims, keepdims=True) / count
    total = _sum(centred * centred, axis=dims, keepdims=keepdim)
    return np.asarray(total / np.maximum(count - correction, 0))[()]
