"""Inputs for checks: random arrays that are easy to read, and cases that name their arguments."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return random numbers that depend on `seed` and `names` alone."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def signed(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return float32 numbers of either sign, of size 0.5 to 2.5, in the given shape.

    In an array of at least two both signs occur. Two decimals, so that a student can follow.
    """
    signs = rng.permutation(np.resize([1.0, -1.0], math.prod(shape))) * rng.choice([1.0, -1.0])
    return np.asarray(positive(rng, *shape) * signs.reshape(shape), dtype=np.float32)


def positive(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return float32 numbers from 0.5 to 2.5 in the given shape."""
    return np.asarray(np.round(rng.uniform(0.5, 2.5, shape), 2), dtype=np.float32)


def case(
    name: str,
    /,
    *,
    frozen: Sequence[str] = (),
    transposed: bool = False,
    changed: Sequence[str] = (),
    **arguments: Any,
) -> dict[str, Any]:
    """Return one case for the library's scenarios: `arguments` in the order of the call.

    Float arrays become tensors that require grad, except those named in `frozen`; other arrays
    become tensors that do not; anything else is handed over as it is. `transposed` makes tensors
    of two and more dimensions non-contiguous; `changed` names what `function_saved` changes.
    """
    return {
        "name": name,
        "args": arguments,
        "frozen": list(frozen),
        "transposed": transposed,
        "changed": list(changed),
    }


def shapes(
    rng: np.random.Generator, draw: Callable[..., np.ndarray] = signed, name: str = "x"
) -> dict[str, Any]:
    """Return cases of one tensor argument: 0-d, 1-d, 2-d, non-contiguous, empty, square, narrow."""
    arguments: dict[str, dict[str, Any]] = {
        "a single number": {name: draw(rng)},
        "a vector": {name: draw(rng, 3)},
        "a matrix": {name: draw(rng, 2, 3)},
        "a transposed matrix": {name: draw(rng, 3, 2), "transposed": True},
        "an empty vector": {name: draw(rng, 0)},
        "a square matrix": {name: draw(rng, 2, 2)},
        "a column": {name: draw(rng, 2, 1)},
    }
    return {"cases": [case(title, **more) for title, more in arguments.items()]}


def keys(*names: str) -> Callable[[np.random.Generator], dict[str, list[str]]]:
    """Return the inputs of a check of these entries of a dict: the same ones whenever drawn."""
    return lambda rng: {"keys": list(names)}
