"""Backward: walk the graph from the roots to the leaves, each node once, without recursion."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from autograd_core import anomaly
from autograd_core.grad_mode import set_grad_enabled
from autograd_core.graph_task import GraphTask
from autograd_core.nesting import nestable
from autograd_core.node import Edge, Node
from autograd_core.tensor import Tensor

UNUSED = (
    "One of the differentiated Tensors appears to not have been used in the graph. "
    "Set allow_unused=True if this is the desired behavior."
)


@nestable
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

    A node runs when every node that feeds it has run, the latest made first. Gradients that meet
    are added into new tensors, never into one that somebody else may hold. Without `targets` every
    leaf accumulates into its `.grad`; with `targets` only nodes on the way to them run, and they
    accumulate too, or with `accumulate=False` their gradients are returned, None where unreached.
    """
    needed = None if targets is None else _ancestors(roots, {node for node, _ in targets if node})
    feeding = _count_feeding(roots, needed)
    buffers: dict[Node, list[Tensor | None]] = {}
    for (node, output_nr), grad in zip(roots, grads, strict=True):
        assert node is not None
        metadata = node.output_metadata[output_nr]
        if grad._array.dtype != metadata[1]:
            grad = _fitted(grad, metadata, node, grads)
        _add(buffers, node, output_nr, grad)
    ready = [(-node.sequence, node) for node in buffers if node not in feeding]
    heapq.heapify(ready)
    captured: dict[Edge, Tensor | None] = {}
    wanted = set() if accumulate else set(targets or ())

    task = GraphTask({*buffers, *feeding}, needed, wanted)
    with set_grad_enabled(create_graph), task:
        while ready:
            _, node = heapq.heappop(ready)
            task.node = node
            arrived = buffers.pop(node)
            runs = needed is None or _runs(node, needed, accumulate)
            if runs and wanted:
                # As in PyTorch: of a node that runs, the gradient is returned as it arrived.
                _capture(captured, wanted, node, arrived)
            if node.has_hooks:
                node.run_hooks(arrived)
            if not runs:
                _capture(captured, wanted, node, arrived)
                continue
            if node.hooks is None:
                results = node(*arrived)
            else:
                results = node.hooks.run(node, arrived, _checked)
            if not retain_graph:
                node.release()
            if anomaly.mode.enabled and anomaly.mode.check_nan:
                anomaly.check_nan(node, results)
            for (following, output_nr), result in zip(node.next_functions, results, strict=True):
                if following is None or (needed is not None and following not in needed):
                    continue
                if result is not None:
                    metadata = following.output_metadata[output_nr]
                    data = result._array
                    if data.shape != metadata[0] or data.dtype != metadata[1]:
                        result = _fitted(result, metadata, node, results)
                _add(buffers, following, output_nr, result)
                feeding[following] -= 1
                if not feeding[following]:
                    heapq.heappush(ready, (-following.sequence, following))
    return [captured.get(edge) for edge in targets or ()]


def _runs(node: Node, needed: set[Node], accumulate: bool) -> bool:
    # A node beyond which nothing is needed was only reached to read the gradient that arrives.
    return accumulate or any(following in needed for following, _ in node.next_functions)


def _capture(
    captured: dict[Edge, Tensor | None],
    wanted: set[Edge],
    node: Node,
    arrived: Sequence[Tensor | None],
) -> None:
    for edge in wanted.intersection([(node, i) for i in range(len(arrived))]):
        captured[edge] = arrived[edge[1]]


def _count_feeding(roots: Sequence[Edge], needed: set[Node] | None) -> dict[Node, int]:
    """Return how many edges lead to each node below the roots."""
    feeding: dict[Node, int] = {}
    waiting = list({node: None for node, _ in roots if node is not None})
    seen = set(waiting)
    while waiting:
        for following, _ in waiting.pop().next_functions:
            if following is None or (needed is not None and following not in needed):
                continue
            feeding[following] = feeding.get(following, 0) + 1
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return feeding


def _ancestors(roots: Sequence[Edge], targets: set[Node]) -> set[Node]:
    """Return the nodes below `roots` that are targets or have one below them."""
    feeders: dict[Node, list[Node]] = {}
    waiting = [node for node, _ in roots if node is not None]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        for following, _ in node.next_functions:
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


def _add(
    buffers: dict[Node, list[Tensor | None]], node: Node, output_nr: int, grad: Tensor | None
) -> None:
    buffer = buffers.get(node)
    if buffer is None:
        buffer = buffers[node] = [None] * len(node.output_metadata)
    kept = buffer[output_nr]
    if grad is not None:
        buffer[output_nr] = grad if kept is None else kept + grad


def _checked(node: Node, results: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
    """Return the gradients that a node returned, each in the shape and dtype of its input."""
    fitted = list(results)
    for at, (following, output_nr) in enumerate(node.next_functions):
        grad = fitted[at]
        if following is not None and grad is not None:
            fitted[at] = _fitted(grad, following.output_metadata[output_nr], node, results)
    return tuple(fitted)


def _fitted(
    grad: Tensor, metadata: tuple[Any, Any], node: Node, results: Sequence[Tensor | None]
) -> Tensor:
    """Return `grad` in the shape and dtype of the input it belongs to, or raise RuntimeError.

    Like PyTorch the engine forgives a gradient that was not summed over broadcast dimensions.
    """
    from autograd_core.ops.reductions import sum_to
    from autograd_core.ops.shape import expandable

    shape, dtype = metadata
    if not expandable(shape, grad._array.shape):
        position = next(i for i, result in enumerate(results) if result is grad)
        raise RuntimeError(
            f"Function {node.name()} returned an invalid gradient at index {position} - got "
            f"{list(grad._array.shape)} but expected shape compatible with {list(shape)}"
        )
    return sum_to(grad, shape).to(dtype)
