"""The name of an object's type, as errors of PyTorch's C++ give it, and the commonest of those."""

from __future__ import annotations

_MADE_BY_CLASS_STATEMENT = 1 << 9
# Where PyTorch defines in C what is a class like any other here.
_MODULES = {
    **dict.fromkeys(("Size", "dtype", "device", "layout", "memory_format"), "torch"),
    "Generator": "torch._C",
}


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
