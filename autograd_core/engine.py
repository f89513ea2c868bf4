"""Backward: walk the graph from the roots to the leaves, each node once, without recursion."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from sys import getrefcount
from typing import Any

from numpy import ndarray

from autograd_core.forward_mode import levels
from autograd_core.graph.graph_task import GraphTask
from autograd_core.graph.nested_backward import in_a_thread, too_deep
from autograd_core.hooks.gradient_hooks import going_on
from autograd_core.messages import type_name
from autograd_core.modes import anomaly
from autograd_core.modes.grad_mode import mode
from autograd_core.node import NO_TENSOR, Edge, Node, metadata_of_scalar
from autograd_core.ops.reductions import sum_to
from autograd_core.ops.shape import expandable
from autograd_core.ownership import ALONE, add_to, sees_memory_alone
from autograd_core.tensor import Tensor

_NO_GRADIENT = "expected Variable or None (got {})"


def run(
    roots: Sequence[Edge],
    grads: Sequence[Tensor],
    *,
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[Edge] | None = None,
    accumulate: bool = True,
) -> list[Tensor | None]:
    """Send `grads` from `roots` through the graph.

    A node is ready when every node that feeds it has run; the latest made of the ready nodes runs
    first. Gradients that meet are added, in place only where nobody but the engine holds the sum.
    Without `targets` every leaf accumulates into its `.grad`. With `targets` only nodes on the way
    to them run; the targets accumulate, or with `accumulate=False` their gradients are returned,
    None for those that were not reached.
    """
    if too_deep():
        return in_a_thread(
            run, roots, grads, retain_graph=retain_graph, create_graph=create_graph,
            targets=targets, accumulate=accumulate,
        )  # fmt: skip
    needed = None if targets is None else _ancestors(roots, {node for node, _ in targets if node})
    # The gradients that have arrived so far at nodes that are not ready yet.
    buffers = _arrived_at_roots(roots, grads)
    if needed is not None and len(roots) > 1:
        # As in PyTorch, hooks of a root that leads to no target run only if it is the only root.
        buffers = {node: arrived for node, arrived in buffers.items() if node in needed}
    reached, missing = _survey(buffers, needed)
    ready: list[tuple[int, Node, list[Tensor | None]]] = []
    for node in list(buffers):
        if node not in missing:
            heappush(ready, (node._order, node, buffers.pop(node)))
    captured: dict[Edge, Tensor | None] = {}
    wanted = set() if accumulate else set(targets or ())

    # With `create_graph`, sums are recorded; while a level is open, they carry tangents.
    in_place = not create_graph and not levels.entered
    look_for_nan = anomaly.mode.enabled and anomaly.mode.check_nan
    results: Any
    only_root = roots[0][0] if len(roots) == 1 else None
    with GraphTask(reached, needed, wanted, create_graph, only_root) as task:
        modes = mode.__dict__
        enabled, fwd_enabled = modes["enabled"], modes["fwd_enabled"]
        while ready:
            _, node, arrived = heappop(ready)
            task.node = node
            if modes["enabled"] is not enabled or modes["fwd_enabled"] is not fwd_enabled:
                # A hook or a custom backward has set another mode, and left it set.
                task.set_modes()
            # Drop the last node's gradients: this node may reuse memory that nobody else holds.
            results = grad = data = None
            if needed is not None:
                runs = _runs(node, needed, accumulate)
                # As in PyTorch, only the hooks of a node that does not run change what is returned.
                if not runs:
                    node._run_hooks(arrived)
                _capture(captured, wanted, node, arrived)
                if not runs:
                    continue
            if node._has_hooks:
                node._run_hooks(arrived)
                hooks = node._node_hooks
                if hooks is None:
                    results = node._run(arrived, retain_graph)
                else:
                    results = hooks.run(node, arrived, retain_graph, _checked, needed)
                task.set_saved_tensor_hooks()
            else:
                results = node._run(arrived, retain_graph)
            if look_for_nan:
                anomaly.check_nan(node, going_on(node, _checked(node, results), needed))
            links, at = node._links, -1
            for output_nr in node._output_nrs:
                # Counted by hand: for one or two edges, `zip` would take longer than the rest.
                at += 1
                following, grad = links[at], results[at]
                if following is None or (needed is not None and following not in needed):
                    if grad is not None:
                        _check_unneeded(node, following, output_nr, grad, at)
                    continue
                metadata = following.output_metadata
                if grad is not None:
                    expected = metadata[output_nr]
                    if type(grad) is not Tensor or (
                        data.dtype is not expected[1] or data.shape != expected[0]
                        if type(data := grad._array) is ndarray
                        else metadata_of_scalar(type(data)) is not expected
                    ):
                        grad = _fitted(grad, expected, node, at)
                if following not in buffers:
                    buffer = [grad] if len(metadata) == 1 else _only(grad, output_nr, len(metadata))
                    if following in missing:
                        buffers[following] = buffer
                        continue
                else:
                    buffer = buffers[following]
                    if buffer[output_nr] is None:
                        buffer[output_nr] = grad
                    elif grad is not None:
                        _add_up(buffer, output_nr, grad, in_place)
                    missing[following] -= 1
                    if missing[following]:
                        continue
                    del buffers[following]
                heappush(ready, (following._order, following, buffer))
            # Only now that its gradients fit: what a failing node has saved can still be inspected.
            if not retain_graph and not node._freed:
                node._release()
    return [captured.get(edge) for edge in targets] if targets else []


def _arrived_at_roots(
    roots: Sequence[Edge], grads: Sequence[Tensor]
) -> dict[Node, list[Tensor | None]]:
    """Return for each root the gradients of its outputs, in the outputs' dtypes."""
    buffers: dict[Node, list[Tensor | None]] = {}
    for at, (root, output_nr) in enumerate(roots):
        grad = grads[at]
        assert root is not None
        metadata = root.output_metadata[output_nr]
        data = grad._array
        if data.shape != metadata[0] or (metadata[1] is not None and data.dtype is not metadata[1]):
            grad = _fitted(grad, metadata, None, at)
        buffer = buffers.setdefault(root, [None] * len(root.output_metadata))
        kept = buffer[output_nr]
        buffer[output_nr] = grad if kept is None else kept + grad
    return buffers


def _only(grad: Tensor | None, output_nr: int, outputs: int) -> list[Tensor | None]:
    return [grad if number == output_nr else None for number in range(outputs)]


def _add_up(buffer: list[Any], output_nr: int, grad: Tensor, in_place: bool) -> None:
    """Add `grad` to what has arrived before, in that tensor's memory if nobody else sees it."""
    kept = buffer[output_nr]
    # Clear the buffer's reference: if `kept` is the only one now, nobody else holds the tensor.
    buffer[output_nr] = None
    if (
        in_place
        and type(kept._array) is ndarray
        and getrefcount(kept) <= ALONE
        and sees_memory_alone(kept)
    ):
        add_to(kept, grad)
        buffer[output_nr] = kept
    else:
        buffer[output_nr] = kept + grad


def _runs(node: Node, needed: set[Node], accumulate: bool) -> bool:
    # A target with no other target beyond it does not run: only what arrives there is returned.
    if accumulate:
        return node in needed
    return any(following in needed for following in node._makers)


def _capture(
    captured: dict[Edge, Tensor | None],
    wanted: set[Edge],
    node: Node,
    arrived: Sequence[Tensor | None],
) -> None:
    for edge in wanted.intersection([(node, i) for i in range(len(arrived))]):
        captured[edge] = arrived[edge[1]]


def _survey(roots: Collection[Node], needed: set[Node] | None) -> tuple[set[Node], dict[Node, int]]:
    """Return the nodes that gradients reach and, where several meet, how many follow the first.

    At a root the first is there already.
    """
    reached, found = set(roots), list(roots)
    missing: dict[Node, int] = {}
    # The list grows during the loop.
    for node in found:
        for following in node._links[: len(node._output_nrs)]:
            if following is None or (needed is not None and following not in needed):
                continue
            if following in reached:
                missing[following] = missing.get(following, 0) + 1
            else:
                reached.add(following)
                found.append(following)
    return reached, missing


def _ancestors(roots: Sequence[Edge], targets: set[Node]) -> set[Node]:
    """Return the nodes on the way from `roots` to `targets`, including the targets."""
    feeders: dict[Node, list[Node]] = {}
    waiting = [node for node, _ in roots if node is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        for following in node._makers:
            if following is None:
                continue
            feeders.setdefault(following, []).append(node)
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    needed = targets & seen
    waiting = list(needed)
    while waiting:
        for feeder in feeders.get(waiting.pop(), ()):
            if feeder not in needed:
                needed.add(feeder)
                waiting.append(feeder)
    return needed


def _checked(node: Node, results: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
    """Return the gradients that a node returned, each in the shape and dtype of its input."""
    fitted = list(results)
    edges = zip(node._makers, node._output_nrs, results, strict=True)
    for at, (following, output_nr, grad) in enumerate(edges):
        if grad is not None and following is not None:
            fitted[at] = _fitted(grad, following.output_metadata[output_nr], node, at)
        elif grad is not None:
            _check_unneeded(node, following, output_nr, grad, at)
    return tuple(fitted)


def _fitted(grad: Any, metadata: tuple[Any, Any], node: Node | None, at: int) -> Tensor:
    """Return `grad` in the shape and dtype of the tensor it belongs to, or raise RuntimeError.

    `at` is its number among the results of `node`, or without a node among the roots' gradients.
    Dimensions that forward broadcast are summed here, so that no operator has to do it.
    """
    if not isinstance(grad, Tensor):
        raise RuntimeError(_NO_GRADIENT.format(type_name(grad)))
    shape, dtype = metadata
    if grad._array.shape != shape:
        _check_shape(grad, shape, node, at)
        grad = sum_to(grad, shape)
    return grad if dtype is None or grad._array.dtype == dtype else grad.to(dtype)


def _check_shape(grad: Tensor, shape: tuple[int, ...], node: Node | None, at: int) -> None:
    if not expandable(shape, grad._array.shape):
        where = ""
        if node is not None:
            # Arguments that are no tensors do not count.
            at = sum(node.arguments_that_are_tensors()[:at])
            where = f"Function {node.name()} returned an "
        raise RuntimeError(
            f"{where}invalid gradient at index {at} - got "
            f"{list(grad._array.shape)} but expected shape compatible with {list(shape)}"
        )


def _check_unneeded(node: Node, following: Node | None, output_nr: int, grad: Any, at: int) -> None:
    if output_nr == NO_TENSOR:
        # CopySlices returns what its operation has returned.
        function: Node = getattr(node, "operation", node)
        raise RuntimeError(
            f"function {function.name()} returned a gradient different than None at position "
            f"{at + 1}, but the corresponding forward input was not a Variable"
        )
    if not isinstance(grad, Tensor):
        raise RuntimeError(_NO_GRADIENT.format(type_name(grad)))
    if following is not None and not node.is_built_in:
        # PyTorch's own nodes do not even compute such a gradient.
        _check_shape(grad, following.output_metadata[output_nr][0], node, at)
