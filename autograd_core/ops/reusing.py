"""Products and quotients of gradients, written into memory that is not needed any more.

If only the engine holds a gradient, or only a node the factor that it saved, the result is written
into its memory. It is the same, to the bit, as in a new tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_core.forward_mode import levels
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.elementwise import WEAK
from autograd_core.ops.into_memory import is_plain
from autograd_core.ops.quiet import quiet_context
from autograd_core.ownership import ALONE, WORTHWHILE, sees_memory_alone
from autograd_core.tensor import Tensor, data_of, wrap


def times_each(g: Tensor, factors: list[Tensor | None]) -> tuple[Tensor | None, ...]:
    """Return g * factor for each factor, None for None; for large arrays.

    The caller must not use g and the factors any more; the list is emptied.
    """
    last = next((at for at, factor in enumerate(factors) if factor is not None), None)
    ours = getrefcount(g) <= _references_to_an_argument()
    products: list[Tensor | None] = []
    while factors:
        factor = factors.pop()
        if factor is not None:
            spent = getrefcount(factor) <= ALONE
            products.append(_product(g, factor, ours and len(factors) == last, spent))
        else:
            products.append(None)
    return tuple(products[::-1])


def times(g: Tensor, factor: Tensor) -> Tensor:
    """Return g * factor; the caller must not use g any more."""
    if g._array.size < WORTHWHILE:
        return g * factor
    ours = getrefcount(g) <= _references_to_an_argument()
    return _product(g, factor, ours, getrefcount(factor) <= _references_to_a_temporary())


def into_spent(operator: Any, g: Tensor, other: Tensor) -> Tensor:
    """Return `operator.apply(g, other)`; the caller must not use g any more."""
    if (
        g._array.size >= WORTHWHILE
        and getrefcount(g) <= _references_to_an_argument()
        and is_plain_value()
        and sees_memory_alone(g)
        and _alike(g, other)
        and quiet_context().run(operator.into, g, other)
    ):
        return wrap(g._array)
    return operator.apply(g, other)


def _product(g: Tensor, factor: Any, g_is_spent: bool, factor_is_spent: bool) -> Tensor:
    if is_plain_value():
        if (
            factor_is_spent
            and isinstance(factor, Tensor)
            and sees_memory_alone(factor)
            and _alike(factor, g)
        ):
            # The expanded ones that `sum` sends back need no multiplication.
            if any(g._array.strides) or g._array.flat[0] != 1:
                quiet_context().run(np.multiply, g._array, factor._array, out=factor._array)
            return wrap(factor._array)
        if g_is_spent and sees_memory_alone(g) and _alike(g, factor):
            quiet_context().run(np.multiply, g._array, data_of(factor), out=g._array)
            return wrap(g._array)
    return g * factor


def is_plain_value() -> bool:
    """Return whether the results of this backward are plain values, not differentiated again."""
    return not mode.enabled and not levels.entered


def _alike(owner: Tensor, other: Any) -> bool:
    """Return whether a new result would have the dtype and the memory layout of `owner`."""
    a, b = owner._array, data_of(other)
    return is_plain(a, b) and (type(b) in WEAK or a.strides == b.strides or not any(b.strides))


def _counted(held: Any) -> int:
    return getrefcount(held)


def _handed_on(held: Any, count: Callable[[Any], int]) -> int:
    return count(held)


# Counted at each call: it differs between Python's versions, and debuggers change it as well.
def _references_to_an_argument() -> int:
    """Return what `getrefcount` says of an argument that was passed on and is held nowhere else."""
    held = [object()]
    return _handed_on(held.pop(), _counted)


def _references_to_a_temporary() -> int:
    """Return what `getrefcount` says of an argument that only the called function holds."""
    held = [object()]
    return _counted(held.pop())
