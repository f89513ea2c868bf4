"""Tables of hooks, the handles by which hooks are removed from them, and what hooks return."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

Hooks = OrderedDict[int, Callable[..., Any]]


class RemovableHandle:
    """Removes a hook by `remove()`, or at the end of a `with`.

    It refers to the hooks weakly, so that a handle keeps no graph alive. `hooks_dict` is an
    OrderedDict from keys to hooks; the caller puts the new hook there under the handle's `id`.
    """

    next_id = 0

    def __init__(self, hooks_dict: OrderedDict[int, Any], *, extra_dict: Any = None) -> None:
        extras = [extra_dict] if isinstance(extra_dict, dict) else extra_dict or []
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref: tuple[Any, ...] = tuple([weakref.ref(extra) for extra in extras])
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> Any:
        # A handle that is copied or pickled together with its hooks refers to the copied hooks.
        hooks = (self.hooks_dict_ref(), *[reference() for reference in self.extra_dict_ref])
        return self.id, hooks

    def __setstate__(self, state: Any) -> None:
        self.id, hooks = state
        references = [weakref.ref(OrderedDict() if each is None else each) for each in hooks]
        self.hooks_dict_ref, self.extra_dict_ref = references[0], tuple(references[1:])
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


def hook_tables(kind: type) -> dict[str, OrderedDict[int, Any]]:
    """Return an empty table for each attribute that a class declares to hold hooks."""
    return {name: OrderedDict() for name in kind.__annotations__ if "_hooks" in name}


def add_hook(
    hooks: OrderedDict[int, Any], hook: Any, prepend: bool = False, *flags: tuple[Any, bool]
) -> RemovableHandle:
    """Put `hook` after the others, or with `prepend` before them, and return its handle.

    `flags` are tables, each with a bool: where that is True, the hook is marked in the table.
    """
    handle = RemovableHandle(hooks, extra_dict=[table for table, _ in flags])
    hooks[handle.id] = hook
    for table, wanted in flags:
        if wanted:
            table[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def replaced_arguments(
    who: object, replaced: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments, or what a hook returned to replace them; raise if that is malformed."""
    if replaced is None:
        return args, kwargs
    if not (isinstance(replaced, tuple) and len(replaced) == 2):
        raise RuntimeError(
            f"{who} must return None or a tuple of (new_args, new_kwargs), but got {replaced}."
        )
    return replaced
