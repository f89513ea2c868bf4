"""Making functions and operators that differ only a little from others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.function import Function
from autograd_core.ops.operator import Operator
from autograd_core.tensor import Tensor


def called(name: str, doc: str, function: Callable[..., Any]) -> Any:
    """Return `function`, given a name and a docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def named(name: str, function: type[Function], node_name: str, **members: Any) -> Any:
    """Return a subclass with another `node_name`, and other `members` if there are any.

    PyTorch's operators have several variants, such as `mul` with a tensor and with a number.
    """
    members |= {"node_name": node_name, "__module__": function.__module__}
    return type(name, (function,), members)


def of_one(operator: Any, returned: str) -> Callable[[Tensor], Tensor]:
    """Return the function that applies an operator to one tensor, with the operator's name."""

    def function(input: Tensor) -> Tensor:
        return operator.apply(input)

    function.__module__ = operator.__module__
    # The in-place method is made from this.
    vars(function)["operator"] = operator
    return called(operator.__name__.lower(), f"Return {returned}.", function)


def of_two(operator: type[Operator], returned: str) -> Callable[[Any, Any], Tensor]:
    """Return the function that applies an operator to two tensors, and takes nothing else."""
    name = operator.__name__.lower()

    def function(input: Any, other: Any) -> Tensor:
        return operator.apply(input, tensor_only(name, input, other))

    function.__module__ = operator.__module__
    return called(name, f"Return {returned}.", function)


def tensor_only(name: str, *operands: Any) -> Tensor:
    """Return the last operand; PyTorch's TypeError if one of them is no tensor."""
    for each in operands:
        if not isinstance(each, Tensor):
            raise TypeError(f"{name}: arguments must be Tensor, not {type(each).__name__}")
    return operands[-1]
