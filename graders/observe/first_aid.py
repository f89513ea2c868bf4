"""Restores what restores all else: `graders.observe.pristine` and `graders.observe.parts`.

Code that replaces the observers may first replace what would notice that.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from graders.observe import parts, pristine

RESTORERS = (pristine, parts)


def first_aid(changes: Callable[[], object] | None = None) -> Callable[[], None]:
    """A function that restores the RESTORERS to what they are now.

    `changes` returns another value after a function's code was set (see `stillness.kept_still`).
    Without it, all functions are compared each time, which is slow because each look at one calls
    all audit hooks.
    """
    # Local variables from here on: what is called later must not depend on anything replaceable.
    rename = type.__setattr__
    modules = [(vars(module), dict(vars(module))) for module in RESTORERS]
    members = [each for module in RESTORERS for kind in _classes(module) for each in _methods(kind)]
    found = [each for _, names in modules for each in names.values()]
    functions = [
        each
        for each in (*found, *(method for *_, method in members))
        if isinstance(each, FunctionType)
    ]
    codes = [(each, each.__code__, each.__defaults__) for each in functions]
    seen = None if changes is None else changes()

    def put_in_order() -> None:
        nonlocal seen
        for place, names in modules:
            place.update(names)
        for kind, name, member in members:
            if kind.__dict__.get(name) is not member:
                rename(kind, name, member)
        if changes is not None and changes() == seen:
            return
        for function, code, defaults in codes:
            if function.__code__ is not code:
                function.__code__ = code
            if function.__defaults__ is not defaults:
                function.__defaults__ = defaults
        seen = None if changes is None else changes()

    return put_in_order


def _classes(module: ModuleType) -> list[type]:
    """The classes that `module` defines."""
    return [
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]


def _methods(kind: type) -> list[tuple[type, str, Any]]:
    return [(kind, name, each) for name, each in vars(kind).items() if callable(each)]
