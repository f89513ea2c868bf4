"""Parts of functions, classes and modules that are in no dict, remembered when they are replaced.

Python calls audit hooks before it sets such a part. So there is no need to compare all functions
again and again, or even to know them; NumPy's arrays call some that no list of ours has.
"""

from __future__ import annotations

import sys

# Bound now: builtins that a student's code replaces must not decide whether anything was replaced.
from builtins import getattr, list, range, setattr  # noqa: UP029
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from graders.observe.failure import foreign

OF_FUNCTIONS = frozenset({"__code__", "__defaults__", "__kwdefaults__"})
OF_OTHERS = frozenset({"__bases__", "__class__"})
"""Parts of functions, and of classes and modules."""

ROUNDS = 5
"""How often to look for changes, because restoring something may run code that changes more."""


class Parts:
    """What was replaced since this was made, and what it was.

    Functions are watched unless they are a student's own, and classes and modules only if they are
    among `others`.
    """

    __slots__ = ("_before", "_restored", "set_so_far")

    def __init__(self, others: Iterable[object]) -> None:
        self._before: dict[int, tuple[Any, list[tuple[str, Any]]]] = {}
        self._restored = self.set_so_far = 0
        sys.addaudithook(self._hook(frozenset(map(id, others)), foreign()))

    def restore(self) -> bool:
        """Put back whatever was replaced, and return whether anything was."""
        changed = False
        for _ in range(ROUNDS):
            if self._restored == self.set_so_far:
                break
            self._restored = self.set_so_far
            for thing, parts in list(self._before.values()):
                for name, part in parts:
                    if getattr(thing, name) is not part:
                        setattr(thing, name, part)
                        changed = True
        return changed

    def _hook(
        self, others: frozenset[int], foreign: tuple[str, ...]
    ) -> Callable[[str, tuple[Any, ...]], None]:
        # Local variables, because a student's code could replace globals.
        function, kind, read, place, has = FunctionType, type, getattr, id, hasattr
        of_functions, of_others = OF_FUNCTIONS, OF_OTHERS

        def hear(event: str, about: tuple[Any, ...]) -> None:
            if event != "object.__setattr__" and event != "object.__delattr__":
                return
            thing, name = about[:2]
            if place(thing) not in self._before:
                if kind(thing) is function:
                    heard = thing.__code__.co_filename.startswith(foreign)
                    names = of_functions
                else:
                    heard, names = place(thing) in others, of_others
                if not heard or name not in names:
                    return
                parts = [(each, read(thing, each)) for each in names if has(thing, each)]
                self._before[place(thing)] = thing, parts
            self.set_so_far += 1

        return hear
