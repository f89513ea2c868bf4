"""`Function` and its relatives, under PyTorch's name `torch.autograd.function`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograd_core.custom_node import BackwardCFunction
from autograd_core.function import Function, FunctionMeta
from autograd_core.function_ctx import FunctionCtx
from autograd_core.messages.unsupported import refusing
from autograd_core.modes.grad_mode import mode, no_grad
from autograd_core.tensor import Tensor

__getattr__ = refusing(__name__)


class InplaceFunction(Function):
    """A Function with a flag `inplace`, which PyTorch keeps for old programs."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A Function of nested tuples, of which PyTorch still supports only what all Functions have."""

    def forward_extended(self, *input: Any) -> None:
        """Compute from nested tuples: nobody calls it any more."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """Return nested gradients: nobody calls it any more."""
        raise NotImplementedError


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward whose result must not be differentiated again: trying to raises."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            results = backward(ctx, *grads)
        if not mode.enabled or not any(
            isinstance(grad, Tensor) and grad.requires_grad for grad in grads
        ):
            return results
        as_tuple = results if isinstance(results, tuple) else (results,)
        leaves = [None if each is None else each.detach().requires_grad_() for each in as_tuple]
        refused = _Refusal.apply(*leaves)
        return refused if isinstance(results, tuple) else refused[0]

    return wrapper


class _Refusal(Function):
    """Passes gradients on; differentiating them raises."""

    node_name = "torch::autograd::Error"
    edges_for_numbers = True

    @staticmethod
    def forward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        return tuple([grad if grad is None else grad.clone() for grad in grads])

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Tensor:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
