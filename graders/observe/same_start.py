"""What the engine, NumPy and Python keep for a whole process: the same whenever a check begins."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


@contextlib.contextmanager
def same_start(torch: Any, seed: int, note: Callable[[str, Any], None]) -> Iterator[None]:
    """Begin with grad mode, default dtype and random numbers that no student's cell has set.

    All but the random numbers is as before in the end. `note` is told of the warnings.
    """
    mode, kind = torch.is_grad_enabled(), torch.get_default_dtype()
    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)
    random.seed(seed)
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    try:
        # A student may have entered inference mode and never left it.
        with torch.inference_mode(False), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        if caught:
            note("warnings", [str(each.message)[:300] for each in caught[:20]])
    finally:
        torch.set_grad_enabled(mode)
        torch.set_default_dtype(kind)


@contextlib.contextmanager
def random_numbers_kept(torch: Any) -> Iterator[None]:
    """Leave the random numbers of `torch`, NumPy and Python as they were."""
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])
