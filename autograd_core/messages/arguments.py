"""PyTorch's words for arguments that do not fit: missing, too many, unknown, of the wrong kind.

Nothing is checked beforehand but what would do although PyTorch refuses it: any value for a flag,
truth values and fractions for whole numbers. Only then, and when a function has failed, are its
arguments held against its signatures; if they fit one, its own error stands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from inspect import CO_VARARGS, CO_VARKEYWORDS
from typing import Any

from autograd_core.tensor import Tensor

# What a function may raise for arguments that do not fit.
REFUSALS = AttributeError, IndexError, TypeError, ValueError, RuntimeError
_PYTORCHS_WORDS = "(): argument '", "received an invalid combination"
_Args = tuple[Any, ...]
_Options = Mapping[str, Any]
# What takes no arguments and is called so often that Python's own words do for surplus ones.
_IN_HASTE = {
    "abs", "cos", "detach", "exp", "is_floating_point", "log", "neg", "numel", "relu", "sigmoid",
    "sin", "sqrt", "square", "t", "tanh", "zero_",
}  # fmt: skip
# Arguments that must be truth values, though any value would do.
_FLAGS = {
    "accumulate", "as_tuple", "descending", "keepdim", "largest", "non_blocking", "sorted",
    "stable", "unbiased",
}  # fmt: skip
# Arguments that must be whole numbers, or tuples of them.
_WHOLE = {
    "axis0", "axis1", "chunks", "decimals", "diagonal", "dim", "dim0", "dim1", "dim2", "dims",
    "end_dim", "index", "k", "length", "offset", "repeats", "shifts", "split_size",
    "start", "start_dim", "steps", "storage_offset",
}  # fmt: skip
# Of these some functions take tensors, all others only such of no dimensions.
_PERHAPS_TENSORS = {"index", "repeats", "shifts"}
# The types of which they must be, and a value that fits; or those of which they may not be, and 0.
_WATCHED: dict[str, tuple[set[type], int]] = {
    **dict.fromkeys(_FLAGS, ({bool}, True)),
    **dict.fromkeys(_WHOLE, ({bool, float, Tensor}, 0)),
    **dict.fromkeys(_PERHAPS_TENSORS, ({bool, float}, 0)),
}
# Beside this argument all others go by name.
_NAMED_ALONE = "stable"
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
    unchecked, check = check_of_kinds(function, name, method)

    def call(*args: Any, **options: Any) -> Any:
        if options or len(args) > unchecked:
            check(args, options)
        try:
            return function(*args, **options) if options else function(*args)
        except REFUSALS as error:
            return tried_otherwise(call, function, name, args, options, error, method)

    return standing_for(function, call)


def taking_nothing(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a method of the tensor alone that refuses other arguments in PyTorch's words."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        if args or options:
            check_arguments(name, (self, *args), options, TypeError(), True, function)
        return function(self)

    return standing_for(function, call)


def explained_method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that explains errors of its arguments, unless it takes none and is in haste.

    Python's operators explain themselves.
    """
    if name in _IN_HASTE or name.startswith("__"):
        return function
    takes_more = function.__code__.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    if len(names_of(function)) == 1 and not takes_more:
        return taking_nothing(function, name)
    return explained(function, method=True, name=name)


def tried_otherwise(
    again: Callable[..., Any],
    function: Callable[..., Any],
    name: str,
    args: _Args,
    options: _Options,
    error: Exception,
    method: bool = False,
    out: Any = None,
) -> Any:
    """Return what a call that failed returns in PyTorch's names or order of arguments.

    `again` calls `function` as before. If no other names or order help, raise PyTorch's TypeError
    for arguments that do not fit, among them an `out` that `again` knows of, or else `error`.
    """
    renamed = _in_our_names(function, options)
    if renamed is not None:
        return again(*args, **renamed)
    from autograd_core.messages.parser import by_place, in_new_order
    from autograd_core.views import refuse_stale

    reordered = in_new_order(name, args, options, method)
    reordered = reordered or by_place(name, function, args, options, method)
    if reordered is not None:
        return again(*reordered[0], **reordered[1])
    given = options if out is None else {**options, "out": out}
    check_arguments(name, args, given, error, method, function)
    if not name.endswith("_"):
        refuse_stale((*args, *options.values()))
    try:
        raise error
    finally:
        # It holds this frame, which must not hold it: what failed is to be freed at once.
        del error


def standing_for(function: Callable[..., Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """Return `call` with the looks of `function`, which it wraps."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]  # what inspect looks for
    return call


def names_of(function: Any) -> tuple[str, ...]:
    """Return the names of the arguments that a function takes, but for `*` and `**`."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def check_of_kinds(
    function: Any, name: str, method: bool
) -> tuple[int, Callable[[_Args, _Options], None]]:
    """Return a check of a call's arguments, which refuses what only PyTorch would refuse.

    And before it how many arguments by position there may be without a need for the check.
    """
    code, names = function.__code__, names_of(function)
    watched = [
        (each, place, *_WATCHED[each]) for place, each in enumerate(names) if each in _WATCHED
    ]
    # The lengths of a new tensor may be truth values, all but the first.
    rest_name = code.co_varnames[len(names)] if code.co_flags & CO_VARARGS else "size"
    spread = rest_name != "size"
    if not watched and not spread:
        return sys.maxsize, lambda args, options: None
    # A method takes numbers one after the other, a function of the package a tuple of them.
    in_tuple = not method and rest_name in ("dims", "order", "sizes")
    foreign = {bool, int} if in_tuple else {bool}
    # What is called without any length is refused.
    rest = 1 if method or in_tuple else -1
    named_alone = _NAMED_ALONE in names

    def check(args: _Args, options: _Options) -> None:
        given = len(args)
        for each, place, kinds, fits in watched:
            # What is not given is as it should be: True, or 0.
            value = args[place] if place < given else options.get(each, fits)
            if (type(value) in kinds) != fits:
                check_arguments(name, args, options, TypeError(), method, function)
        if (named_alone and given > 1 and _NAMED_ALONE in options) or (
            spread and (given <= rest or not foreign.isdisjoint(map(type, args)))
        ):
            check_arguments(name, args, options, TypeError(), method, function)

    return 0 if spread else watched[0][1], check


def _in_our_names(function: Any, options: _Options) -> dict[str, Any] | None:
    """Return options with NumPy's names replaced by PyTorch's; None if there are none of those."""
    renamed = {
        next((ours for ours in names_of(function) if key in _OTHER_NAMES.get(ours, ())), key): value
        for key, value in options.items()
    }
    return renamed if renamed.keys() != options.keys() and len(renamed) == len(options) else None


def check_arguments(
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
        known = {key: value for key, value in options.items() if key != "out"}
        message = refusal_by_code(name, function, given, known, method)
    else:
        message = refusal_of(name, signatures, given, options)
    if message:
        raise TypeError(message) from None
