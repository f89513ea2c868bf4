"""Hooks around a module's forward: they see, and may replace, what goes in and what comes out."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from autograd_core.hooks import RemovableHandle, add_hook


class Hook(NamedTuple):
    """A hook, and whether it takes keyword arguments and runs even when forward raises."""

    function: Callable[..., Any]
    with_kwargs: bool
    always_call: bool = False


class ForwardHooks:
    """The hooks of one module, in the order in which they run."""

    def __init__(self) -> None:
        self.before: OrderedDict[int, Any] = OrderedDict()
        self.after: OrderedDict[int, Any] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self.before or self.after)

    def run(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call `module.forward` with the hooks around it."""
        called: set[int] = set()
        result = None
        try:
            for hook in list(self.before.values()):
                args, kwargs = _ahead(hook, module, args, kwargs)
            result = module.forward(*args, **kwargs)
            for key, hook in list(self.after.items()):
                called.add(key)
                result = _behind(hook, module, args, kwargs, result)
        except Exception:
            for key, hook in list(self.after.items()):
                if hook.always_call and key not in called:
                    result = _behind(hook, module, args, kwargs, result)
            raise
        return result


def register(hooks: OrderedDict[int, Any], hook: Hook, prepend: bool) -> RemovableHandle:
    """Add a hook behind the others, or ahead of them."""
    handle = add_hook(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _ahead(
    hook: Hook, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if not hook.with_kwargs:
        replaced = hook.function(module, args)
        if replaced is not None:
            args = replaced if isinstance(replaced, tuple) else (replaced,)
        return args, kwargs
    replaced = hook.function(module, args, kwargs)
    if replaced is None:
        return args, kwargs
    if not (isinstance(replaced, tuple) and len(replaced) == 2):
        raise RuntimeError(
            "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
            f"{replaced}."
        )
    return replaced


def _behind(
    hook: Hook, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> Any:
    given = (args, kwargs) if hook.with_kwargs else (args,)
    replaced = hook.function(module, *given, result)
    return result if replaced is None else replaced
