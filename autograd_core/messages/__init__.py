"""PyTorch's messages: the parts that many errors and warnings share, and how warnings are given."""

from __future__ import annotations

import sys
import warnings
from typing import Any

_MADE_BY_CLASS_STATEMENT = 1 << 9
# The modules of classes that PyTorch defines in C: its errors show them.
_MODULES = {
    **dict.fromkeys(("Size", "dtype", "device", "layout", "memory_format"), "torch"),
    "Generator": "torch._C",
}
# NumPy's names of arguments.
OTHER_NAMES = {
    "dim": ("axis",),
    "keepdim": ("keepdims",),
    "input": ("x", "a", "x1"),
    "other": ("x2",),
}
_PACKAGE = "autograd_core."
_given: set[str] = set()
_always = False


def type_name(value: object) -> str:
    """Return `int`, `MyClass`, and for a class defined in C the module too: `torch.dtype`."""
    kind = type(value)
    name, module = kind.__name__, kind.__module__
    if module.startswith("autograd_core."):
        module = _MODULES.get(name, "builtins")
    elif kind.__flags__ & _MADE_BY_CLASS_STATEMENT:
        module = "builtins"
    return name if module == "builtins" else f"{module}.{name}"


def wrong_type(place: str, wanted: str, value: object) -> TypeError:
    """Return the error for `value` at a place such as `eye(): argument 'n' (position 1)`."""
    return TypeError(f"{place} must be {wanted}, not {type_name(value)}")


def check_argument(
    function: str, name: str, value: object, kind: Any, position: int = 0, wanted: str = ""
) -> None:
    """Raise PyTorch's TypeError unless a function's argument is of a `kind`, called `wanted`.

    The `position` is said, from 1 on, where the argument is given by position.
    """
    if not isinstance(value, kind):
        place = f"{function}(): argument '{name}'"
        place += f" (position {position})" if position else ""
        raise wrong_type(place, wanted or kind.__name__, value)


def names_of(function: Any) -> tuple[str, ...]:
    """Return the names of a function's parameters, except for `*` and `**`."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and show as the source the last line outside of this package that led here."""
    warnings.warn(message, category, stacklevel=_level_of_user())


def _level_of_user() -> int:
    """Return the `stacklevel` for the caller's warning at which this package was entered."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and _is_of_package(dict.get(frame.f_globals, "__name__")):
        frame, level = frame.f_back, level + 1
    return level


def _is_of_package(name: object) -> bool:
    return type(name) is str and f"{name}.".startswith(_PACKAGE)


def warn_once(message: str, kind: str = "") -> None:
    """Give a UserWarning, unless it, or another of its `kind`, was given before in this process."""
    kind = kind or message
    if _always or kind not in _given:
        if not _always:
            _given.add(kind)
        warn(message)


def set_warn_always(b: bool) -> None:
    """Set whether all warnings are given each time; by default some are given once a process.

    RuntimeError for anything but a bool. (PyTorch: torch.set_warn_always.)
    """
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type_name(b)}")
    _always = b


def is_warn_always_enabled() -> bool:
    """Return what `set_warn_always` has set."""
    return _always
