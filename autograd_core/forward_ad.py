"""Forward mode: dual tensors carry a tangent, and every operator pushes it forward with `jvp`."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from autograd_core.creation import zeros_of
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.function import FunctionCtx


class _Level(threading.local):
    depth = 0


_level = _Level()
# How many levels are open in all threads: while it is 0, no operator looks for tangents.
levels_open = 0


class UnpackedDualTensor(NamedTuple):
    """A dual tensor's two halves; `tangent` is None where the input plays no part."""

    primal: Tensor
    tangent: Tensor | None


def active() -> bool:
    """Return whether a `dual_level` is open in this thread."""
    return _level.depth > 0


@contextlib.contextmanager
def dual_level() -> Iterator[int]:
    """Open the level in which dual tensors live; PyTorch too allows one at a time."""
    if _level.depth:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    global levels_open
    _level.depth = 1
    levels_open += 1
    try:
        yield 0
    finally:
        levels_open -= 1
        _level.depth = 0
        _duals.tensors.clear()


def make_dual(tensor: Tensor, tangent: Tensor) -> Tensor:
    """Return a view of `tensor` that carries `tangent`, of the same shape and dtype.

    Raises RuntimeError outside of `dual_level` and when the shapes differ.
    """
    if not active():
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            f"Expected tangent to have the same shape as primal, but got primal of size: "
            f"{list(tensor.shape)} and tangent of size: {list(tangent.shape)}"
        )
    dual = tensor.view_as(tensor)
    _attach(dual, tangent)
    return dual


def unpack_dual(tensor: Tensor) -> UnpackedDualTensor:
    """Return primal and tangent of a tensor."""
    primal = tensor.view_as(tensor)
    _duals.tensors.pop(id(primal), None)
    return UnpackedDualTensor(primal, _tangent(tensor))


def push_tangents(ctx: FunctionCtx, args: tuple[Any, ...], output: Any) -> None:
    """Give the outputs of a Function their tangents, if one of its inputs has one."""
    if not active():
        return
    tangents = [_tangent(arg) if isinstance(arg, Tensor) else None for arg in args]
    if all(tangent is None for tangent in tangents):
        return
    for position, (arg, tangent) in enumerate(zip(args, tangents, strict=True)):
        if isinstance(arg, Tensor) and tangent is None and ctx._function.node_name:
            tangents[position] = zeros_of(arg._array.shape, arg._array.dtype)
    # The tangents are computed from the primals alone: inside, no tensor is dual.
    _level.depth = 0
    try:
        result = ctx._function.jvp(ctx, *tangents)
    finally:
        _level.depth = 1
    outputs = output if isinstance(output, tuple) else (output,)
    results = result if isinstance(result, tuple) else (result,)
    for each, tangent in zip(outputs, results, strict=True):
        if isinstance(each, Tensor) and tangent is not None:
            _attach(each, tangent)


class _Duals(threading.local):
    """The tangents of this level; forgotten when it closes."""

    def __init__(self) -> None:
        self.tensors: dict[int, tuple[Tensor, Tensor]] = {}


_duals = _Duals()


def _attach(tensor: Tensor, tangent: Tensor) -> None:
    # Holding the tensor keeps its id from being given to another one while the level is open.
    _duals.tensors[id(tensor)] = (tensor, tangent)


def _tangent(tensor: Tensor) -> Tensor | None:
    entry = _duals.tensors.get(id(tensor))
    return None if entry is None else entry[1]
