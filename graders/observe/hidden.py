"""Functions that are handed to a solution, and do not show what they are made of.

A function shows its closure and its names to whoever has it, and those can be rewritten: what it
has noted, and what the scenario goes by. What a generator works with stands in its frame, and
frames nobody may look at (see `graders.observe.guard`). Which generator it is stands among the
constants of the function's code, which nobody rewrites unseen (see `graders.observe.pristine`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import FunctionType
from typing import Any

HERE = "what is called"
"""Stands in the code of `_call` for what is called in its place."""


def hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls `function`, which must not call itself by it, and shows no more."""

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
    code = _call.__code__
    constants = tuple(calls.send if each == HERE else each for each in code.co_consts)
    return FunctionType(code.replace(co_consts=constants), {}, _call.__name__)


def _call(*arguments: Any) -> Any:
    send: Any = "what is called"
    result, error = send(arguments)
    if error is not None:
        raise error
    return result
