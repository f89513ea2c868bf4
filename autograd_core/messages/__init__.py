"""What PyTorch says: the words that many errors and warnings share. Longer ones are beside."""

from __future__ import annotations

import warnings

_MADE_BY_CLASS_STATEMENT = 1 << 9
# Where PyTorch defines in C what is a class like any other here.
_MODULES = {
    **dict.fromkeys(("Size", "dtype", "device", "layout", "memory_format"), "torch"),
    "Generator": "torch._C",
}
_given: set[str] = set()


def type_name(value: object) -> str:
    """Return `int`, `MyClass`, and with its module what is defined in C: `torch.dtype`."""
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


def warn_once(message: str, stacklevel: int = 4) -> None:
    """Give a UserWarning, unless it was given before in this process."""
    if message not in _given:
        _given.add(message)
        warnings.warn(message, stacklevel=stacklevel)
