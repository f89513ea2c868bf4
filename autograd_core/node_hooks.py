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


class NodeHooks:
    """The hooks of one node, in the order in which they run."""

    def __init__(self) -> None:
        self.before: Hooks = OrderedDict()
        self.after: Hooks = OrderedDict()

    def run(
        self,
        node: Node,
        arrived: Sequence[Tensor | None],
        checked: Callable[[Node, Gradients], Gradients],
    ) -> Gradients:
        """Run `node` with the hooks around it; `checked` makes its gradients fit their inputs."""
        grads = after_hooks(self.before, tuple(arrived))
        results = node(*grads)
        if not self.after:
            return results
        return after_hooks(self.after, checked(node, results), grads)


def of(node: Any) -> NodeHooks:
    """Return the hooks of `node`, to add to."""
    if node.hooks is None:
        node.hooks = NodeHooks()
    return node.hooks
