"""PyTorch's errors for arguments that do not fit: missing, too many, unknown, of the wrong type.

The only arguments that are checked before a call are those that would work here although PyTorch
refuses them: any value for a flag, bools and floats for integers. All others are compared with
PyTorch's signatures only after the call has failed; if they fit one, the error of the call stays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from inspect import CO_VARARGS, CO_VARKEYWORDS, signature
from typing import Any

from autograd_core.messages import OTHER_NAMES, names_of, unsupported
from autograd_core.modes.grad_mode import mode
from autograd_core.tensor import Tensor

# What a function may raise for arguments that do not fit.
REFUSALS = AttributeError, IndexError, TypeError, ValueError, RuntimeError
_PYTORCHS_WORDS = "(): argument '", "received an invalid combination"
_Args = tuple[Any, ...]
_Options = Mapping[str, Any]
# Methods without arguments that are called so often that they keep Python's error for surplus ones.
_IN_HASTE = {
    "abs", "cos", "detach", "exp", "is_floating_point", "log", "neg", "numel", "relu", "sigmoid",
    "sin", "sqrt", "square", "t", "tanh", "zero_",
}  # fmt: skip
# Functions that look at their arguments before they apply an operator, which needs their makers.
_CHECKED_FIRST = {"chunk", "flatten", "narrow", "outer", "to", "unflatten"}
# Arguments that must be bools, though any value would work.
_FLAGS = {
    "accumulate", "as_tuple", "assume_unique", "descending", "equal_nan", "invert", "keepdim",
    "largest", "non_blocking", "sorted", "sparse_grad", "stable", "unbiased",
}  # fmt: skip
# Arguments that must be integers, or tuples of them.
_WHOLE = {
    "axis0", "axis1", "chunks", "decimals", "diagonal", "dim", "dim0", "dim1", "dim2", "dims",
    "end_dim", "index", "indices_or_sections", "k", "length", "offset", "repeats", "shifts",
    "split_size", "start", "start_dim", "steps", "storage_offset",
}  # fmt: skip
# Of these, some functions take tensors too.
_PERHAPS_TENSORS = {"index", "indices_or_sections", "repeats", "shifts"}
# Whether `type(value) in types` must be true or false: by argument, the types, and True or 0, which
# also is a valid value.
_WATCHED: dict[str, tuple[set[type], int]] = {
    **dict.fromkeys(_FLAGS, ({bool}, True)),
    **dict.fromkeys(_WHOLE, ({bool, float, Tensor}, 0)),
    **dict.fromkeys(_PERHAPS_TENSORS, ({bool, float}, 0)),
}
# If this is given by name, only one argument may be given by position.
_NAMED_ALONE = "stable"


def explained(
    function: Callable[..., Any], method: bool = False, name: str | None = None
) -> Callable[..., Any]:
    """Return `function`, but raising PyTorch's TypeError if its arguments do not fit."""
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


def explained_by_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `explained`, for a function that in PyTorch gives all by position to one written in C.

    If `inplace` is true, the name of that one ends in an underscore.
    """
    name = function.__name__

    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except REFUSALS as error:
            try:
                bound = signature(function).bind(*args, **options)
            except TypeError:
                # Python's own error for this call stays.
                raise error from None
            bound.apply_defaults()
            given = bound.arguments
            called = f"{name}_" if given.pop("inplace", False) else name
            return tried_otherwise(call, function, called, tuple(given.values()), {}, error)

    return standing_for(function, call)


def taking_nothing(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a method that takes only the tensor, and refuses arguments in PyTorch's words."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        if args or options:
            check_arguments(name, (self, *args), options, TypeError(), True, function)
        return function(self)

    return standing_for(function, call)


def explained_method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method, but raising PyTorch's TypeError if its arguments do not fit.

    Those of `_IN_HASTE` are returned as they are, and Python's operators, which raise it already.
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
    """Repeat a call that failed with other names, orders or kinds of its arguments, if any.

    `again` repeats the call. If PyTorch knows no others, raise its TypeError if the arguments do
    not fit (among them an `out` that `again` knows of), or else `error`.
    """
    given = options if out is None else {**options, "out": out}
    renamed = _in_our_names(function, options)
    if renamed is not None:
        try:
            return _instead(again, args, renamed)
        except TypeError:
            # In the words of the caller, who gave other names than these.
            check_arguments(name, args, given, TypeError(), method, function)
            raise
    from autograd_core.messages.parser import by_place, in_new_order, with_dtypes

    reordered = in_new_order(name, args, options, method)
    reordered = reordered or by_place(name, function, args, options, method)
    reordered = reordered or with_dtypes(name, args, options)
    if reordered is not None:
        return _instead(again, *reordered)
    check_arguments(name, args, given, error, method, function)
    is_first = name.endswith("_") or name in _CHECKED_FIRST or isinstance(error, TypeError)
    if not is_first:
        for each in (*args, *options.values()):
            refuse_stale(each if isinstance(each, tuple | list) else (each,))
    try:
        raise error
    finally:
        # The error holds this frame: without the cycle, the tensors in it are freed at once.
        del error


def _instead(again: Callable[..., Any], args: _Args, options: _Options) -> Any:
    """Call anew, after a failure that is not to be told of beside another one."""
    try:
        return again(*args, **options)
    except Exception as error:
        raise error from None


def standing_for(function: Callable[..., Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """Return `call` with the name and docstring of `function`, which it wraps."""
    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__, call.__module__ = function.__doc__, function.__module__
    call.__wrapped__ = function  # type: ignore[attr-defined]  # what inspect looks for
    return call


def check_of_kinds(
    function: Any, name: str, method: bool
) -> tuple[int, Callable[[_Args, _Options], None]]:
    """Return a number and a check of a call's arguments, which refuses what only PyTorch refuses.

    A call with at most that number of positional arguments, and no others, needs no check.
    """
    code, names = function.__code__, names_of(function)
    watched = [
        (each, place, *_WATCHED[each]) for place, each in enumerate(names) if each in _WATCHED
    ]
    # The lengths of a new tensor may be bools, all but the first.
    rest_name = code.co_varnames[len(names)] if code.co_flags & CO_VARARGS else "size"
    spread = rest_name != "size"
    if not watched and not spread:
        return sys.maxsize, lambda args, options: None
    # A method may take its numbers one by one, a function of the package takes a tuple of them.
    in_tuple = not method and rest_name in ("dims", "order", "sizes")
    foreign = {bool, int} if in_tuple else {bool}
    # A method without any number is refused.
    rest = 1 if method or in_tuple else -1
    named_alone = _NAMED_ALONE in names

    def check(args: _Args, options: _Options) -> None:
        given = len(args)
        for each, place, kinds, fits in watched:
            # An argument that is not given fits.
            value = args[place] if place < given else options.get(each, fits)
            if (type(value) in kinds) != fits:
                check_arguments(name, args, options, TypeError(), method, function)
        if (named_alone and given > 1 and _NAMED_ALONE in options) or (
            spread and (given <= rest or not foreign.isdisjoint(map(type, args)))
        ):
            check_arguments(name, args, options, TypeError(), method, function)

    return 0 if spread else watched[0][1], check


def _in_our_names(function: Any, options: _Options) -> dict[str, Any] | None:
    """Return options with PyTorch's names instead of NumPy's; None if there are none of NumPy's."""
    renamed = {
        next((ours for ours in names_of(function) if key in OTHER_NAMES.get(ours, ())), key): value
        for key, value in options.items()
    }
    return renamed if renamed.keys() != options.keys() and len(renamed) == len(options) else None


def check_arguments(
    name: str, args: _Args, options: _Options, error: Exception, method: bool, function: Any
) -> None:
    """Raise PyTorch's TypeError if the arguments of a call that failed do not fit."""
    for value in (*args, *options.values()):
        unsupported.refuse_overrides(type(value))
    if any(words in str(error) for words in _PYTORCHS_WORDS):
        return
    # Loaded only when a mistake was made.
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


def refuse_stale(args: Iterable[Any]) -> None:
    """Raise RuntimeError if one of `args` is a view that has lost its history to a change in place.

    PyTorch looks for the arguments' makers first, so that this error comes before any other; an
    error that led here is not reported.
    """
    if mode.enabled:
        for each in args:
            if isinstance(each, Tensor) and each._base is not None:
                try:
                    each.grad_fn  # noqa: B018 - it raises
                except RuntimeError as error:
                    raise error from None
