"""Tensors of evenly spaced numbers, and the identity matrix."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from autograd_core.creation.filled import fitting, plain_number
from autograd_core.creation.options import Options
from autograd_core.messages.arguments import explained
from autograd_core.ops.quiet import quietly
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

# The most elements that an array may have.
_MOST = 2**63 - 1
_NO_STEP = "step must be nonzero"


@quietly
@explained
def arange(*bounds: Any, **options: Any) -> Tensor:
    """Return the numbers from `start` (or 0) to `end`, which is left out, in steps.

    Called as arange(end) or arange(start, end, step=1). Raises RuntimeError for a step of zero or
    of the wrong sign.
    """
    names = ("end",) if len(bounds) == 1 and "end" not in options else ("start", "end", "step")
    given = dict(zip(names, bounds, strict=False))
    given |= {name: options.pop(name) for name in ("start", "end", "step") if name in options}
    if len(bounds) > len(names) or ("step" in given and "start" not in given):
        raise TypeError
    start, end, step = [
        dtypes.within_64_bits(plain_number(given.get(name, default)))
        for name, default in (("start", 0), ("end", None), ("step", 1))
    ]
    settled = Options("arange", options, "out")
    floating = any(isinstance(each, float) for each in (start, end, step))
    kind = settled.numpy(dtypes.default() if floating else dtypes.int64)
    if not (step > 0 or step < 0):
        raise RuntimeError(_NO_STEP)
    for bound in (start, end):
        if not math.isfinite(bound):
            raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    dtypes.check_kernel("arange_cpu", kind, dtypes.NUMBERS)
    if kind.kind in "iu":
        if kind == np.int64:
            start, end, step = [int(fitting(each, kind)) for each in (start, end, step)]
            if not step:
                raise ValueError(_NO_STEP)
        count = max(math.ceil((end - start) / step), 0)
        values = int(start) + int(step) * np.arange(count, dtype=np.int64)
        return settled.finish_row(values.astype(kind), rounded=True)
    count = math.ceil((end - start) / step)
    if count > _MOST:
        raise RuntimeError("invalid size, possible overflow?")
    values = start + step * np.arange(count, dtype=np.float64)
    return settled.finish_row(values.astype(kind), rounded=True)


@quietly
@explained
def linspace(start: Any, end: Any, steps: int, **options: Any) -> Tensor:
    """Return `steps` evenly spaced numbers from `start` to `end`, both included."""
    tensors = [
        (name, each.dim())
        for name, each in (("start", start), ("end", end))
        if isinstance(each, Tensor)
    ]
    if any(rank for _, rank in tensors):
        found = " and ".join(f"{name} with {rank} dimension(s)" for name, rank in tensors)
        raise RuntimeError(
            f"linspace only supports 0-dimensional start and end tensors, but got {found}."
        )
    settled = Options("linspace", options, "out")
    kind = settled.numpy()
    dtypes.check_kernel("linspace_cpu", kind, dtypes.NUMBERS)
    return settled.finish_row(_spaced(start, end, steps, kind).astype(kind))


@quietly
@explained
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, **options: Any) -> Tensor:
    """Return `base` to the power of `steps` evenly spaced numbers from `start` to `end`."""
    settled = Options("logspace", options, "out")
    kind = settled.numpy()
    exponents = _spaced(start, end, steps, kind)
    return settled.finish_row(np.power(float(base), exponents.astype(np.float64)).astype(kind))


@explained
def eye(n: int, m: int | None = None, **options: Any) -> Tensor:
    """Return ones on the diagonal of an (n, m) matrix of zeros."""
    columns = n if m is None else m
    for name, length in (("n", n), ("m", columns)):
        if operator.index(length) < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {length}")
    settled = Options("eye", options, "out")
    return settled.finish(np.eye(n, columns, dtype=settled.numpy()))


def _spaced(start: Any, end: Any, steps: int, kind: np.dtype) -> np.ndarray:
    """Return evenly spaced numbers, computed from both ends towards the middle as in PyTorch.

    The ends are numbers of the dtype `kind`.
    """
    ends = [each.item() if isinstance(each, Tensor | np.generic) else each for each in (start, end)]
    steps = operator.index(steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    real = kind.type if kind.kind == "f" else np.float32
    first, last = [real(fitting(each, kind)) for each in ends]
    if steps == 1:
        return np.array([first])
    # In a wider dtype, so that products are added unrounded, as by a fused multiply-add.
    wide: Any = np.longdouble if real is np.float64 else np.float64
    step, places = (last - first) / real(steps - 1), np.arange(steps - steps // 2, dtype=wide)
    up, down = first + step * places[: steps // 2], last - step * places[::-1]
    return np.concatenate([up, down]).astype(real)
