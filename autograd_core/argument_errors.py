"""PyTorch's words for arguments that do not fit: missing, too many, unknown, of the wrong kind.

Nothing is checked beforehand. Only when a function has failed are its arguments looked at, by the
names of its parameters; if they were in order, its own error stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograd_core.tensor import Tensor

_PYTORCHS_WORDS = "(): argument '", "received an invalid combination"
_TAKES_MORE_POSITIONS, _TAKES_MORE_NAMES = 0x04, 0x08
# What parameters of these names must be.
_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(
        ("input", "mat1", "mat2", "vec", "vec2", "tensor", "batch1", "batch2", "index", "mask",
         "source", "src", "weight", "target", "tensor1", "tensor2", "condition"),
        ("Tensor", lambda value: isinstance(value, Tensor)),
    ),
    **dict.fromkeys(
        ("dim", "dim0", "dim1", "start_dim", "end_dim", "k", "chunks", "diagonal", "offset"),
        ("int", lambda value: isinstance(value, int | Tensor) or _are_numbers(value)),
    ),
    **dict.fromkeys(
        ("shape", "size", "sizes", "dims", "repeats"),
        ("tuple of ints", lambda value: isinstance(value, int | Tensor) or _are_numbers(value)),
    ),
    **dict.fromkeys(("min", "max", "value"), ("Number", lambda value: _is_number(value))),
    "tensors": ("tuple of Tensors", lambda value: isinstance(value, tuple | list)),
}  # fmt: skip


def explained(function: Callable[..., Any], method: bool = False) -> Callable[..., Any]:
    """Return `function` raising PyTorch's TypeError when it fails for its arguments."""

    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except (AttributeError, TypeError, ValueError) as error:
            check(function, args, options, error, method)
            raise

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__wrapped__ = function  # type: ignore[attr-defined]  # what inspect looks for
    return call


def check(
    function: Any, args: tuple[Any, ...], options: dict[str, Any], error: Exception, method: bool
) -> None:
    """Raise PyTorch's TypeError if the arguments of a call that failed do not fit."""
    code = getattr(function, "__code__", None)
    if code is None or any(words in str(error) for words in _PYTORCHS_WORDS):
        return
    name, count = function.__name__, code.co_argcount
    names = code.co_varnames[:count]
    known = code.co_varnames[: count + code.co_kwonlyargcount]
    if len(args) > count and not code.co_flags & _TAKES_MORE_POSITIONS:
        most, given = count - method, len(args) - method
        plural, verb = "" if most == 1 else "s", "was" if given == 1 else "were"
        raise TypeError(
            f"{name}() takes {most} positional argument{plural} but {given} {verb} given"
        ) from None
    for each in options:
        if each not in known and not code.co_flags & _TAKES_MORE_NAMES:
            raise TypeError(f"{name}() got an unexpected keyword argument '{each}'") from None
    required = names[len(args) : count - len(function.__defaults__ or ())]
    missing = [f'"{each}"' for each in required if each not in options]
    if missing:
        raise TypeError(
            f"{name}() missing {len(missing)} required positional arguments: {', '.join(missing)}"
        ) from None
    for position, (each, value) in enumerate(zip(names, args, strict=False), start=1 - method):
        _check_kind(name, each, value, f" (position {position})", error)
    for each, value in options.items():
        _check_kind(name, each, value, "", error)
    if len(args) > count and known[count:]:
        _check_kind(name, known[count], args[count], f" (position {count + 1 - method})", error)


def _check_kind(name: str, argument: str, value: Any, where: str, error: Exception) -> None:
    if argument in ("other", "exponent"):
        # A number will often do; if not, the function failed to take it for a tensor.
        fits = isinstance(value, Tensor)
        if isinstance(value, int | float) and not isinstance(error, AttributeError):
            fits = True
        wanted = "Tensor"
    elif argument in _KINDS:
        wanted, test = _KINDS[argument]
        fits = (value is None and wanted != "Tensor") or test(value)
    else:
        return
    if not fits:
        kind = type(value).__name__
        raise TypeError(f"{name}(): argument '{argument}'{where} must be {wanted}, not {kind}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Tensor) or hasattr(value, "dtype")


def _are_numbers(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(each, int) for each in value)
    )
