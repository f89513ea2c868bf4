"""Answers in a notebook that use PyTorch itself, with whose tensors the checks can do nothing.

Grading needs no such distinction: there, `torch` is the engine (see `observe/stubs.py`).
"""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import Any

from graders.observe.closures import named_in

TOLD = (
    "Your code uses PyTorch itself, but the checks run on `autograd_core`, which has the same "
    "names. Take out the lines that import from `torch`, run the first code cell of the lesson "
    "again, and then your own."
)
MOST = 500
"""How many objects are looked at."""

METHODS = (classmethod, staticmethod)


def uses_pytorch(solution: object) -> bool:
    """Return whether an answer, or a helper that its code names, refers to PyTorch itself."""
    if "torch" not in sys.modules:
        return False
    waiting, seen = [solution], set[int]()
    while waiting and len(seen) < MOST:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if _is_of_pytorch(thing):
            return True
        waiting += _behind(thing)
    return False


def _behind(thing: Any) -> list[Any]:
    """Return what the code of `thing` names, the bases of a class, what a dict or list holds."""
    if type(thing) is FunctionType:
        return named_in(thing)
    if issubclass(type(thing), dict):
        return list(dict.values(thing))
    if type(thing) in (list, tuple):
        return list(thing)
    if not issubclass(type(thing), type):
        return []
    members = type.__getattribute__(thing, "__dict__").values()
    methods = [each.__func__ if type(each) in METHODS else each for each in members]
    return [*type.mro(thing)[1:], *(each for each in methods if type(each) is FunctionType)]


def _is_of_pytorch(thing: Any) -> bool:
    if type(thing) is ModuleType:
        name = vars(thing).get("__name__")
    elif type(thing) is FunctionType:
        name = thing.__globals__.get("__name__")
    else:
        kind = thing if issubclass(type(thing), type) else type(thing)
        name = type.__getattribute__(kind, "__dict__").get("__module__")
    return type(name) is str and name.partition(".")[0] == "torch"
