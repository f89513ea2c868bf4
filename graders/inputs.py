"""Inputs for checks: random arrays that are easy to read, and cases that name their arguments."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Sequence
from hashlib import shake_128
from typing import Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence

ODD = ("a single number", "an empty vector")

AN_ERROR = (
    *("raise", "raises", "raised", "fail", "fails", "failed", "errors", "throws"),
    *(
        f"{verb}{article}{name}"
        for verb in ("", "raises-", "throws-")
        for article in ("", "a-", "an-")
        for name in ("error", "exception", "runtimeerror")
    ),
)
"""Words for an ending in an error: see `keys`."""


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a generator whose random numbers depend on `seed` and `names` alone."""
    start: Any = _Start(json.dumps([seed, *names]))
    return np.random.Generator(np.random.PCG64(start))


class _Start(ISeedSequence):
    """A seed sequence hashed from `key`, which takes less time than NumPy's own."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> np.ndarray:
        """Return `n_words` words of the type `dtype`."""
        kind = np.dtype(dtype)
        return np.frombuffer(shake_128(self._key).digest(n_words * kind.itemsize), kind)


def signed(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return float32 numbers of either sign, of size 0.5 to 2.5, in the given shape.

    An array of two or more has both signs. Two decimals, so that a student can follow by hand.
    """
    count = math.prod(shape)
    drawn = rng.random(2 * count + 1)
    # Half of each sign, give or take one, in random order.
    signs = _alternating(count, 1.0 if drawn[-1] < 0.5 else -1.0)[drawn[:count].argsort()]
    return (_sizes(drawn[count:-1]) * signs).astype(np.float32).reshape(shape)


@functools.cache
def _alternating(count: int, first: float) -> np.ndarray:
    return np.resize([first, -first], count)


def positive(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return float32 numbers from 0.5 to 2.5 in the given shape."""
    return np.asarray(_sizes(rng.random(shape)), dtype=np.float32)


def with_zero(numbers: np.ndarray) -> np.ndarray:
    """Return `numbers` with a 0 in the first place: who divides by them is found out."""
    found = numbers.copy()
    found.flat[0] = 0
    return found


def _sizes(drawn: np.ndarray) -> np.ndarray:
    """Map `drawn` from the interval 0 to 1 onto 0.5 to 2.5, rounded to two decimals."""
    return np.rint(drawn * 200 + 50) / 100


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
    """Return cases of one tensor argument: 0-d, 1-d, 2-d, non-contiguous, empty, square, narrow.

    Where the numbers are of either sign, one of them is 0.
    """
    square = draw(rng, 2, 2)
    arguments: dict[str, dict[str, Any]] = {
        "a single number": {name: draw(rng)},
        "a vector": {name: draw(rng, 3)},
        "a matrix": {name: draw(rng, 2, 3)},
        "a transposed matrix": {name: draw(rng, 3, 2), "transposed": True},
        "an empty vector": {name: draw(rng, 0)},
        "a square matrix": {name: with_zero(square) if draw is signed else square},
        "a column": {name: draw(rng, 2, 1)},
    }
    return {"cases": [case(title, **more) for title, more in arguments.items()]}


def odd_shapes(rng: np.random.Generator) -> dict[str, Any]:
    """Return the cases of `shapes` that students easily forget: 0-d and empty."""
    return {"cases": [each for each in shapes(rng)["cases"] if each["name"] in ODD]}


def arrays(rng: np.random.Generator) -> dict[str, Any]:
    """Return the other cases of `shapes`."""
    return {"cases": [each for each in shapes(rng)["cases"] if each["name"] not in ODD]}


def keys(*names: str, **meant: Sequence[str]) -> Callable[[np.random.Generator], dict[str, Any]]:
    """Return the inputs of a check of these entries of a dict; they do not depend on the draw.

    `meant` lists all words that may be answered, each with other words for it: in small letters,
    with hyphens between them.
    """
    words = {other: word for word, others in meant.items() for other in (word, *others)}
    return lambda rng: {"keys": list(names), "meant": words} if words else {"keys": list(names)}
