"""Makes positional arguments of a Function's keyword arguments and defaults."""

from __future__ import annotations

from inspect import CO_VARARGS, signature
from typing import Any


def as_positional(
    forward: Any, without_ctx: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Return all arguments as positional ones; TypeError for those that forward cannot take.

    As in PyTorch, defaults are filled in if the Function has a `setup_context`, and keyword-only
    arguments are refused.
    """
    if without_ctx and not _complete(forward, args, kwargs):
        bound = signature(forward).bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    if not kwargs:
        return args
    code = forward.__code__
    names = code.co_varnames[0 if without_ctx else 1 : code.co_argcount]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    places = {names.index(name): value for name, value in kwargs.items()}
    for position in range(len(args), max(places)):
        if position not in places:
            raise TypeError(
                f"forward() missing required argument: '{names[position]}' (position {position})"
            )
    return (*args, *[places[position] for position in sorted(places)])


def _complete(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether `args` are all that forward takes, so that no defaults are to be filled in."""
    code = getattr(forward, "__code__", None)
    if kwargs or code is None or code.co_kwonlyargcount:
        return False
    surplus = len(args) - code.co_argcount
    return surplus == 0 or (surplus > 0 and bool(code.co_flags & CO_VARARGS))
