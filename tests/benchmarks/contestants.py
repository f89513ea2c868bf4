"""Who takes part: autograd_core always, the others where they are installed."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

import autograd_core

OURS = "autograd_core"
PYTORCH = "PyTorch"
HIPS = "HIPS autograd"
NUMPY = "NumPy by hand"


class Runner(NamedTuple):
    """One contestant at one workload: do it once, and say what came out the last time."""

    step: Callable[[], object]
    results: Callable[[], Sequence[Any]]


Maker = Callable[[], Runner]


def field(
    program: Callable[[ModuleType], Runner],
    in_hips: Maker | None = None,
    in_numpy: Maker | None = None,
) -> dict[str, Maker]:
    """The contestants of a workload: `program` runs in autograd_core and in PyTorch alike."""
    makers: dict[str, Maker] = {OURS: partial(program, autograd_core)}
    if find_spec("torch"):
        makers[PYTORCH] = lambda: program(pytorch())
    if in_hips and find_spec("autograd"):
        makers[HIPS] = in_hips
    if in_numpy:
        makers[NUMPY] = in_numpy
    return makers


def pytorch() -> ModuleType:
    """PyTorch, on one thread."""
    import torch

    torch.set_num_threads(1)
    return torch
