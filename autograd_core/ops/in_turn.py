"""In-place operators that read the memory they write: step by step, as PyTorch does.

PyTorch walks through memory, 64 bytes at a time where elements are adjacent, and later steps read
what earlier ones have changed: `x /= x[:, :1]` changes no more than the first column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_core.ops.order_in_memory import outermost_first
from autograd_core.tensor import Tensor, wrap


def in_turn(compute: Callable[..., Tensor], x: Tensor, *args: Any) -> Tensor:
    """Return what x would hold after `compute(x, *args)` was written into it piece by piece."""
    result, target = compute(x, *args), x._array
    if result._array.shape != target.shape or result.dtype.category > x.dtype.category:
        # The caller will refuse this result.
        return result
    places = [at for at, each in enumerate(args) if isinstance(each, Tensor)]
    changed, *read = copied_memory(x, *[args[at] for at in places])
    order = outermost_first(target)
    seen = [changed, *[np.broadcast_to(each, target.shape) for each in read]]
    flags: list[Any] = [["readwrite"], *[["readonly"]] * len(read)]
    ordered = [each.transpose(order) for each in seen]
    rows = np.nditer(ordered, ["external_loop"], flags, order="C")
    given = list(args)
    for into, *row in rows:
        for piece, operands in _pieces(into, row):
            for at, operand in zip(places, operands, strict=True):
                given[at] = wrap(operand)
            piece[...] = compute(wrap(piece), *given)._array
    return wrap(changed)


def copied_memory(x: Tensor, *others: Tensor) -> list[np.ndarray]:
    """Return the arrays of the tensors; those that share memory with x share one copy of it."""
    data = x._storage.data
    memory, begin = data.ravel(order="K").copy(), x._storage.data_ptr()
    return [
        np.ndarray(a.shape, a.dtype, memory, each.data_ptr() - begin, a.strides)
        if each._storage.data is data
        else a
        for each, a in [(each, each.memory()) for each in (x, *others)]
    ]


def _pieces(into: np.ndarray, read: list[np.ndarray]) -> Any:
    """Yield the parts of a row that are written at once, each with the operands read for it."""
    step, whole = 64 // into.itemsize, 0
    lone = [not any(each.strides) for each in read]
    dense = all(each.strides == (each.itemsize,) or not any(each.strides) for each in (into, *read))
    if dense and sum(lone) <= 1:
        whole = len(into) // step * step
        # As in PyTorch, a single number is read once, before all these steps.
        first = [each.copy() if one else each for each, one in zip(read, lone, strict=True)]
        if all(lone):
            step = max(whole, 1)
        for start in range(0, whole, step):
            part = slice(start, start + step)
            yield into[part], [each[part] for each in first]
    for start in range(whole, len(into)):
        part = slice(start, start + 1)
        yield into[part], [each[part] for each in read]
