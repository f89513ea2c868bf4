"""The guard: keeps students' code from reaching whoever looks on, by way of frames and of objects.

Nobody needs the stack, or everything that is alive, to solve an exercise; but who has them finds
the observers at work, and can have them write down what never happened. Python asks its audit hooks
first, and a hook cannot be taken away. What the standard library, NumPy and the engine do for
themselves is not held up.

No wall either, see `graders.observe.pristine`: what the judge is told is never believed.
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
"""Modules that look at frames for reasons of their own, and keep them to themselves."""

HANDING_OUT = frozenset(
    {"<lambda>", "walk_stack", "walk_tb", "_walk_tb_with_full_positions", "extended_frame_gen"}
)
"""Functions of theirs that hand frames to whoever calls: that has to be one of them."""

REFUSAL = "This looks at those who look on, which is not allowed while code is graded."


CHANGED = frozenset({"formatwarning", "showwarning", "warn"})
"""What is often replaced to silence warnings. Whoever is put there is told of no frame."""

SYMBOLS = ("Py", "_Py", "dl", "_dl", "__libc_dl")
"""How the names of the interpreter's own functions begin, which `ctypes` could call.

And of the linker's, which would find those for whoever asks.
"""

FROM_MEMORY = frozenset({"ctypes.PyObj_FromPtr", "ctypes.cdata"})
"""Whoever makes objects of addresses needs to ask nobody for frames."""

ANOTHER_INTERPRETER = "cpython.PyInterpreterState_New"
"""In an interpreter of its own no hook would be asked, and the frames of all can be had."""

OF_TESTS = frozenset({"_testcapi", "_testinternalcapi", "_testlimitedcapi", "_xxsubinterpreters"})
"""Modules with which Python's own tests look into the interpreter."""

HANDLING = "graders.observe.guard.handling"
MAKING = "graders.observe.guard.making"
TYPE_FLAGS_AT = 168
"""Where a class has its flags in 64-bit CPython; that it is so is seen before it is used."""
IMMUTABLE = 1 << 8
HOLDING = 4
"""The flag of functions during whose calls `ctypes` keeps hold of the interpreter."""


def install(codes: Mapping[CodeType, Asker]) -> None:
    """Put the guard up, for the rest of this process; `codes` are those who are `trusted`."""
    signals: Any = importlib.import_module("_signal")
    imports: Any = importlib.import_module("_imp")
    frame_here, handle, make = sys._getframe, signals.signal, imports.create_builtin
    thread_here = _thread.get_ident
    # Made anew, they would have what is taken out of them here.
    made_once = {"_imp": imports, "_signal": signals}
    # By thread: what one asks here for its answer, another may not have.
    asking: set[int] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == HANDLING:
            number, handler, before = arguments
            before.append(handle(number, _without_frame(handler)))
            return
        if event == MAKING:
            spec, made = arguments
            # Asked once, and by a text that has no equality or hash of its own.
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
            # No longer than this: what follows may meet objects of the student's.
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
    """The code of the functions that may look at frames, and the modules they are in."""
    modules = [sys.modules[name] for name in TRUSTED if name in sys.modules]
    return {code: asker for asker in map(Asker, modules) for code in _codes(asker.module)}


class Asker:
    """A module that may look at frames, as long as it is what it was when this was made."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self._built_in = frozenset(vars(builtins))
        # Who has the stack told hands frames on; the observers do not, and are asked most often.
        teller = vars(module).get("traceback")
        told = [module, *([teller] if isinstance(teller, ModuleType) else [])]
        told += [] if module.__name__.startswith("graders.") else [builtins]
        self._places = [place for each in told for place in _places(each)]
        self._kept = [(place, _made_of_code(place)) for place in self._places]
        self._hiding = self._hides()
        self._versions = versions_of(self._places) or []
        self._seen = self._versions_now()

    def is_asked_by(self, frame: FrameType) -> bool:
        """Whether `frame` is a call of this module's, none of whose parts was replaced."""
        # Code can be borrowed, and be given names of other things.
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
    """Take the place of `signal.signal`, whose own place nobody but the hook knows."""
    before: list[Any] = []
    sys.audit(HANDLING, number, handler, before)
    return before[0]


def _listening(function: Any) -> None:
    """Take the place of `sys.settrace` and `sys.setprofile`: nobody is told of anything."""


def _making(spec: Any) -> Any:
    """Take the place of `_imp.create_builtin` in the same way."""
    made: list[Any] = []
    sys.audit(MAKING, spec, made)
    return made[0]


def _without_frame(handler: Any) -> Any:
    """`handler`, which is not told where it interrupts."""
    return (lambda number, frame: handler(number, None)) if callable(handler) else handler


def freeze(classes: Iterable[type]) -> None:
    """Have `classes` refuse to be changed, as those refuse that are written in C.

    What was replaced for a moment and put back by who replaced it would be noticed by nobody.
    """
    for each in classes:
        flags = _flags_of(each)
        if flags is not None:
            flags.value |= IMMUTABLE


def _refuse_calls_into_the_interpreter() -> None:
    """Have `ctypes` call no function for which it keeps hold of the interpreter, as for its own.

    There are other ways than their names to find where those are. A kind of functions is harmless
    when it was seen not to do so as it was made, before anybody could say otherwise.
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
    """Where `kind` has its flags; None where that cannot be told."""
    flags = ctypes.c_ulong.from_address(id(kind) + TYPE_FLAGS_AT)
    known = ctypes.sizeof(ctypes.c_void_p) == 8 and flags.value == kind.__flags__
    return flags if known else None


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
