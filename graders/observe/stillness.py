"""What nobody has reason to touch while a check is made: observers, their tools, tensors' methods.

What was replaced for a moment, and put back by whoever did it, looks untouched. The versions of
dicts tell of it all the same, and Python's audit hooks tell of what is kept in no dict.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterable

import numpy as np

import autograd_core.autograd
import graders.observe
from autograd_core.autograd import Function
from autograd_core.ops.operator import Operator
from graders.observe import dict_versions
from graders.observe.pristine import OBSERVERS, TOOLS, Parts

Question = Callable[[], tuple[int, bytes]]

LATE = ("char", "core", "ctypeslib", "fft", "ma", "polynomial", "rec", "strings")
"""Parts of NumPy that come when they are asked for, and are then written down in NumPy."""

NODE_CLASS = "_node_class"

IN_PLACE = tuple(
    f"autograd_core.ops.{name}"
    for name in (
        *("arithmetic", "copying", "elementwise", "in_place", "in_place_arithmetic"),
        *("into_memory", "order_in_memory", "rounding"),
    )
)
"""By these the observers change what a solution has kept, to see whether it is noticed."""


def import_all() -> None:
    """Import what would come late, and touch what it belongs to: observers, and parts of NumPy."""
    for package in (graders.observe, autograd_core.autograd):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    for function in _of_the_engine(Function):
        # The class of its nodes, which it could not be given once it is frozen.
        getattr(function, NODE_CLASS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LATE:
            importlib.import_module(f"numpy.{name}")
            getattr(np, name)


def operators() -> list[type[Function]]:
    """The classes of the engine's operators. Nobody has reason to change one."""
    return _of_the_engine(Operator)


def _of_the_engine(kind: type[Function]) -> list[type[Function]]:
    found = [kind]
    for each in found:
        found += each.__subclasses__()
    return [each for each in found if each.__module__.startswith("autograd_core.")]


def kept_still(parts: Parts, tools: Iterable[type] = ()) -> Question:
    """A question: numbers that are the same as before where nothing was touched since.

    `tools` are classes to be left alone beside those of the engine. What is kept in dicts is left
    out where their changes cannot be noticed.
    """
    names = [name for name in sys.modules if name.rpartition(".")[0] in OBSERVERS or name in TOOLS]
    modules = [*(sys.modules[name] for name in (*names, *IN_PLACE)), autograd_core.autograd]
    for each in modules:
        # Else the first warning that is told of a module would be noted there.
        vars(each).setdefault("__warningregistry__", {})
    classes = [each for kind in (autograd_core.Tensor, Function) for each in kind.__mro__[:-1]]
    changes = dict_versions.noticing_changes(map(vars, [*modules, *classes, *tools])) or bytes
    return lambda: (parts.set_so_far, changes())
