"""The guard: keeps students' code from finding the observers through frames or live objects.

No exercise needs stack frames, or a list of all live objects. But code that has them can find the
observers at work and make them record what never happened. So an audit hook, which Python asks
first and which cannot be removed, refuses both. It lets the standard library, NumPy and the engine
look at frames for their own purposes.

This is no wall, as `graders.observe.pristine` is none: the judge still trusts no record.
"""

from __future__ import annotations

import _thread
import builtins
import ctypes
import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from graders.observe.dict_versions import versions_of
from graders.observe.hidden import hidden

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
        "sys.monitoring.register_callback",
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
    "autograd_core.modes.anomaly",
    "autograd_core.messages",
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
"""Modules that look at frames for their own purposes, and do not pass them on."""

HANDING_OUT = frozenset(
    {"<lambda>", "walk_stack", "walk_tb", "_walk_tb_with_full_positions", "extended_frame_gen"}
)
"""Functions of trusted modules that return frames to their caller, so it has to be trusted too."""

REFUSAL = "This reaches into the grader itself, which is not allowed while code is graded."


CHANGED = frozenset({"formatwarning", "showwarning", "warn"})
"""Functions that are often replaced to silence warnings; a replacement gets no frame."""

SYMBOLS = ("Py", "_Py", "dl", "_dl", "__libc_dl")
"""How the names of C functions begin that `ctypes` may not look up.

They are the interpreter's own, and the dynamic linker's, which could look up the former.
"""

FROM_MEMORY = frozenset({"ctypes.PyObj_FromPtr", "ctypes.cdata"})
"""Events of making objects from addresses, by which code could reach frames without asking."""

ANOTHER_INTERPRETER = "cpython.PyInterpreterState_New"
"""A subinterpreter would not ask this hook, and could get at the frames of all interpreters."""

OF_TESTS = frozenset({"_testcapi", "_testinternalcapi", "_testlimitedcapi", "_xxsubinterpreters"})
"""Modules through which Python's own tests access the interpreter's internals."""

HANDLING = "graders.observe.guard.handling"
MAKING = "graders.observe.guard.making"
TYPE_FLAGS_AT = 168
"""The offset of a class's flags in 64-bit CPython; it is verified before it is used."""
IMMUTABLE = 1 << 8
HOLDING = 4
"""The flag of functions during whose calls `ctypes` holds the GIL (FUNCFLAG_PYTHONAPI)."""


def install(codes: Mapping[CodeType, Asker]) -> None:
    """Put the guard up for the rest of this process; `codes` is what `trusted` returns."""
    signals: Any = importlib.import_module("_signal")
    imports: Any = importlib.import_module("_imp")
    frame_here, handle, make = sys._getframe, signals.signal, imports.create_builtin
    thread_here = _thread.get_ident
    # Created anew, these modules would again have the functions that are replaced here.
    made_once = {"_imp": imports, "_signal": signals}
    # The threads in which the hook itself asks for a frame; others are still refused meanwhile.
    asking: set[int] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == HANDLING:
            number, handler, before = arguments
            before.append(handle(number, _without_frame(handler)))
            return
        if event == MAKING:
            spec, made = arguments
            # Read once, and as a plain str: a subclass might have its own equality or hash.
            name = str.__str__(spec.name)
            known = made_once.get(name)
            made.append(make(SimpleNamespace(name=name)) if known is None else known)
            return
        if event in FROM_MEMORY or event == ANOTHER_INTERPRETER:
            raise PermissionError(REFUSAL)
        if event == "import":
            if str.rpartition(arguments[0], ".")[2] in OF_TESTS:
                raise ImportError(REFUSAL)
            return
        if event == "ctypes.dlsym" or event == "ctypes.dlsym/handle":
            if str(arguments[1]).startswith(SYMBOLS):
                raise PermissionError(REFUSAL)
            return
        if event not in FORBIDDEN and not (
            event == "object.__getattr__" and arguments[1] in FRAMES
        ):
            return
        here = thread_here()
        if here in asking:
            return
        asking.add(here)
        try:
            caller: FrameType | None = frame_here(1)
        finally:
            # Not longer than this: what follows may run methods of the student's objects.
            asking.discard(here)
        while caller is not None and caller.f_code.co_name in HANDING_OUT:
            if caller.f_code not in codes:
                break
            caller = caller.f_back
        asker = None if caller is None else codes.get(caller.f_code)
        if caller is None or asker is None or not asker.is_asked_by(caller):
            raise PermissionError(REFUSAL)

    _refuse_calls_into_the_interpreter()
    sys.addaudithook(hook)
    signals.signal = _handling
    imports.create_builtin = _making
    sys.settrace = sys.setprofile = _listening


def trusted() -> Mapping[CodeType, Asker]:
    """The code objects that may look at frames, each with its module."""
    modules = [sys.modules[name] for name in TRUSTED if name in sys.modules]
    return {code: asker for asker in map(Asker, modules) for code in _codes(asker.module)}


class Asker:
    """A module that may look at frames, as long as it has not changed since this was made."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self._built_in = frozenset(vars(builtins))
        # A module that uses `traceback` passes frames to it, so that must be unchanged as well. So
        # must the builtins, except for the observers, which pass no frames on and ask most often.
        teller = vars(module).get("traceback")
        told = [module, *([teller] if isinstance(teller, ModuleType) else [])]
        told += [] if module.__name__.startswith("graders.") else [builtins]
        self._places = [place for each in told for place in _places(each)]
        self._kept = [(place, _made_of_code(place)) for place in self._places]
        self._hiding = self._hides()
        self._versions = versions_of(self._places) or []
        self._seen = self._versions_now()

    def is_asked_by(self, frame: FrameType) -> bool:
        """Whether `frame` belongs to a function of this module, and no part of it was replaced."""
        # The same code can be run with other globals.
        return frame.f_globals is vars(self.module) and self._is_as_it_was()

    def _is_as_it_was(self) -> bool:
        now = self._versions_now()
        if now and now == self._seen:
            return True
        same = self._hides() == self._hiding and all(
            place.get(name) is value for place, kept in self._kept for name, value in kept
        )
        if same:
            self._seen = now
        return same

    def _versions_now(self) -> list[int]:
        return [each.value for each in self._versions]

    def _hides(self) -> list[frozenset[str]]:
        return [self._built_in.intersection(place) for place in self._places]


def _places(module: ModuleType) -> Iterator[Mapping[str, Any]]:
    yield vars(module)
    for each in list(vars(module).values()):
        if isinstance(each, type) and each.__module__ == module.__name__ != "builtins":
            yield vars(each)


def _made_of_code(place: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [
        (name, each)
        for name, each in place.items()
        if (callable(each) or isinstance(each, ModuleType | classmethod)) and name not in CHANGED
    ]


def _handling(number: int, handler: Any) -> Any:
    """Replace `signal.signal`; only the hook still has the original."""
    before: list[Any] = []
    sys.audit(HANDLING, number, handler, before)
    return before[0]


def _listening(function: Any) -> None:
    """Replace `sys.settrace` and `sys.setprofile`: no function is ever called."""


def _making(spec: Any) -> Any:
    """Replace `_imp.create_builtin` in the same way."""
    made: list[Any] = []
    sys.audit(MAKING, spec, made)
    return made[0]


def _without_frame(handler: Any) -> Any:
    """`handler`, called without the frame that it interrupts."""
    return (lambda number, frame: handler(number, None)) if callable(handler) else handler


def freeze(classes: Iterable[type]) -> None:
    """Make `classes` immutable, like classes written in C.

    Otherwise code could replace a method for a moment and put it back, and nobody would notice.
    """
    for each in classes:
        flags = _flags_of(each)
        if flags is not None:
            flags.value |= IMMUTABLE


def _refuse_calls_into_the_interpreter() -> None:
    """Have `ctypes` refuse functions that it calls with the GIL, as the interpreter's own need it.

    Their addresses can be found in other ways than by name. A type of functions is harmless if it
    did not have the flag HOLDING when it was made, before anybody could change its flags.
    """
    functions: Any = ctypes.CFUNCTYPE(None).__base__
    flags = _flags_of(functions)
    if flags is None:
        return
    harmless = {each for each in functions.__subclasses__() if not each._flags_ & HOLDING}
    call, line, made_by = functions.__call__, list(functions.__mro__), type(functions)

    def calling(function: Any, *arguments: Any) -> Any:
        if type(function) not in harmless:
            raise PermissionError(REFUSAL)
        return call(function, *arguments)

    def deriving(kind: Any) -> None:
        if type(kind) is made_by and type.mro(kind)[1:] == line:
            told = kind.__dict__.get("_flags_")
            if type(told) is int and not told & HOLDING:
                harmless.add(kind)

    before = flags.value
    flags.value &= ~IMMUTABLE
    functions.__call__, functions.__init_subclass__ = hidden(calling), classmethod(hidden(deriving))
    flags.value = before


def _flags_of(kind: type) -> ctypes.c_ulong | None:
    """The flags of `kind` in memory; None where their place is not known."""
    flags = ctypes.c_ulong.from_address(id(kind) + TYPE_FLAGS_AT)
    known = ctypes.sizeof(ctypes.c_void_p) == 8 and flags.value == kind.__flags__
    return flags if known else None


def _codes(module: ModuleType) -> Iterator[CodeType]:
    """The code of every function and method in `module`, and of the functions inside them."""
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
