"""Normalization to mean 0 and variance 1, then a scale and shift: layer_norm and batch_norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_core.function import Function
from autograd_core.node import NO_TENSOR
from autograd_core.ops.dims import count_over
from autograd_core.ops.order_in_memory import laid_in_order
from autograd_core.ops.rounding import EXACT_UP_TO
from autograd_core.tensor import wrap
from autograd_core.tensors.dtypes import float16


class LayerNorm(Function):
    """z = w n + b with n = (x - mean) / s, s = sqrt(var + eps), both over dims.

    w and b have a shape of their own, and broadcast as another.
    dL/dx = P(w g) with P(h) = (h - mean(h) - n mean(h n)) / s,  dL/dw = g n,  dL/db = g.
    """

    node_name = "NativeLayerNormBackward0"
    saved_names: tuple[str, ...] = "input", "weight", "bias", "result1", "result2"
    edges_for_numbers = True

    @staticmethod
    def forward(ctx, x, weight, bias, how):
        ctx.dims, ctx.eps, ctx.shape, ctx.own = how
        ctx.training = True
        z, mean, deviation = LayerNorm.standardised(ctx, x, weight, bias)
        kind = LayerNorm.kind_of_results(x, weight, bias)
        results = [each.astype(kind) for each in (mean, 1 / deviation)]
        ctx.save_for_backward(x, weight, bias, *map(wrap, results))
        return z

    @staticmethod
    def kind_of_results(x, *params):
        """Return the dtype of mean and 1 / s: that of the parameters, which may be more exact."""
        return next((each for each in params if each is not None), x)._array.dtype

    @staticmethod
    def standardised(ctx, x, weight, bias, given=None):
        """Return z, and mean and s as NumPy data; mean and variance may be `given` as tensors."""
        # The options are no tensor, and have no edge.
        ctx._output_nrs = (*ctx._output_nrs[:3], NO_TENSOR)
        a = x._array
        exact = a.astype(np.float64) if a.size <= EXACT_UP_TO else a
        if given is None:
            mean, variance = _mean_and_variance(exact, ctx.dims)
        else:
            mean, variance = [each._array.reshape(ctx.shape) for each in given]
        deviation = np.sqrt(variance + ctx.eps)
        z = (exact - mean) / deviation
        if weight is not None:
            z = z * weight._array.reshape(ctx.shape)
        if bias is not None:
            z = z + bias._array.reshape(ctx.shape)
        return wrap(laid_in_order(z.astype(a.dtype, copy=False))), mean, deviation

    @staticmethod
    def backward(ctx, g):
        x, weight, *kept = ctx.saved_tensors
        n, deviation = LayerNorm.standard(ctx, x, kept)
        to_x, to_w, to_b, _ = ctx.needs_input_grad
        scaled = g if weight is None else g * weight.reshape(ctx.shape)
        by_x = LayerNorm.projected(ctx, scaled, n, deviation) if to_x else None
        by_w = LayerNorm.gathered(ctx, g * n) if to_w else None
        return by_x, by_w, LayerNorm.gathered(ctx, g) if to_b else None, None

    @staticmethod
    def jvp(ctx, dx, dw, db, _):
        x, weight, *kept = ctx.saved_tensors
        n, deviation = LayerNorm.standard(ctx, x, kept)
        change = LayerNorm.projected(ctx, dx, n, deviation)
        if dw is not None:
            change = change * weight.reshape(ctx.shape) + n * dw.reshape(ctx.shape)
        change = change if db is None else change + db.reshape(ctx.shape)
        return change.to(kept[-1].dtype)

    @staticmethod
    def standard(ctx, x, kept):
        """Return n and s as tensors, with a history if they are to be differentiated.

        Those of a float16 x are float32.
        """
        x = x.float() if x.dtype == float16 else x
        if ctx.training:
            mean = x.mean(ctx.dims, True)
            variance = ((x - mean) ** 2).mean(ctx.dims, True)
        else:
            mean, variance = [each.detach().to(x.dtype).reshape(ctx.shape) for each in kept[:2]]
        deviation = (variance + ctx.eps).sqrt()
        return (x - mean) / deviation, deviation

    @staticmethod
    def projected(ctx, h, n, deviation):
        """Return P(h), which is its own transpose."""
        if not ctx.training:
            return h / deviation
        return (h - h.mean(ctx.dims, True) - n * (h * n).mean(ctx.dims, True)) / deviation

    @staticmethod
    def gathered(ctx, g):
        """Return g summed to the shape of weight and bias."""
        over = [each for each, length in enumerate(ctx.shape) if length == 1]
        return (g.sum(over) if over else g).reshape(ctx.own)


def _mean_and_variance(a: Any, dims: tuple[int, ...]) -> tuple[Any, Any]:
    """Return NumPy's `mean` and `var`, without their warnings: nan if there are no numbers."""
    count = count_over(a, dims)
    mean = np.add.reduce(a, dims, keepdims=True) / count
    return mean, np.add.reduce(np.square(a - mean), dims, keepdims=True) / count


class BatchNorm(LayerNorm):
    """As `LayerNorm`, over all dimensions but the second; mean and variance may be given."""

    node_name = "NativeBatchNormBackward0"
    saved_names = "input", "weight", "running_mean", "running_var", "result1", "result2"

    @staticmethod
    def forward(ctx, x, weight, bias, how):
        ctx.dims, ctx.eps, ctx.shape, ctx.own, ctx.training, *running = how
        given = None if ctx.training else running
        z, mean, deviation = LayerNorm.standardised(ctx, x, weight, bias, given)
        results = (mean.reshape(-1), 1 / deviation.reshape(-1)) if ctx.training else ([], [])
        kind = LayerNorm.kind_of_results(x, weight, bias, *running)
        kept = [np.array(each, kind) for each in results]
        ctx.save_for_backward(x, weight, *running, *map(wrap, kept))
        return z
