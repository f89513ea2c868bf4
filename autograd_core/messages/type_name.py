"""The name of an object's type, as errors of PyTorch give it."""

from __future__ import annotations

_MADE_BY_CLASS_STATEMENT = 1 << 9


def type_name(value: object) -> str:
    """Return `int`, `MyClass`, and with its module what another extension defines in C."""
    kind = type(value)
    if kind.__module__ == "builtins" or kind.__flags__ & _MADE_BY_CLASS_STATEMENT:
        return kind.__name__
    return f"{kind.__module__}.{kind.__name__}"
