"""PyTorch's words for arguments that do not fit: missing, too many, unknown, of the wrong kind.

Nothing is checked beforehand but flags, for which any value would do. Only when a function has
failed are its arguments held against its signatures; if they fit one, its own error stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# What a function may raise for arguments that do not fit.
REFUSALS = AttributeError, IndexError, TypeError, ValueError, RuntimeError
_PYTORCHS_WORDS = "(): argument '", "received an invalid combination"
_Args = tuple[Any, ...]
_Options = Mapping[str, Any]
# Arguments that must be truth values, though any value would do.
_FLAGS = {"keepdim", "largest", "sorted", "descending", "unbiased"}
# NumPy's names of arguments.
_OTHER_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}


def explained(
    function: Callable[..., Any], method: bool = False, name: str | None = None
) -> Callable[..., Any]:
    """Return `function` raising PyTorch's TypeError when it fails for its arguments."""
    name = name or function.__name__

    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except REFUSALS as error:
            return tried_otherwise(call, function, name, args, options, error, method)

    return standing_for(function, call, name, method)


def tried_otherwise(
    again: Callable[..., Any],
    function: Callable[..., Any],
    name: str,
    args: _Args,
    options: _Options,
    error: Exception,
    method: bool = False,
) -> Any:
    """Return what a call that failed returns in PyTorch's names or order of arguments.

    `again` calls `function` as before. If no other names or order help, raise PyTorch's TypeError
    for arguments that do not fit, or else `error`.
    """
    renamed = _in_our_names(function, options)
    if renamed is not None:
        return again(*args, **renamed)
    from autograd_core.messages.old_orders import in_new_order

    reordered = in_new_order(name, args, options, method)
    if reordered is not None:
        return function(*reordered[0], **reordered[1])
    _check(name, args, options, error, method, function)
    raise error


def standing_for(
    function: Callable[..., Any], call: Callable[..., Any], name: str, method: bool = False
) -> Callable[..., Any]:
    """Return `call` with the looks of `function`, which it wraps, and its flags checked."""
    call = _checking_flags(call, function, name, method)
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]  # what inspect looks for
    return call


def _checking_flags(
    call: Callable[..., Any], function: Any, name: str, method: bool
) -> Callable[..., Any]:
    """Return `call`, which wraps `function`, taking nothing but truth values for its flags."""
    code = getattr(function, "__code__", None)
    names = code.co_varnames[: code.co_argcount] if code is not None else ()
    flags = [(each, place) for place, each in enumerate(names) if each in _FLAGS]
    if not flags:
        return call
    first = flags[0][1]

    def checked(*args: Any, **options: Any) -> Any:
        if options or len(args) > first:
            for flag, place in flags:
                value = args[place] if len(args) > place else options.get(flag, True)
                if value is not True and value is not False and value is not None:
                    _check(name, args, options, TypeError(), method, function)
        return call(*args, **options)

    return checked


def _in_our_names(function: Any, options: _Options) -> dict[str, Any] | None:
    """Return options with NumPy's names replaced by PyTorch's; None if there are none of those."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    renamed = {
        next((ours for ours in known if key in _OTHER_NAMES.get(ours, ())), key): value
        for key, value in options.items()
    }
    return renamed if renamed.keys() != options.keys() and len(renamed) == len(options) else None


def _check(
    name: str, args: _Args, options: _Options, error: Exception, method: bool, function: Any
) -> None:
    """Raise PyTorch's TypeError if the arguments of a call that failed do not fit."""
    if any(words in str(error) for words in _PYTORCHS_WORDS):
        return
    # What only a mistake needs is loaded when one is made.
    from autograd_core.messages.parser import refusal_by_code, refusal_of
    from autograd_core.messages.signatures import signatures_of

    given = args[1:] if method else args
    signatures = signatures_of(name, method)
    if signatures is None:
        message = refusal_by_code(name, function, given, options, method)
    else:
        message = refusal_of(name, signatures, given, options)
    if message:
        raise TypeError(message) from None
