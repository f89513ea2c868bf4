"""What is found where elements are put in order: median, mode, kthvalue."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from autograd_core import return_types
from autograd_core.dtypes import no_kernel
from autograd_core.ops.dims import dim_from_front
from autograd_core.ops.equals import most_frequent, settle_kth
from autograd_core.ops.extremes import Chosen, Extreme, extreme_of, refuse_no_length
from autograd_core.ops.reductions import refuse_alone
from autograd_core.tensor import Tensor


def _middle(a: Any) -> Any:
    ordered = np.sort(a, axis=None)
    if not ordered.size:
        return np.float32("nan").astype(a.dtype)
    return ordered[-1] if np.isnan(ordered[-1]) else ordered[(ordered.size - 1) // 2]


class Median(Extreme):
    """As `Extreme`, for the one in the middle, the lower of two."""

    pick = staticmethod(_middle)


def _where_kth(a: Any, k: int, axis: int) -> Any:
    return np.take(np.argsort(a, axis=axis, kind="stable"), k - 1, axis=axis)


def _where_kth_of_equals(a: Any, k: int, axis: int) -> Any:
    places = np.array(_where_kth(a, k, axis))
    settle_kth(a, places, k - 1, axis)
    return places


def _where_middle(a: Any, axis: int) -> Any:
    middle = _where_kth(a, (a.shape[axis] + 1) // 2, axis)
    if a.dtype.kind != "f":
        return middle
    missing = np.isnan(a)
    return np.where(missing.any(axis=axis), np.argmax(missing, axis=axis), middle)


def _where_mode(a: Any, axis: int) -> Any:
    if not a.size:
        return np.argmax(a, axis=axis)
    return np.apply_along_axis(most_frequent, axis, a)


class MedianDim(Chosen):
    """As `Chosen`, for the middle one, the lower of two."""

    node_name, pick, result = "MedianBackward1", staticmethod(_where_middle), return_types.median


class Mode(Chosen):
    """As `Chosen`, for the most frequent one, the smallest of several."""

    node_name, pick, result = "ModeBackward0", staticmethod(_where_mode), return_types.mode


class Kthvalue(Chosen):
    """As `Chosen`, for the k-th smallest."""

    node_name, result = "KthvalueBackward0", return_types.kthvalue
    pick = staticmethod(_where_kth_of_equals)


def median(input: Tensor, dim: Any = ..., keepdim: bool = False) -> Any:
    """Return the middle element (the lower of two), or (values, indices) along `dim`."""
    if input._array.dtype.kind == "b":
        raise no_kernel("median_cpu" if dim is ... else "median_out", input._array)
    if dim is ...:
        refuse_alone(keepdim)
        return Median.apply(input)
    if isinstance(dim, Tensor):
        dim = index(dim)
    return extreme_of("median", Median, MedianDim, input, dim, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the most frequent value along `dim` (the smallest of several), and where it is."""
    dim = index(dim)
    return extreme_of("mode", Mode, Mode, input, dim, keepdim)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the k-th smallest value along `dim`, and where it is; k counts from 1."""
    front = dim_from_front(input, dim)
    refuse_no_length("kthvalue", input, front)
    if input._array.dtype.kind == "b":
        raise no_kernel("kthvalue_cpu", input._array)
    if not 1 <= k <= (input.shape[front] if input.dim() else 1):
        raise RuntimeError("kthvalue(): selected number k out of range for dimension " + str(front))
    return Kthvalue.apply(input, front, keepdim, k)
