"""Attributes of `ctx` that a user may set but not read."""

from __future__ import annotations

from typing import Any


def write_only(name: str, kept_as: str) -> property:
    """Return a property for a bool that can be set, and is stored as `kept_as`, but not be read."""

    def refuse(ctx: Any) -> None:
        raise AttributeError(
            f"attribute '{name}' of 'torch._C._FunctionBase' objects is not readable"
        )

    def keep(ctx: Any, value: Any) -> None:
        if not isinstance(value, bool):
            raise TypeError(
                f"set_{name} received an invalid combination of arguments - got (), but expected "
                "(bool)"
            )
        setattr(ctx, kept_as, value)

    return property(refuse, keep)
