"""Arguments that name dimensions: they are checked, and counted from the front."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import cache
from operator import index
from typing import Any

import numpy as np

from autograd_core.messages import wrong_type
from autograd_core.tensor import Tensor


def dims_of(tensor: Tensor, dim: Any) -> Any:
    """Return a dimension or several, counted from the front, None for all; errors are PyTorch's."""
    if isinstance(dim, int) and tensor._array.ndim:
        return (dim_from_front(tensor, dim),)
    dims = () if dim is None else several(dim)
    if not dims:
        return None
    from_front = [dim_from_front(tensor, each) for each in dims]
    for each in from_front:
        if from_front.count(each) > 1:
            raise RuntimeError(f"dim {each} appears multiple times in the list of dims")
    # PyTorch lets a 0-d tensor be reduced over a dimension that it does not have.
    return tuple(from_front) if tensor.dim() else shown_as(tuple(from_front))


def several(given: Any) -> tuple[Any, ...]:
    """Return an argument that is an integer or a sequence of integers as a tuple."""
    return tuple(given) if isinstance(given, tuple | list) else (index(given),)


def rows_over(array: np.ndarray, dims: tuple[int, ...] | None) -> np.ndarray:
    """Return NumPy data with the dimensions to reduce (None: all) moved to the end, as one."""
    if dims is None:
        return array.reshape(-1)
    last = np.moveaxis(array, dims, range(-len(dims), 0))
    return last.reshape(*last.shape[: array.ndim - len(dims)], -1)


def length_of(tensor: Tensor, dim: int) -> int:
    """Return the length of a dimension; a 0-d tensor counts as a vector of one element."""
    return tensor._array.shape[dim] if tensor._array.ndim else 1


def count_over(data: Any, dims: Any) -> int:
    """Return how many elements a tensor, or NumPy data, has over dimensions."""
    return math.prod([data.shape[dim] for dim in dims])


def whole_number(value: Any, place: str = "it") -> int:
    """Return an integer, perhaps NumPy's or that of a tensor; TypeError that names the `place`."""
    # In PyTorch, bools are no integers.
    if not isinstance(value, bool):
        with suppress(TypeError):
            return index(value)
    raise wrong_type(place, "int", value)


def dim_from_front(tensor: Tensor, dim: int) -> int:
    """Return `dim` counted from the front, or raise PyTorch's IndexError."""
    return dim_among(tensor._array.ndim or 1, dim)


def dim_that_is(tensor: Tensor, dim: Any) -> int:
    """As `dim_from_front`, but IndexError for a 0-d tensor."""
    if not tensor.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return dim_from_front(tensor, dim)


def dim_among(rank: int, dim: int) -> int:
    """Return `dim` of `rank` dimensions, counted from the front, or raise IndexError."""
    if isinstance(dim, Tensor):
        dim = index(dim)
    if not -rank <= dim < rank:
        if not -(2**63) <= dim < 2**63:
            raise ValueError("Overflow when unpacking long long")
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], "
            f"but got {dim})"
        )
    return dim if dim >= 0 else _counted(rank, dim)


class FromTheEnd(int):
    """A dimension counted from the front; nodes show it as it was `given`, from the end."""

    given: int


class ShownOtherwise(tuple):
    """A tuple for which nodes show what was `given` instead."""

    given: Any


def shown_as(given: Any, values: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """Return `values`, by default the dimensions of a 0-d tensor; nodes show `given` instead."""
    shown = ShownOtherwise(values)
    shown.given = given
    return shown


@cache
def _counted(rank: int, dim: int) -> FromTheEnd:
    counted = FromTheEnd(rank + dim)
    counted.given = dim
    return counted
