"""`make_tensor`: random numbers for tests to compute with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from autograd_core import creation
from autograd_core.random.sampling import randint
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes, type_info


def make_tensor(
    *shape: Any,
    dtype: dtypes.dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
) -> Tensor:
    """Return random numbers in [low, high): by default from -9 to 9, both included.

    As far as the dtype has them. `noncontiguous` leaves gaps between the last dimension's elements,
    `exclude_zero` replaces 0 by the smallest positive number. ValueError for empty ranges.
    """
    sizes = list(shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence) else shape)
    apart = noncontiguous and math.prod(sizes) > 1
    if apart:
        sizes[-1] *= 2
    real = dtype.is_floating_point
    first, end = (-9 if low is None else low), (10 - real if high is None else high)
    if first >= end and not (real and first == end):
        raise ValueError(f"`low` must be less than `high`, but got {first} >= {end}")
    if real:
        made = creation.empty(sizes, dtype=dtype, device=device).uniform_(first, end)
    else:
        bounds = type_info.iinfo(dtype) if dtype is not dtypes.bool_ else None
        least, most = (bounds.min, bounds.max) if bounds else (0, 1)
        whole = max(math.ceil(first), least), min(math.ceil(end), most + 1)
        made = randint(*whole, sizes, dtype=dtype, device=device)
    if apart:
        made = made[..., 1::2]
    if exclude_zero:
        made[made == 0] = type_info.finfo(dtype).tiny if real else 1
    return made.requires_grad_(requires_grad)
