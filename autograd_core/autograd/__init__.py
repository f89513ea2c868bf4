"""`backward`, `grad`, `Function` and forward mode, under PyTorch's names."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from autograd_core import engine
from autograd_core.autograd import forward_ad, function
from autograd_core.creation import ones_like
from autograd_core.function import Function
from autograd_core.grad_mode import enable_grad, no_grad, set_grad_enabled
from autograd_core.node import Edge, gradient_edge
from autograd_core.tensor import Tensor

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "forward_ad",
    "function",
    "grad",
    "no_grad",
    "set_grad_enabled",
]


_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    *,
    inputs: Sequence[Tensor] | Tensor | None = None,
) -> None:
    """Accumulate the gradients of `tensors` into the leaves' `.grad`, or only into `inputs`.

    `grad_tensors` holds one gradient of the same shape for each tensor, None for single elements.
    Raises RuntimeError where PyTorch does. (PyTorch: torch.autograd.backward.)
    """
    if create_graph:
        warnings.warn(_CYCLE, UserWarning, stacklevel=2)
    roots = _as_tuple(tensors)
    grads = _initial_grads(roots, _as_tuple(grad_tensors, len(roots)), create_graph)
    targets = None
    if inputs is not None:
        targets = [gradient_edge(each) for each in _as_tuple(inputs)]
        if not targets:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    engine.run(
        _root_edges(roots),
        grads,
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=targets,
    )


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    is_grads_batched: bool = False,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """Return the gradients of `outputs` for `inputs`, and leave every `.grad` as it is.

    Raises RuntimeError for an input that plays no part, unless `allow_unused` (then None) or
    `materialize_grads` (then zeros). (PyTorch: torch.autograd.grad.)
    """
    if is_grads_batched:
        raise NotImplementedError("is_grads_batched=True needs vmap, which is out of scope here")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    roots, wanted = _as_tuple(outputs), _as_tuple(inputs)
    grads = _initial_grads(roots, _as_tuple(grad_outputs, len(roots)), create_graph)
    edges = _root_edges(roots)
    for each in wanted:
        if not each.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    results = engine.run(
        edges,
        grads,
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        targets=[gradient_edge(each) for each in wanted],
        accumulate=False,
    )
    if materialize_grads:
        from autograd_core.creation import zeros_like

        return tuple(
            [
                zeros_like(each) if result is None else result
                for result, each in zip(results, wanted, strict=True)
            ]
        )
    if not allow_unused:
        for position, result in enumerate(results):
            if result is None:
                raise RuntimeError(
                    f"The differentiated Tensor at index {position} appears to not have been used "
                    "in the graph. Set allow_unused=True if this is the desired behavior."
                )
    return tuple(results)


def _as_tuple(value: Any, length: int = 1) -> tuple[Any, ...]:
    if value is None:
        return (None,) * length
    return (value,) if isinstance(value, Tensor) else tuple(value)


def _root_edges(roots: tuple[Tensor, ...]) -> list[Edge]:
    for position, root in enumerate(roots):
        if not root.requires_grad:
            raise RuntimeError(
                f"element {position} of tensors does not require grad and does not have a grad_fn"
            )
    return [gradient_edge(root) for root in roots]


def _initial_grads(
    roots: tuple[Tensor, ...], grads: tuple[Any, ...], create_graph: bool
) -> list[Tensor]:
    if len(grads) < len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    return [_initial_grad(i, *pair) for i, pair in enumerate(zip(roots, grads, strict=False))]


def _initial_grad(position: int, root: Tensor, grad: Any) -> Tensor:
    if grad is None:
        if root.requires_grad and root.numel() != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return ones_like(root)
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    if grad.shape != root.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{position}] has a shape of {grad.shape} and "
            f"output[{position}] has a shape of {root.shape}."
        )
    return grad
