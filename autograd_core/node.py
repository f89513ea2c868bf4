"""The graph: nodes that know how to run backward, and edges to the nodes that run next.

A tensor's maker is the node at which its gradient arrives: its `grad_fn`, or a leaf's accumulator.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Iterator, Sequence
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_core.graph import input_metadata
from autograd_core.hooks.gradient_hooks import (
    NodeHooks,
    after_hooks,
    going_on,
    hooks_of,
    run_after_accumulation,
)
from autograd_core.hooks.handles import Hooks, RemovableHandle, add_hook
from autograd_core.modes import anomaly, grad_mode
from autograd_core.modes.grad_mode import mode
from autograd_core.ownership import ALONE, add_to
from autograd_core.rules.grad_layout import copied_for, lies_as_wanted, warn_of_layout
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.device import contiguous_format

Edge = tuple["Node | None", int]
# Shape and NumPy dtype of a tensor: what an arriving gradient has to look like.
Metadata = tuple[tuple[int, ...], Any]
# One object for all 0-d tensors of a dtype, so that the engine may compare by identity.
_SCALARS: dict[type, Metadata] = {
    kind: ((), np.dtype(kind)) for kind in (np.float32, np.float64, np.float16)
}
# By a NumPy scalar's type its metadata, and the `output_metadata` of a node with this one output;
# None for arrays. Bound methods, because looking up `.get` at every call takes longer.
metadata_of_scalar = _SCALARS.get
metadata_of_scalar_output = {kind: (metadata,) for kind, metadata in _SCALARS.items()}.get

# Instead of an output's number where no gradient goes: the argument is a tensor that requires none,
# no tensor, or a view without history whose base was made to require grad later.
UNNEEDED, NO_TENSOR, DEAD = -1, -2, -3
# Nodes share the usual tuples, so that long graphs hold fewer objects.
USUAL_OUTPUT_NRS = {
    numbers: numbers
    for length in (1, 2, 3)
    for numbers in itertools.product((0, UNNEEDED, NO_TENSOR), repeat=length)
}
usual_output_nrs = USUAL_OUTPUT_NRS.get
# How an edge that leads nowhere is shown.
_NOWHERE = None, 0
# Counts down: of the ready nodes, backward runs the one with the lowest number, the latest made.
order = itertools.count(0, -1)


class ReadOnly(property):
    """A property that refuses, in PyTorch's words, to be set or deleted."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __set__(self, node: Any, value: Any) -> None:
        kind = type(node).__name__ if node.is_built_in else "torch._C._FunctionBase"
        raise AttributeError(f"attribute '{self._name}' of '{kind}' objects is not writable")

    def __delete__(self, node: Any) -> None:
        self.__set__(node, None)


class Node:
    """A recorded operation, as a tensor's `grad_fn`.

    `next_functions` are the edges towards the leaves, one for each tensor that went in: the node
    that made it (`None` where no gradient is needed) and which of that node's outputs it was.
    Called with one gradient per output, a node returns one per edge.
    """

    # For each argument its maker, and which of its maker's outputs it was. What is saved for
    # backward (see `Context`) is in the same list as the makers, because Python's cyclic garbage
    # collector visits every container again and again:
    #
    #     _links       [maker of x, maker of y,  slot 0, slot 1, …]     () without arguments
    #     _output_nrs  (number,     number)
    _links: Any = ()
    _output_nrs: tuple[int, ...] = ()
    # False for nodes of custom Functions.
    is_built_in = True
    # For each output its `Metadata`, None if it is no tensor.
    output_metadata: tuple[Any, ...] = ()
    # From `order`; 1 if the node is not part of a graph.
    _order = 1
    saved_slots: tuple[Any, ...] = ()
    # Whether there is nothing (left) to free after backward.
    _freed: bool | None = True
    # Whether there are hooks or retained gradients to serve besides `_run`.
    _has_hooks = False
    # Hooks around the node itself.
    _node_hooks: NodeHooks | None = None

    # The hooks on outputs, with the output's number; several tensors may be the same output.
    _tensor_hooks: tuple[tuple[int, Hooks], ...] = ()
    _metadata: dict[str, Any] | None = None
    _retainers: dict[int, weakref.ref[Tensor]] | None = None

    def name(self) -> str:
        """Return the operation's name as PyTorch gives it, such as `MulBackward0`."""
        return "torch::autograd::" + type(self).__name__

    @property
    def _makers(self) -> Sequence[Node | None]:
        return self._links[: len(self._output_nrs)]

    @property
    def _edges(self) -> list[Edge]:
        return list(zip(self._makers, self._output_nrs, strict=True))

    @_edges.setter
    def _edges(self, edges: Sequence[Edge]) -> None:
        kept = self._links[len(self._output_nrs) :]
        self._links = [*[maker for maker, _ in edges], *kept]
        self._output_nrs = tuple([output_nr for _, output_nr in edges])

    @ReadOnly
    def requires_grad(self) -> bool:
        """True of every node: they are only made where a gradient is needed."""
        return True

    @ReadOnly
    def next_functions(self) -> tuple[Edge, ...]:
        """The edges towards the leaves, one for each tensor that went in."""
        return tuple(
            [
                _NOWHERE if maker is None else (maker, output_nr)
                for maker, output_nr in zip(self._links, self._output_nrs, strict=False)
                if output_nr != NO_TENSOR
            ]
        )

    def __call__(self, *grads: Tensor | None, **names: Any) -> Any:
        """Return the gradients of the inputs, given those of the outputs; TypeError for others."""
        if names:
            raise TypeError("keyword arguments are not supported")
        _check_arguments(grads, len(self.output_metadata))
        results = going_on(self, self._run(list(grads), True))
        shown = tuple(itertools.compress(results, self.arguments_that_are_tensors()))
        return shown[0] if len(shown) == 1 else shown

    def arguments_that_are_tensors(self) -> list[bool]:
        """Return for each edge whether it stands for a tensor, as all of `next_functions` do."""
        return [output_nr != NO_TENSOR for output_nr in self._output_nrs]

    def _run(self, grads: list[Tensor | None], retain_graph: bool) -> Sequence[Tensor | None]:
        """Return one gradient for each edge, given one for each output.

        Without `retain_graph` this is the last run, which may free what was saved as it reads it.
        """
        raise NotImplementedError(f"{self.name()} has no backward")

    def _release(self) -> None:
        """Free what was saved for backward."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    @ReadOnly
    def metadata(self) -> dict[str, Any]:
        """Notes on this node, by anomaly mode or by the user."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @ReadOnly
    def _input_metadata(self) -> tuple[Any, ...]:
        return tuple([input_metadata.shown(each) for each in self.output_metadata])

    def _sequence_nr(self) -> int:
        return -self._order

    def _set_sequence_nr(self, number: int) -> None:
        self._order = -number

    def register_hook(self, fn: Any) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)`, two tuples, whenever this node has run.

        A tuple that it returns replaces `grad_inputs`.
        """
        return add_hook(hooks_of(self).after, fn)

    def register_prehook(self, fn: Any) -> RemovableHandle:
        """Call `fn(grad_outputs)`, a tuple, before this node runs, after the tensors' hooks.

        A tuple that it returns replaces `grad_outputs`.
        """
        return add_hook(hooks_of(self).before, fn)

    def _register_hook_dict(self, tensor: Tensor) -> None:
        """Serve the hooks of `tensor`, one of the outputs, from now on."""
        hooks = getattr(tensor, "_backward_hooks", None)
        if hooks is None:
            raise TypeError("_register_hook_dict expected a variable")
        self._has_hooks = True
        self._tensor_hooks = (*self._tensor_hooks, (tensor._output_nr, hooks))

    def _retain(self, output_nr: int, tensor: Tensor) -> None:
        """Keep the gradient of output number `output_nr` in `tensor.grad` at each backward."""
        self._has_hooks = True
        if self._retainers is None:
            self._retainers = {}
        self._retainers[output_nr] = weakref.ref(tensor)

    def _run_hooks(self, grads: list[Tensor | None]) -> None:
        """Let hooks see and replace the arriving gradients, then serve `retain_grad`."""
        for output_nr, hooks in self._tensor_hooks:
            grads[output_nr] = after_hooks(hooks, grads[output_nr])
        if self._retainers is None:
            return
        for output_nr, reference in self._retainers.items():
            tensor, grad = reference(), grads[output_nr]
            if tensor is not None and grad is not None:
                kept = tensor._grad
                if kept is None:
                    tensor._grad = grad.clone(memory_format=contiguous_format)
                else:
                    tensor._grad = kept + grad


def metadata_of(data: Any) -> Metadata:
    """Return shape and dtype of NumPy data."""
    return metadata_of_scalar(type(data)) or (data.shape, data.dtype)


# Lower than all other numbers: an accumulator that is ready runs before all other nodes. Among
# several, Python's heap and PyTorch's choose alike.
FIRST = -(1 << 62)
# PyTorch's number for accumulators: there, the highest runs first.
_HIGHEST = (1 << 64) - 1
# A leaf may be in the graphs of several threads. Reentrant: garbage collection may run any code.
_one_at_a_time = threading.RLock()


class AccumulateGrad(Node):
    """The end of every path: adds what arrives to the `.grad` of a leaf, its `variable`."""

    _order = FIRST

    def __init__(self, variable: Tensor) -> None:
        self._variable = variable
        data = variable._array
        self.output_metadata = (metadata_of_scalar(type(data)) or (data.shape, data.dtype),)
        if variable._backward_hooks is not None:
            self._has_hooks = True
        if variable._grad_dtype is not ...:
            self.expect(variable._grad_dtype)
        if anomaly.mode.enabled:
            anomaly.remember(self)

    @ReadOnly
    def variable(self) -> Tensor:
        """The leaf whose `.grad` it adds to."""
        return self._variable

    def expect(self, dtype: Any) -> None:
        """Expect gradients of another dtype than the variable's, or of any dtype if it is None."""
        shape = self._variable._array.shape
        self.output_metadata = ((shape, dtype if dtype is None else dtype.numpy),)

    @ReadOnly
    def _input_metadata(self) -> tuple[Any, ...]:
        # The variable's own dtype, even if its `grad_dtype` is another.
        return (input_metadata.shown(metadata_of(self._variable._array)),)

    def __lt__(self, other: Any) -> bool:
        # The heap compares nodes whose numbers are equal, as those of accumulators are.
        return False

    def _sequence_nr(self) -> int:
        return _HIGHEST

    def _run_hooks(self, grads: list[Tensor | None]) -> None:
        """Let the variable's hooks see and replace the arriving gradient."""
        if self._variable._backward_hooks:
            grads[0] = after_hooks(self._variable._backward_hooks, grads[0])

    def _run(self, grads: list[Tensor | None], retain_graph: bool) -> Sequence[Tensor | None]:
        """Add the gradient, in place from the second one on unless it is differentiated itself.

        Post-accumulate-grad hooks run even if there was nothing to add.
        """
        grad = grads.pop()
        variable = self._variable
        if grad is not None and (variable._requires_grad or variable.requires_grad):
            if variable._grad_fn is not None:
                raise RuntimeError("leaf variable has been moved into the graph interior")
            with _one_at_a_time:
                kept = variable._grad
                if kept is None:
                    alone = mode.enabled is False and getrefcount(grad) <= ALONE
                    variable._grad = _own(grad, variable) if alone else copied_for(variable, grad)
                else:
                    if mode.enabled is not False:
                        variable._grad = kept = kept + grad
                    else:
                        add_to(kept, grad)
                    if kept._array.strides != variable._array.strides:
                        warn_of_layout(variable, kept)
        if variable._post_accumulate_grad_hooks:
            run_after_accumulation(variable)
        return ()


def _own(grad: Tensor, leaf: Tensor) -> Tensor:
    """Return `grad`, which nobody else holds, as the leaf's `.grad`: without a copy if possible.

    As in PyTorch, another tensor on the same memory sees the gradients that are added later.
    """
    data = grad._array
    if not isinstance(data, np.ndarray):
        return grad.detach() if grad_mode.inference_used else wrap(data)
    if (lies_as_wanted(leaf, data) or not mode.layout_enforced) and data.flags.writeable:
        return wrap(data) if grad._shared is None else grad.detach()
    return copied_for(leaf, grad)


def gradient_edge(tensor: Tensor) -> Edge:
    """Return where the gradient of `tensor` goes: to its `grad_fn`, or to its accumulator."""
    node = tensor.grad_fn
    if node is not None:
        return node, tensor._output_nr
    if not tensor._requires_grad:
        # DEAD is a view without history whose base was made to require grad later.
        return None, DEAD if tensor.requires_grad else UNNEEDED
    return accumulator_of(tensor), 0


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """Return the accumulator of `leaf`, the same one as long as anybody holds it."""
    before = leaf._accumulator
    node = before() if before is not None else None
    if node is None:
        with _one_at_a_time:
            if leaf._accumulator is not before:
                # Another thread has made one by now.
                return accumulator_of(leaf)
            node = AccumulateGrad(leaf)
            leaf._accumulator = weakref.ref(node)
    return node


def walk(root: Node) -> Iterator[Node]:
    """Yield each node that is reachable from `root` once, without recursion."""
    seen, waiting = {root}, [root]
    while waiting:
        node = waiting.pop()
        yield node
        for following in node._makers:
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)


def _check_arguments(grads: tuple[Any, ...], expected: int) -> None:
    if len(grads) != expected:
        raise TypeError(f"expected {expected} arguments, got {len(grads)} instead")
    for position, grad in enumerate(grads):
        if grad is not None and not isinstance(grad, Tensor):
            raise TypeError(f"argument {position} is not a Variable")
