"""`Function` and what belongs to it, under PyTorch's name `torch.autograd.function`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograd_core.function import Function, FunctionCtx
from autograd_core.grad_mode import mode, no_grad
from autograd_core.tensor import Tensor
from autograd_core.unsupported import refusing

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "once_differentiable",
]

__getattr__ = refusing("autograd.function")

# In PyTorch a node of a custom Function is of this class and holds the context's methods.
BackwardCFunction = FunctionCtx
FunctionMeta = type(Function)


class InplaceFunction(Function):
    """A Function that notes whether it works in place; PyTorch keeps it for old programs."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward whose result must not be differentiated again: trying to raises."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        recording = mode.enabled and any(
            isinstance(grad, Tensor) and grad.requires_grad for grad in grads
        )
        with no_grad():
            results = backward(ctx, *grads)
        if not recording:
            return results
        as_tuple = results if isinstance(results, tuple) else (results,)
        refused = [each if each is None else _Refusal.apply(_leaf(each)) for each in as_tuple]
        return tuple(refused) if isinstance(results, tuple) else refused[0]

    return wrapper


class _Refusal(Function):
    """Passes a gradient on; differentiating it raises."""

    node_name = "Error"

    @staticmethod
    def forward(ctx: Any, grad: Tensor) -> Tensor:
        return grad.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def _leaf(grad: Tensor) -> Tensor:
    return grad.detach().requires_grad_()
