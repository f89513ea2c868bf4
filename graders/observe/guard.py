"""The guard: keeps students' code from reaching whoever looks on, by way of frames and of objects.

Nobody needs the stack, or everything that is alive, to solve an exercise; but who has them finds
the observers at work, and can have them write down what never happened. Python asks its audit hooks
first, and a hook cannot be taken away. What the standard library, NumPy and the engine do for
themselves is not held up.

No wall either, see `graders.observe.pristine`: what the judge is told is never believed.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import sys
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

FRAMES = frozenset({"ag_frame", "cr_frame", "gi_frame", "tb_frame"})
FORBIDDEN = frozenset(
    {
        "gc.get_objects",
        "gc.get_referents",
        "gc.get_referrers",
        "sys._current_exceptions",
        "sys._current_frames",
        "sys._getframe",
        "sys.addaudithook",
        "sys.setprofile",
        "sys.settrace",
    }
)

TRUSTED = (
    "asyncio.coroutines",
    "asyncio.events",
    "asyncio.format_helpers",
    "asyncio.futures",
    "asyncio.streams",
    "autograd_core.anomaly",
    "collections",
    "enum",
    "graders.observe.failure",
    "graders.observe.worker",
    "logging",
    "numpy.lib._index_tricks_impl",
    "numpy.matrixlib.defmatrix",
    "numpy.testing._private.utils",
    "traceback",
    "typing",
    "unittest.result",
    "warnings",
)
"""Modules that look at frames for reasons of their own, and keep them to themselves."""

HANDING_OUT = frozenset(
    {"<lambda>", "walk_stack", "walk_tb", "_walk_tb_with_full_positions", "extended_frame_gen"}
)
"""Functions of theirs that hand frames to whoever calls: that has to be one of them."""

REFUSAL = "This looks at those who look on, which is not allowed while code is graded."


HANDLING = "graders.observe.guard.handling"
TYPE_FLAGS_AT = 168
"""Where a class has its flags in 64-bit CPython; that it is so is seen before it is used."""
IMMUTABLE = 1 << 8


def install() -> None:
    """Put the guard up, for the rest of this process."""
    codes = trusted()
    signals: Any = importlib.import_module("_signal")
    frame_here, handle = sys._getframe, signals.signal
    asking = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal asking
        if event == HANDLING:
            number, handler, before = arguments
            before.append(handle(number, _without_frame(handler)))
            return
        if event not in FORBIDDEN and not (
            event == "object.__getattr__" and arguments[1] in FRAMES
        ):
            return
        if asking:
            return
        asking = True
        try:
            caller: FrameType | None = frame_here(1)
            while caller is not None and caller.f_code.co_name in HANDING_OUT:
                if caller.f_code not in codes:
                    break
                caller = caller.f_back
            allowed = caller is not None and caller.f_code in codes
        finally:
            asking = False
        if not allowed:
            raise PermissionError(REFUSAL)

    sys.addaudithook(hook)
    signals.signal = _handling


@functools.cache
def trusted() -> frozenset[CodeType]:
    """The code of the functions that may look at frames, in the modules that there are."""
    return frozenset(
        code for name in TRUSTED if name in sys.modules for code in _codes(sys.modules[name])
    )


def _handling(number: int, handler: Any) -> Any:
    """Take the place of `signal.signal`, whose own place nobody but the hook knows."""
    before: list[Any] = []
    sys.audit(HANDLING, number, handler, before)
    return before[0]


def _without_frame(handler: Any) -> Any:
    """`handler`, which is not told where it interrupts."""
    return (lambda number, frame: handler(number, None)) if callable(handler) else handler


def freeze(classes: Iterable[type]) -> None:
    """Have `classes` refuse to be changed, as those refuse that are written in C.

    What was replaced for a moment and put back by who replaced it would be noticed by nobody.
    """
    for each in classes:
        flags = ctypes.c_ulong.from_address(id(each) + TYPE_FLAGS_AT)
        if ctypes.sizeof(ctypes.c_void_p) == 8 and flags.value == each.__flags__:
            flags.value |= IMMUTABLE


def _codes(module: ModuleType) -> Iterator[CodeType]:
    """The code of every function in `module`, of its classes' methods, and of what they define."""
    for each in list(vars(module).values()):
        inside = list(vars(each).values()) if isinstance(each, type) else [each]
        for member in inside:
            for name in ("__func__", "__wrapped__", "fget", None):
                function = getattr(member, name, None) if name else member
                if isinstance(function, FunctionType) and function.__globals__ is vars(module):
                    yield from _with_nested(function.__code__)


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _with_nested(each)
