"""Notices if code touches, during a check, what it should leave alone: observers, tools, tensors.

Something that was replaced for a moment and put back looks untouched. But the versions of dicts
have changed, and audit hooks have noticed changes of what is in no dict.
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
from graders.observe.parts import Parts
from graders.observe.pristine import OBSERVERS, TOOLS

Question = Callable[[], tuple[int, bytes]]

LATE = ("char", "core", "ctypeslib", "fft", "ma", "polynomial", "rec", "strings")
"""Parts of NumPy that are imported when they are first used, which changes NumPy's module."""

NODE_CLASS = "_node_class"

IN_PLACE = tuple(
    f"autograd_core.ops.{name}"
    for name in (
        *("arithmetic", "copying", "elementwise", "in_place", "in_place_arithmetic"),
        *("into_memory", "order_in_memory", "rounding"),
    )
)
"""The in-place operators with which observers change what a solution has saved, as a test."""


def import_all() -> None:
    """Import what would be imported late and change modules then: observers, parts of NumPy."""
    for package in (graders.observe, autograd_core.autograd):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    for function in _of_the_engine(Function):
        # This makes the class of its nodes, which can no longer be set once the class is frozen.
        getattr(function, NODE_CLASS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LATE:
            importlib.import_module(f"numpy.{name}")
            getattr(np, name)


def operators() -> list[type[Function]]:
    """The classes of the engine's operators, which no student has reason to change."""
    return _of_the_engine(Operator)


def _of_the_engine(kind: type[Function]) -> list[type[Function]]:
    found = [kind]
    for each in found:
        found += each.__subclasses__()
    return [each for each in found if each.__module__.startswith("autograd_core.")]


def kept_still(parts: Parts, tools: Iterable[type] = ()) -> Question:
    """A function whose result stays the same as long as nothing is touched.

    `tools` are classes that must not be touched, besides the engine's. Where changes of dicts
    cannot be noticed, only changes of `parts` count.
    """
    names = [name for name in sys.modules if name.rpartition(".")[0] in OBSERVERS or name in TOOLS]
    modules = [*(sys.modules[name] for name in (*names, *IN_PLACE)), autograd_core.autograd]
    for each in modules:
        # Otherwise a module's first warning would add this name, which would count as a change.
        vars(each).setdefault("__warningregistry__", {})
    classes = [each for kind in (autograd_core.Tensor, Function) for each in kind.__mro__[:-1]]
    changes = dict_versions.noticing_changes(map(vars, [*modules, *classes, *tools])) or bytes
    return lambda: (parts.set_so_far, changes())
