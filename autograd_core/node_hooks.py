"""Hooks around a node: before it runs they see what arrives, after it has run what it returned."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograd_core.hooks import Hooks, after_hooks

if TYPE_CHECKING:
    from autograd_core.node import Node
    from autograd_core.tensor import Tensor

Gradients = tuple["Tensor | None", ...]

# PyTorch's nodes that compute the gradients of all their inputs when one is needed.
ALL_AT_ONCE = frozenset(("CatBackward0", "StackBackward0"))


class NodeHooks:
    """The hooks of one node, in the order in which they run."""

    def __init__(self) -> None:
        self.before: Hooks = OrderedDict()
        self.after: Hooks = OrderedDict()

    def run(
        self,
        node: Node,
        arrived: Sequence[Tensor | None],
        retain_graph: bool,
        checked: Callable[[Node, Sequence[Tensor | None]], Gradients],
        needed: set[Node] | None,
    ) -> Sequence[Tensor | None]:
        """Run `node` with the hooks around it; `checked` makes its gradients fit their inputs.

        Of PyTorch's own nodes hooks see only the gradients that go on; if only some are `needed`,
        only those.
        """
        grads = after_hooks(self.before, tuple(arrived))
        if not self.after:
            return node._run(list(grads), retain_graph)
        # What was kept is there as long as hooks look, and stays if one of them fails.
        results = node._run(list(grads), True)
        fitted = checked(node, results)
        if node.is_built_in and node.name() not in ALL_AT_ONCE:
            fitted = tuple(
                [
                    grad if maker and (needed is None or maker in needed) else None
                    for maker, grad in zip(node._makers, fitted, strict=True)
                ]
            )
        is_tensor = node.arguments_that_are_tensors()
        seen = tuple([grad for grad, shown in zip(fitted, is_tensor, strict=True) if shown])
        replaced = iter(after_hooks(self.after, seen, grads))
        if not retain_graph:
            node.release()
        return [next(replaced) if shown else None for shown in is_tensor]


def of(node: Any) -> NodeHooks:
    """Return the hooks of `node`, to add to."""
    if node._node_hooks is None:
        node._node_hooks, node.has_hooks = NodeHooks(), True
    return node._node_hooks
