"""Orders of arguments that PyTorch still takes, with a warning: `torch.add(x, 2, y)`."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_core.tensor import Tensor

# Where a number once stood before the tensors that it multiplies, by the functions' names.
_NUMBERS = {"add": "alpha", "sub": "alpha", "addcmul": "value", "addcdiv": "value"}
_TENSORS = {
    "add": ("other",),
    "sub": ("other",),
    "addcmul": ("tensor1", "tensor2"),
    "addcdiv": ("tensor1", "tensor2"),
}
_DEPRECATED = (
    "This overload of {name} is deprecated:\n\t{name}({old})\n"
    "Consider using one of the following signatures instead:\n\t{name}({new})"
)


def in_new_order(name: str, args: tuple[Any, ...], options: Any, method: bool) -> Any:
    """Return what to call the function with instead, and warn; None if it is not the old order."""
    plain = name.removesuffix("_") if method else name
    number, tensors = _NUMBERS.get(plain), _TENSORS.get(plain, ())
    if number is None or options or len(args) != len(tensors) + 2:
        return None
    first, value, *rest = args
    if not isinstance(first, Tensor) or not isinstance(value, bool | int | float):
        return None
    if not all(isinstance(each, Tensor | bool | int | float) for each in rest):
        return None
    before, after = ("", "") if method else ("Tensor input, ", ", Tensor out = None")
    named = ", ".join(f"Tensor {each}" for each in tensors)
    end = "" if method else ", *, Tensor out = None"
    old = f"{before}Number {number}, {named}{end}"
    new = f"{before}{named}, *, Number {number} = 1{after}"
    warnings.warn(_DEPRECATED.format(name=name, old=old, new=new), stacklevel=3)
    return (first, *rest), {number: value}
