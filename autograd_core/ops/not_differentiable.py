"""Operators to which PyTorch gives no derivative, and their errors."""

from __future__ import annotations

from typing import Any

from autograd_core.node import NO_TENSOR, UNNEEDED
from autograd_core.ops.operator import Operator


class NotDifferentiable(Operator):
    """Base class of operators without a derivative in PyTorch, whose results require grad."""

    node_name = ""
    # The operator's name in PyTorch's library.
    aten = ""

    def __init_subclass__(cls) -> None:
        cls.node_name = "torch::autograd::NotImplemented"
        super().__init_subclass__()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Drop the edges: no gradient will be sent along them."""
        ctx._output_nrs = tuple([NO_TENSOR if nr == UNNEEDED else nr for nr in ctx._output_nrs])

    @classmethod
    def jvp(cls, ctx, *tangents):
        """Refuse in PyTorch's words."""
        raise NotImplementedError(
            f"Trying to use forward AD with aten::{cls.aten} that does not support it."
        )

    @classmethod
    def backward(cls, ctx, g):
        """Refuse in PyTorch's words."""
        raise RuntimeError(f"derivative for aten::{cls.aten} is not implemented")
