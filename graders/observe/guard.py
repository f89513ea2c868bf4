"""The guard: keeps students' code from finding the observers through frames or live objects.

No exercise needs stack frames, or a list of all live objects. But code that has them can find the
observers at work and make them record what never happened. So an audit hook, which Python asks
first and which cannot be removed, refuses both. It lets the standard library, NumPy and the engine
look at frames for their own purposes (see `graders.observe.askers`).

The hook reads no global names and no builtins: students' code can replace what modules hold, also
this one, while the hook is at work. It uses local variables only, and nobody can get at those.

This is no wall, as `graders.observe.pristine` is none: the judge still trusts no record.
"""

from __future__ import annotations

import _thread
import importlib
import sys
from collections.abc import Callable, Mapping
from types import FrameType, SimpleNamespace
from typing import Any

from graders.observe import c_functions
from graders.observe.askers import TELLING_LOCALS, Asker

Answer = Callable[..., None]
"""What the hook does at an event, given the event's arguments; an exception refuses the event."""

FRAMES = frozenset({"ag_frame", "cr_frame", "gi_frame", "tb_frame"})
"""Attributes that hold a frame."""

LOOKING = frozenset(
    {
        "gc.get_objects",
        "gc.get_referents",
        "gc.get_referrers",
        "sys._current_exceptions",
        "sys._current_frames",
        "sys._getframe",
        "sys.addaudithook",
        "sys.monitoring.register_callback",
        "sys.setprofile",
        "sys.settrace",
    }
)
"""Events of asking for frames or live objects, or to be told of what other code does."""

LOOKING_UP = ("ctypes.dlsym", "ctypes.dlsym/handle")
"""Events of `ctypes` looking up a C function by its name."""

SYMBOLS = ("Py", "_Py", "dl", "_dl", "__libc_dl")
"""How the names of C functions begin that `ctypes` may not look up.

They are the interpreter's own, and the dynamic linker's, which could look up the former.
"""

FROM_MEMORY = ("ctypes.PyObj_FromPtr", "ctypes.cdata")
"""Events of making objects from addresses, by which code could reach frames without asking."""

ANOTHER_INTERPRETER = "cpython.PyInterpreterState_New"
"""A subinterpreter would not ask this hook, and could get at the frames of all interpreters."""

OF_TESTS = frozenset({"_testcapi", "_testinternalcapi", "_testlimitedcapi", "_xxsubinterpreters"})
"""Modules through which Python's own tests access the interpreter's internals."""

HANDLING = "graders.observe.guard.handling"
MAKING = "graders.observe.guard.making"
"""Events by which the functions that replace others have the hook call the originals."""

REFUSAL = "This reaches into the grader itself, which is not allowed while code is graded."


def install(askers: Mapping[int, Asker]) -> None:
    """Put the guard up for the rest of this process; `askers` is what `askers.trusted` returns."""
    signals: Any = importlib.import_module("_signal")
    imports: Any = importlib.import_module("_imp")
    c_functions.refuse_the_interpreters(REFUSAL)
    sys.addaudithook(_hook(askers, signals, imports))
    signals.signal = _handling
    imports.create_builtin = _making
    sys.settrace = sys.setprofile = _listening


def _hook(
    askers: Mapping[int, Asker], signals: Any, imports: Any
) -> Callable[[str, tuple[Any, ...]], None]:
    refuse_unless_trusted = _refusing_unless_trusted(askers)
    answers: dict[str, Answer] = {
        HANDLING: _handling_without_frames(signals),
        MAKING: _making_once(signals, imports),
        "import": _refusing_modules(),
        ANOTHER_INTERPRETER: _refusing(),
        **dict.fromkeys(FROM_MEMORY, _refusing()),
        **dict.fromkeys(LOOKING_UP, _refusing_symbols()),
    }
    answer_to, looking, reading, frames = answers.get, LOOKING, "object.__getattr__", FRAMES

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        answer = answer_to(event)
        if answer is not None:
            answer(*arguments)
        elif event in looking or (event == reading and arguments[1] in frames):
            refuse_unless_trusted()

    return hook


def _refusing() -> Answer:
    refused, why = PermissionError, REFUSAL

    def refuse(*arguments: Any) -> None:
        raise refused(why)

    return refuse


def _refusing_unless_trusted(askers: Mapping[int, Asker]) -> Callable[[], None]:
    """Refuse whoever has caused the event that the hook is at, unless it is one of `askers`.

    A function that hands frames to its caller is trusted only if its caller is.
    """
    asker_of, identity = askers.get, id
    frame_above, thread_here = sys._getframe, _thread.get_ident
    telling, no = TELLING_LOCALS, False
    refused, why = PermissionError, REFUSAL
    # The threads in which this itself asks for a frame; others are still refused meanwhile.
    asking: set[int] = set()

    def refuse_unless_trusted() -> None:
        here = thread_here()
        if here in asking:
            return
        asking.add(here)
        try:
            # The hook is one call up, and what has caused the event two.
            caller: FrameType | None = frame_above(2)
        finally:
            # Not longer than this: what follows may run methods of the student's objects.
            asking.discard(here)
        while caller is not None:
            asker = asker_of(identity(caller.f_code))
            if asker is None or not asker.has_made(caller):
                break
            # Telling locals calls their `repr`, and a student's could then take those that follow.
            if asker.may_tell_locals and caller.f_locals[telling] is not no:
                break
            if not asker.hands_out:
                return
            caller = caller.f_back
        raise refused(why)

    return refuse_unless_trusted


def _refusing_modules() -> Answer:
    """Refuse the modules OF_TESTS, which look at frames and memory without causing an event."""
    of_tests, plain, last_part = OF_TESTS, str.__str__, str.rpartition
    refused, why = ImportError, REFUSAL

    def answer(name: str, *more: Any) -> None:
        # As a plain str: a subclass might have its own equality or hash.
        if last_part(plain(name), ".")[2] in of_tests:
            raise refused(why)

    return answer


def _refusing_symbols() -> Answer:
    """Refuse to look up C functions that could get at frames without causing an event."""
    symbols, plain, begins = SYMBOLS, str.__str__, str.startswith
    refused, why = PermissionError, REFUSAL

    def answer(library: Any, name: str) -> None:
        # As a plain str: a subclass might say that it begins in another way.
        if begins(plain(name), symbols):
            raise refused(why)

    return answer


def _handling_without_frames(signals: Any) -> Answer:
    """Set handlers of signals that are not given the frame they interrupt, maybe an observer's."""
    handle, can_be_called = signals.signal, callable

    def without_frame(handler: Any) -> Any:
        return (lambda number, frame: handler(number, None)) if can_be_called(handler) else handler

    def answer(number: int, handler: Any, before: list[Any]) -> None:
        before.append(handle(number, without_frame(handler)))

    return answer


def _making_once(signals: Any, imports: Any) -> Answer:
    """Make built-in modules, except those that would again have what was replaced here."""
    made_once = {"_imp": imports, "_signal": signals}
    make, plain, spec_of = imports.create_builtin, str.__str__, SimpleNamespace

    def answer(spec: Any, made: list[Any]) -> None:
        # Read once, and as a plain str: a subclass might have its own equality or hash.
        name = plain(spec.name)
        known = made_once.get(name)
        made.append(make(spec_of(name=name)) if known is None else known)

    return answer


def _handling(number: int, handler: Any) -> Any:
    """Replace `signal.signal`; only the hook still has the original."""
    before: list[Any] = []
    sys.audit(HANDLING, number, handler, before)
    return before[0]


def _making(spec: Any) -> Any:
    """Replace `_imp.create_builtin` in the same way."""
    made: list[Any] = []
    sys.audit(MAKING, spec, made)
    return made[0]


def _listening(function: Any) -> None:
    """Replace `sys.settrace` and `sys.setprofile`: no function is ever called."""
