"""The graph: nodes that know how to go backward, and edges to the nodes that go next."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograd_core import anomaly, node_hooks
from autograd_core.hooks import (
    Hooks,
    RemovableHandle,
    add_hook,
    after_hooks,
    run_after_accumulation,
)

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor

Edge = tuple["Node | None", int]

_sequence = itertools.count()


class Node:
    """A recorded operation, as a tensor's `grad_fn`.

    `next_functions` are the edges towards the leaves, one for each tensor that went in: the node
    that made it (`None` where no gradient is needed) and which of that node's outputs it was.
    Called with one gradient per output, a node returns one per edge.
    """

    next_functions: tuple[Edge, ...] = ()
    # Shape and NumPy dtype of each output: what an arriving gradient has to look like.
    output_metadata: tuple[tuple[tuple[int, ...], Any], ...] = ()
    # Of the nodes that are ready, the one with the highest number goes first: the latest made.
    sequence: int = 0
    saved: tuple[Any, ...] = ()
    # Whether `run_hooks` has anything to do.
    has_hooks = False
    # Hooks around the node itself.
    hooks: node_hooks.NodeHooks | None = None

    # The hooks on outputs, with the output's number: several tensors may be the same output.
    _tensor_hooks: tuple[tuple[int, Hooks], ...] = ()
    _metadata: dict[str, Any] | None = None
    _retainers: dict[int, weakref.ref[Tensor]] | None = None

    def name(self) -> str:
        """Return the operation's name as PyTorch gives it, such as `MulBackward0`."""
        return "torch::autograd::" + type(self).__name__

    def __call__(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Return the gradients of the inputs, given those of the outputs."""
        raise NotImplementedError(f"{self.name()} has no backward")

    def release(self) -> None:
        """Forget what was saved for backward; it has been used."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    @property
    def metadata(self) -> dict[str, Any]:
        """What has been noted about this node, by anomaly mode or by the user."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    def _sequence_nr(self) -> int:
        return self.sequence

    def register_hook(self, fn: Any) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)`, two tuples, whenever this node has run.

        A tuple that it returns replaces `grad_inputs`.
        """
        return add_hook(node_hooks.of(self).after, fn)

    def register_prehook(self, fn: Any) -> RemovableHandle:
        """Call `fn(grad_outputs)`, a tuple, before this node runs, after the tensors' hooks.

        A tuple that it returns replaces `grad_outputs`.
        """
        return add_hook(node_hooks.of(self).before, fn)

    def _register_hook_dict(self, tensor: Tensor) -> None:
        """Serve the hooks of `tensor`, one of the outputs, from now on."""
        hooks = getattr(tensor, "_backward_hooks", None)
        if hooks is None:
            raise TypeError("_register_hook_dict expected a variable")
        self.has_hooks = True
        self._tensor_hooks = (*self._tensor_hooks, (tensor._output_nr, hooks))

    def retain(self, output_nr: int, tensor: Tensor) -> None:
        """Keep the gradient of output number `output_nr` in `tensor.grad` at each backward."""
        self.has_hooks = True
        if self._retainers is None:
            self._retainers = {}
        self._retainers[output_nr] = weakref.ref(tensor)

    def run_hooks(self, grads: list[Tensor | None]) -> None:
        """Let hooks see and replace the arriving gradients, then serve `retain_grad`."""
        for output_nr, hooks in self._tensor_hooks:
            grads[output_nr] = after_hooks(hooks, grads[output_nr])
        for output_nr, reference in (self._retainers or {}).items():
            tensor, grad = reference(), grads[output_nr]
            if tensor is not None and grad is not None:
                kept = tensor._grad
                tensor._grad = grad.clone() if kept is None else kept + grad


def next_sequence() -> int:
    """Return the next sequence number: nodes are numbered in the order of their making."""
    return next(_sequence)


class AccumulateGrad(Node):
    """The end of every path: adds what arrives to the `.grad` of a leaf, its `variable`."""

    has_hooks = True

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        data = variable._array
        self.output_metadata = ((data.shape, data.dtype),)
        self.sequence = next(_accumulators)
        if anomaly.mode.enabled:
            anomaly.remember(self)

    def _sequence_nr(self) -> int:
        return _LAST_OF_ALL

    def run_hooks(self, grads: list[Tensor | None]) -> None:
        """Let the variable's hooks see and replace the arriving gradient."""
        if self.variable._backward_hooks:
            grads[0] = after_hooks(self.variable._backward_hooks, grads[0])

    def __call__(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Add the gradient; from the second one on `variable.grad` stays the same tensor."""
        from autograd_core.grad_layout import room_for
        from autograd_core.grad_mode import mode

        (grad,) = grads
        variable = self.variable
        if grad is None or not variable.requires_grad:
            return ()
        if variable._grad_fn is not None:
            raise RuntimeError("leaf variable has been moved into the graph interior")
        kept = variable._grad
        if kept is None:
            variable._grad = room_for(variable, grad).copy_(grad)
        elif mode.enabled:
            variable._grad = kept + grad
        else:
            kept.add_(grad)
        if variable._post_accumulate_grad_hooks:
            run_after_accumulation(variable)
        return ()


# Above every sequence number: a gradient that is ready is accumulated before anything else runs.
_accumulators = itertools.count(1 << 62)
_LAST_OF_ALL = (1 << 64) - 1


def gradient_edge(tensor: Tensor) -> Edge:
    """Return where the gradient of `tensor` goes: to its `grad_fn`, or to its accumulator."""
    node = tensor.grad_fn
    if node is not None:
        return node, tensor._output_nr
    if not tensor._requires_grad:
        # Also a view without a history of its own, whose base was told to require grad later.
        return None, 0
    node = tensor._accumulator() if tensor._accumulator is not None else None
    if node is None:
        node = AccumulateGrad(tensor)
        tensor._accumulator = weakref.ref(node)
    return node, 0


def walk(root: Node) -> Iterator[Node]:
    """Yield each node that is reachable from `root` once, without recursion."""
    seen, waiting = {root}, [root]
    while waiting:
        node = waiting.pop()
        yield node
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)
