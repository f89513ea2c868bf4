"""Tensors of random numbers: `rand`, `randn`, `randint`, `randperm`, `rand_like` and its like."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from autograd_core.creation.filled import fitting, like
from autograd_core.creation.options import Options, size_of
from autograd_core.messages.arguments import explained
from autograd_core.ops.making import called
from autograd_core.random.generator import Generator, source
from autograd_core.rules import alignment
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

# The arguments of `randint`, in their order.
_RANDINT = "low", "high", "size"


def _drawing(name: str, draw: Any, returned: str) -> tuple[Any, Any]:
    """Return a function such as `rand`, and one such as `rand_like`, which fill by `draw`."""

    def of_size(*size: Any, **options: Any) -> Tensor:
        shape = size_of(name, size, options)
        settled = Options(name, options, "out", "generator")
        drawn = draw(source(settled.generator), np.empty(shape, settled.numpy()))
        return settled.finish(alignment.copied(drawn, drawn.dtype))

    def like_it(input: Tensor, **options: Any) -> Tensor:
        settled, array = like(f"{name}_like", input, options)
        return settled.finish(draw(source(settled.generator), array))

    doc = f"Return {returned}, in a given shape, or in the shape and dtype of `input`."
    return explained(called(name, doc, of_size)), explained(called(f"{name}_like", doc, like_it))


rand, rand_like = _drawing("rand", Generator.uniform, "uniformly distributed numbers of [0, 1)")
randn, randn_like = _drawing("randn", Generator.normal, "standard normal numbers")


@explained
def randint(*bounds: Any, **options: Any) -> Tensor:
    """Return integers from `low` (or 0) to `high`, which is left out.

    Called as randint(high, size) or randint(low, high, size). RuntimeError if low >= high.
    """
    high_first = not {"low", "size"} & options.keys() and len(bounds) == 2
    high_first = high_first or (len(bounds) == 1 and "high" not in options)
    names = ("high", "size") if high_first else _RANDINT
    given = dict(zip(names, bounds, strict=False))
    given |= {name: options.pop(name) for name in _RANDINT if name in options}
    if "high" not in given or len(bounds) > len(names):
        raise TypeError
    if not isinstance(given.get("size"), tuple | list):
        raise TypeError
    low, high = index(given.get("low", 0)), index(given["high"])
    shape = size_of("randint", (given["size"],), {})
    settled = Options("randint", options, "out", "generator")
    kind = settled.numpy(dtypes.int64)
    return settled.finish(source(settled.generator).integers(np.empty(shape, kind), low, high))


@explained
def randint_like(input: Tensor, *bounds: Any, **options: Any) -> Tensor:
    """Return integers from `low` (or 0) to `high`, left out, in the shape and dtype of `input`."""
    given = (0, *bounds)[-2:] if bounds else (options.pop("low", 0), options.pop("high", None))
    low, high = map(index, given)
    settled, array = like("randint_like", input, options)
    return settled.finish(source(settled.generator).integers(array, low, high))


@explained
def randperm(n: int, **options: Any) -> Tensor:
    """Return the numbers 0 to n-1 in random order."""
    (n,) = size_of("randperm", (n,), {})
    settled = Options("randperm", options, "out", "generator")
    kind = settled.numpy(dtypes.int64)
    dtypes.check_kernel("randperm", kind, dtypes.NUMBERS)
    fitting(n, kind)
    order, places = list(range(n)), np.arange(max(n - 1, 0), dtype=np.uint64)
    others = places + source(settled.generator).words(len(places)) % (np.uint64(n) - places)
    for place, other in enumerate(others.tolist()):
        order[place], order[other] = order[other], order[place]
    return settled.finish(np.array(order, kind))
