"""Wraps functions that are handed to a solution, so that it cannot see or change their insides.

Whoever has a function can read and rewrite its closure and its globals, and with these what a
scenario has noted. So the function runs inside a generator: its variables are in a frame, and the
solution may not look at frames (see `graders.observe.guard`). The wrapper refers to the generator
by a constant of its code, which cannot be rewritten unnoticed (see `graders.observe.pristine`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import CodeType, FunctionType
from typing import Any

HERE = "what is called"
"""The constant in the code of `_call` that `hidden` replaces by the generator's `send`."""


def hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls `function` and hides it; `function` must not call the result."""

    def calling() -> Generator[Any, tuple[Any, ...], None]:
        ended: Any = None
        while True:
            arguments = yield ended
            try:
                ended = function(*arguments), None
            except Exception as error:
                ended = None, error

    calls = calling()
    next(calls)
    return FunctionType(with_constant(_call, HERE, calls.send), {}, _call.__name__)


def with_constant(function: Callable[..., Any], place: str, value: object) -> CodeType:
    """The code of `function` in which `value` stands for the constant `place`."""
    code = function.__code__
    constants = tuple(value if each == place else each for each in code.co_consts)
    return code.replace(co_consts=constants)


def _call(*arguments: Any) -> Any:
    send: Any = "what is called"
    result, error = send(arguments)
    if error is not None:
        raise error
    return result
