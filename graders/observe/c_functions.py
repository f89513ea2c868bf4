"""What `ctypes` may call: functions in C, but none of the interpreter's own.

The interpreter's functions could get at frames without causing an event that the guard would hear
of (see `graders.observe.guard`), and their addresses can be found in other ways than by name. They
have to be called with the GIL held. So `ctypes` refuses to call a function in that way.
"""

from __future__ import annotations

import ctypes
from typing import Any

from graders.observe.hidden import hidden
from graders.observe.immutable import set_members

HOLDING = 4
"""The flag of functions during whose calls `ctypes` holds the GIL (FUNCFLAG_PYTHONAPI)."""


def refuse_the_interpreters(why: str) -> None:
    """Have `ctypes` refuse functions that it would call with the GIL held; `why` tells students.

    A type of functions is harmless if it did not have the flag HOLDING when it was made, before
    anybody could change its flags.
    """
    functions: Any = ctypes.CFUNCTYPE(None).__base__
    # By identity: types may have a hash and an equality of their own, by their metaclass.
    harmless = {id(each): each for each in functions.__subclasses__() if not each._flags_ & HOLDING}
    call, line, made_by = functions.__call__, list(functions.__mro__), type(functions)
    # Local variables, because students' code can replace globals and builtins.
    kind_of, identity, bases_of, whole_number = type, id, type.mro, int
    refused, holding = PermissionError, HOLDING

    def calling(function: Any, *arguments: Any) -> Any:
        if identity(kind_of(function)) not in harmless:
            raise refused(why)
        return call(function, *arguments)

    def deriving(kind: Any) -> None:
        if kind_of(kind) is made_by and bases_of(kind)[1:] == line:
            told = kind.__dict__.get("_flags_")
            if kind_of(told) is whole_number and not told & holding:
                harmless[identity(kind)] = kind

    set_members(
        functions, __call__=hidden(calling), __init_subclass__=classmethod(hidden(deriving))
    )
