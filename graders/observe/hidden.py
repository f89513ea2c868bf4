"""Functions that are handed to a solution, and do not show what they are made of.

A function shows its closure and its names to whoever has it, and those can be rewritten: what it
has noted, and what the scenario goes by. What a generator works with stands in its frame, and
frames nobody may look at (see `graders.observe.guard`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any


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

    def call(*arguments: Any) -> Any:
        result, error = calls.send(arguments)
        if error is not None:
            raise error
        return result

    return call
