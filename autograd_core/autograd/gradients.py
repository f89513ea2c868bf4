"""`backward` and `grad`: they check their arguments, and the engine does the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import count
from operator import index
from typing import Any

from autograd_core import engine
from autograd_core.creation import ones_of, zeros_like
from autograd_core.messages import warn, warn_once
from autograd_core.node import Edge, Node, gradient_edge
from autograd_core.tensor import Size, Tensor

_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
_BOTH = (
    "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
    "Please only use `grad_tensors`."
)
_ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
_NO_ZEROS = "materialize_grads cannot be used when the given input is a GradientEdge"


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Accumulate the gradients of `tensors` into the leaves' `.grad`, or only into `inputs`.

    `tensors` and `inputs` are tensors, gradient edges or sequences of them. `grad_tensors` holds
    one gradient of the same shape for each tensor; None will do for a tensor of one element.
    Non-leaf inputs retain their gradient. Raises RuntimeError where PyTorch does. (PyTorch:
    torch.autograd.backward.)
    """
    if grad_variables is not None:
        warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
        if grad_tensors is not None:
            raise RuntimeError(_BOTH)
        grad_tensors = grad_variables
    wanted = None if inputs is None else _wanted(inputs, "backward")
    roots = _as_tuple(tensors)
    grads = _initial_grads(roots, grad_tensors)
    # By `index`, as in PyTorch: integers are accepted, None and strings are not.
    create_graph = index(create_graph) != 0
    retain = create_graph if retain_graph is None else index(retain_graph) != 0
    edges = _root_edges(roots, grads)
    targets = None
    if wanted is not None:
        refusal = "can't retain_grad on Tensor that has requires_grad=False"
        targets = _target_edges(wanted, refusal, retain=True)
    if create_graph:
        warn_once(_CYCLE)
    engine.run(edges, grads, retain_graph=retain, create_graph=create_graph, targets=targets)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Return the gradients of `outputs` for `inputs`, and leave every `.grad` as it is.

    Both are tensors, gradient edges or sequences of them; a dict of inputs gives a dict. Raises
    RuntimeError for an input that was not used, unless `allow_unused` (then None) or
    `materialize_grads` (then zeros). (PyTorch: torch.autograd.grad.)
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    roots, wanted = _as_tuple(outputs), _wanted(inputs, "grad")
    if not only_inputs:
        warn(_ONLY_INPUTS, FutureWarning)
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched=True needs vmap, which is out of scope here")
    grads = _initial_grads(roots, grad_outputs)
    edges = _root_edges(roots, grads)
    create_graph = index(create_graph) != 0
    retain = create_graph if retain_graph is None else index(retain_graph) != 0
    unused = index(materialize_grads if allow_unused is None else allow_unused)
    targets = _target_edges(wanted, "One of the differentiated Tensors does not require grad")
    modes: Any = {"create_graph": create_graph, "targets": targets, "accumulate": False}
    results = engine.run(edges, grads, retain_graph=retain, **modes)
    for position, result in enumerate(results):
        if result is None and materialize_grads:
            if not isinstance(wanted[position], Tensor):
                raise RuntimeError(_NO_ZEROS)
            results[position] = zeros_like(wanted[position], requires_grad=create_graph)
        elif result is None and not unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {position} appears to not have been used "
                "in the graph. Set allow_unused=True if this is the desired behavior."
            )
    if type(inputs) is dict:
        return dict(zip(inputs, results, strict=True))
    return tuple(results)


def _is_edge(value: Any) -> bool:
    # By its attributes, because `autograd.graph`, which defines it, may not be imported yet.
    return isinstance(value, tuple) and hasattr(value, "node") and hasattr(value, "output_nr")


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, Tensor) or _is_edge(value) else tuple(value)


def _wanted(inputs: Any, caller: str) -> tuple[Any, ...]:
    if type(inputs) is dict:
        inputs = inputs.values()
    elif isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{caller}()` must be a dict, not {type(inputs).__name__}. "
            "Other Mapping types are not supported."
        )
    wanted = _as_tuple(inputs)
    if not wanted:
        raise RuntimeError(f"`inputs` argument to `{caller}()` cannot be empty.")
    return wanted


def _target_edges(wanted: tuple[Any, ...], refusal: str, retain: bool = False) -> list[Edge]:
    for each in wanted:
        if not isinstance(each, Tensor) and not _is_edge(each):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(each).__name__}"
            )
    for each in wanted:
        if isinstance(each, Tensor) and each.grad_fn is None and not each.requires_grad:
            raise RuntimeError(refusal)
        if not isinstance(each, Tensor) and not isinstance(each.node, Node):
            raise RuntimeError(
                "GradientEdge's first object must be an autograd.graph.Node but got "
                f"{type(each.node).__name__}"
            )
        if retain and isinstance(each, Tensor) and not each.is_leaf:
            each.retain_grad()
    return [_edge(each) for each in wanted]


def _edge(value: Any) -> Edge:
    return gradient_edge(value) if isinstance(value, Tensor) else (value.node, value.output_nr)


def _root_edges(roots: tuple[Any, ...], grads: Sequence[Any]) -> list[Edge]:
    if len(grads) != len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    edges = []
    for position, root in enumerate(roots):
        edge = _edge(root)
        # None also for a view without a history whose base was made to require grad later.
        if edge[0] is None:
            raise RuntimeError(
                f"element {position} of tensors does not require grad and does not have a grad_fn"
            )
        edges.append(edge)
    return edges


def _initial_grads(roots: tuple[Any, ...], grads: Any) -> list[Any]:
    grads = (None,) * len(roots) if grads is None else _as_tuple(grads)
    return list(map(_initial_grad, count(), roots, grads))


def _initial_grad(position: int, root: Any, grad: Any) -> Any:
    if isinstance(root, Tensor):
        data = root._array
        shape, dtype = data.shape, data.dtype
    else:
        assert _is_edge(root), "Expected output to be a torch.Tensor"
        arriving = root.node._input_metadata[root.output_nr]
        shape, dtype = tuple(arriving.shape), arriving.dtype.numpy
    if grad is None:
        if shape and math.prod(shape) != 1:
            if isinstance(root, Tensor) and not root.requires_grad:
                # As in PyTorch, this is refused later.
                return None
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return ones_of(shape, dtype)
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if grad._array.shape != shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{position}] has a shape of {grad.shape} and "
            f"output[{position}] has a shape of {Size(shape)}."
        )
    return grad
