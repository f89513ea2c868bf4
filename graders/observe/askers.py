"""The modules that may look at frames, as long as nobody has changed them.

Students' code could replace a part of such a module, or run its code with other globals, to be
handed the frames that it gets. What finds that out consists of local variables, see
`graders.observe.guard`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from graders.observe.dict_versions import read_at_once, versions_of
from graders.observe.parts import Parts

TRUSTED = (
    "asyncio.coroutines",
    "asyncio.events",
    "asyncio.format_helpers",
    "asyncio.futures",
    "asyncio.streams",
    "autograd_core.modes.anomaly",
    "autograd_core.messages",
    "collections",
    "enum",
    "graders.observe.failure",
    "graders.observe.worker",
    "numpy.lib._index_tricks_impl",
    "numpy.matrixlib.defmatrix",
    "numpy.testing._private.utils",
    "traceback",
    "typing",
    "unittest.result",
    "warnings",
)
"""Modules that look at frames for their own purposes, and pass them to PASSED_TO at most."""

HANDING_OUT = frozenset(
    {"walk_stack", "walk_tb", "_walk_tb_with_full_positions", "extended_frame_gen"}
)
"""Functions of trusted modules that return frames to their caller, so it has to be trusted too."""

PASSED_TO = ("format_helpers", "traceback")
"""The names by which trusted modules know those to which they pass frames."""

TELLING_LOCALS = "capture_locals"
"""The variable by which code is asked for the local variables in frames, and not for lines only."""

OFTEN_REPLACED = frozenset({"formatwarning", "showwarning", "warn"})
"""Functions that are often replaced to silence warnings; a replacement gets no frame."""


@dataclass(frozen=True, slots=True)
class Asker:
    """A piece of code that may look at frames.

    `has_made` says whether a frame with this code is one that the code's module has made, and the
    module is unchanged. `hands_out`: it returns frames to its caller. `may_tell_locals`: it has the
    variable TELLING_LOCALS.
    """

    code: CodeType
    has_made: Callable[[FrameType], bool]
    hands_out: bool
    may_tell_locals: bool


def trusted(parts: Parts) -> Mapping[int, Asker]:
    """The code that may look at frames, by its `id`: code of students' own may claim to equal it.

    The modules count as unchanged as long as they are what they are now; `parts` knows when parts
    of functions are set.
    """
    found = {}
    for module in [sys.modules[name] for name in TRUSTED if name in sys.modules]:
        has_made = _has_made(module, parts)
        for code in _codes(module):
            hands_out = code.co_name in HANDING_OUT
            found[id(code)] = Asker(code, has_made, hands_out, TELLING_LOCALS in code.co_varnames)
    return found


def _has_made(module: ModuleType, parts: Parts) -> Callable[[FrameType], bool]:
    """A function that says whether a frame runs with the globals of `module`, still unchanged."""
    own, unchanged = vars(module), _unchanged(_places_behind(module), parts)

    def has_made(frame: FrameType) -> bool:
        return frame.f_globals is own and unchanged()

    return has_made


def _places_behind(module: ModuleType) -> list[Mapping[str, Any]]:
    """Where the code is found that may get the frames of `module`: modules, and their classes."""
    modules = [module]
    for name in PASSED_TO:
        used = vars(module).get(name)
        modules += [used] if isinstance(used, ModuleType) else []
    # The observers pass no frames to builtins, and ask most often.
    modules += [] if module.__name__.startswith("graders.") else [builtins]
    return [place for each in modules for place in _places(each)]


def _places(module: ModuleType) -> Iterator[Mapping[str, Any]]:
    yield vars(module)
    for each in list(vars(module).values()):
        if isinstance(each, type) and each.__module__ == module.__name__ != "builtins":
            yield vars(each)


def _unchanged(places: Sequence[Mapping[str, Any]], parts: Parts) -> Callable[[], bool]:
    """A function that says whether the code that is found in `places` now is still found there."""
    kept = [(place, name, each) for place in places for name, each in _made_of_code(place)]
    functions = [each for *_, member in kept for each in _functions_behind(member)]
    codes = [(each, each.__code__, each.__defaults__) for each in functions]
    hidden_by = frozenset(vars(builtins)).intersection
    hiding = [(place, hidden_by(place)) for place in places]
    numbers_now = read_at_once(versions_of(places) or [])
    seen, seen_set = numbers_now(), parts.set_so_far

    def unchanged() -> bool:
        nonlocal seen, seen_set
        now, now_set = numbers_now(), parts.set_so_far
        if now and now == seen and now_set == seen_set:
            return True
        for place, name, each in kept:
            if place.get(name) is not each:
                return False
        for place, names in hiding:
            # The name of a builtin, if added to a module, is found before the builtin.
            if hidden_by(place) != names:
                return False
        if now_set != seen_set:
            # Other code in a function that is still found, or other values for its arguments.
            for function, code, defaults in codes:
                if function.__code__ is not code or function.__defaults__ is not defaults:
                    return False
        seen, seen_set = now, now_set
        return True

    return unchanged


def _made_of_code(place: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [
        (name, each)
        for name, each in place.items()
        if callable(each) or isinstance(each, ModuleType | classmethod)
        if name not in OFTEN_REPLACED
    ]


def _codes(module: ModuleType) -> Iterator[CodeType]:
    """The code of every function and method in `module`, and of the functions inside them."""
    for each in list(vars(module).values()):
        for member in list(vars(each).values()) if isinstance(each, type) else [each]:
            for function in _functions_behind(member):
                if function.__globals__ is vars(module):
                    yield from _with_nested(function.__code__)


def _functions_behind(member: Any) -> Iterator[FunctionType]:
    """The functions that `member` is or is made of: a class method, a property, a wrapper."""
    parts = (getattr(member, name, None) for name in ("__func__", "__wrapped__", "fget"))
    yield from (each for each in (member, *parts) if isinstance(each, FunctionType))


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _with_nested(each)
