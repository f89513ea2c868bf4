"""Derivatives of functions: `jacobian`, `hessian` and their products with vectors.

`func` takes and returns a tensor or a tuple of tensors, and results are nested likewise: J[i][j]
belongs to output i and input j. Without `create_graph` they have no history. With `strict`, what
does not depend on what it should raises RuntimeError instead of counting as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograd_core.autograd import forward_ad
from autograd_core.autograd import functional_messages as messages
from autograd_core.autograd.gradients import grad
from autograd_core.creation import zeros_like
from autograd_core.grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from autograd_core.ops.joining import stack
from autograd_core.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

_MODES = ("forward-mode", "reverse-mode")
_OUTPUTS = "outputs of the user-provided function"


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return (func(inputs), v J): `v` is shaped like the output, the product like the inputs.

    `v` may be left out where the output is a lone number. (PyTorch: autograd.functional.vjp.)
    """
    with enable_grad():
        several, points = _points(inputs, "vjp", create_graph)
        outputs_several, outputs = _evaluated(func, points, "vjp", strict)
        if v is None:
            if len(outputs) != 1 or outputs[0].numel() != 1:
                raise RuntimeError(messages.V_NEEDED_OUTPUT)
        else:
            v = _vector(v, outputs, outputs_several, "vjp", create_graph)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _gradients(outputs, points, v, create_graph=create_graph)
        product = _filled(found, points, strict, create_graph, messages.OUTPUT, messages.JACOBIAN)
    return _finished(outputs, outputs_several, create_graph), _finished(
        product, several, create_graph
    )


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return (func(inputs), J v): `v` is shaped like the inputs, the product like the output.

    By backward alone: u J is linear in u, and its gradient with respect to u, given v, is J v.
    (PyTorch: autograd.functional.jvp.)
    """
    with enable_grad():
        _, points, v = _points_and_vector(inputs, v, "jvp", create_graph)
        outputs_several, outputs = _evaluated(func, points, "jvp", strict)
        u = tuple([zeros_like(each, requires_grad=True) for each in outputs])
        products = _gradients(outputs, points, u, create_graph=True)
        _require(products, strict, messages.GRAD_INPUTS)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _gradients(products, u, v, create_graph=create_graph)
        product = _filled(found, outputs, strict, create_graph, messages.TRICK, messages.JACOBIAN)
    return _finished(outputs, outputs_several, create_graph), _finished(
        product, outputs_several, create_graph
    )


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return (func(inputs), v H) for a func that returns a lone number; all shaped like the inputs.

    (PyTorch: autograd.functional.vhp.)
    """
    with enable_grad():
        several, points, v = _points_and_vector(inputs, v, "vhp", create_graph)
        outputs, gradients = _first_order(func, points, "vhp", strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _gradients(gradients, points, v, create_graph=create_graph)
        product = _filled(found, points, strict, create_graph, messages.SECOND, messages.HESSIAN)
    return _finished(outputs, False, create_graph), _finished(product, several, create_graph)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """Return (func(inputs), H v) for a func that returns a lone number; all shaped like the inputs.

    The same numbers as `vhp` where H is symmetric, at the cost of one backward more. (PyTorch:
    autograd.functional.hvp.)
    """
    with enable_grad():
        several, points, v = _points_and_vector(inputs, v, "hvp", create_graph)
        outputs, gradients = _first_order(func, points, "hvp", strict)
        u = tuple([zeros_like(each, requires_grad=True) for each in points])
        products = _gradients(gradients, points, u, create_graph=True)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = _gradients(products, u, v, create_graph=create_graph)
        product = _filled(
            found, points, strict, create_graph, messages.SECOND_TRICK, messages.HESSIAN
        )
    return _finished(outputs, False, create_graph), _finished(product, several, create_graph)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the derivative of each output by each input, of shape output.shape + input.shape.

    `vectorize` changes nothing here but which options go together; PyTorch computes all rows at
    once. (PyTorch: autograd.functional.jacobian.)
    """
    assert strategy in _MODES, messages.STRATEGY
    if strategy == "forward-mode":
        _check_forward(create_graph, strict, vectorize)
        return _forward_jacobian(func, inputs)
    with enable_grad():
        several, points = _points(inputs, "jacobian", create_graph)
        outputs_several, outputs = _evaluated(func, points, "jacobian", strict)
        if vectorize and strict:
            raise RuntimeError(messages.STRICT_VECTORIZED)
        rows = [
            _finished(_rows(i, output, points, create_graph, strict), several, create_graph)
            for i, output in enumerate(outputs)
        ]
    return tuple(rows) if outputs_several else rows[0]


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the second derivatives of a func that returns a lone number: H[i][j] for inputs i, j.

    Computed as the Jacobian of the gradient. (PyTorch: autograd.functional.hessian.)
    """
    several, inputs = _as_tuple(inputs, "inputs", "hessian")
    assert outer_jacobian_strategy in _MODES, messages.OUTER_STRATEGY

    def single(*args: Tensor) -> Tensor:
        output = func(*args)
        outputs_several, outputs = _as_tuple(output, _OUTPUTS, "hessian")
        _require(outputs, strict, messages.OUTPUTS)
        _check_single(outputs_several, outputs, "hessian")
        return outputs[0].squeeze()

    def gradient(*args: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            args = tuple([each.requires_grad_(True) for each in args])
        found = jacobian(single, args, create_graph=True)
        _require(found, strict, messages.GRADIENT)
        return found

    found = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return found if several else found[0][0]


def _as_tuple(value: Any, what: str, caller: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Return whether `value` is a tuple of tensors, and it as one; TypeError for all else."""
    several = isinstance(value, tuple)
    tensors = value if several else (value,)
    for position, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            where = f"value at index {position}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {caller} must be either a Tensor or a tuple of Tensors but "
                f"the {where} has type {type(each)}."
            )
    return several, tensors


def _leaves(tensors: Sequence[Tensor], create_graph: bool, needed: bool) -> tuple[Tensor, ...]:
    """Return new tensors in place of those given, which `func` may hold by another name."""
    return tuple(
        [
            each.view_as(each)
            if create_graph and each.requires_grad
            else each.detach().requires_grad_(needed)
            for each in tensors
        ]
    )


def _points(inputs: Any, caller: str, create_graph: bool) -> tuple[bool, tuple[Tensor, ...]]:
    several, tensors = _as_tuple(inputs, "inputs", caller)
    return several, _leaves(tensors, create_graph, True)


def _points_and_vector(
    inputs: Any, v: Any, caller: str, create_graph: bool
) -> tuple[bool, tuple[Tensor, ...], Any]:
    several, points = _points(inputs, caller, create_graph)
    if v is not None:
        v = _vector(v, points, several, caller, create_graph)
    elif len(points) != 1 or points[0].numel() != 1:
        raise RuntimeError(messages.V_NEEDED_INPUT)
    return several, points, v


def _vector(
    v: Any, like: tuple[Tensor, ...], several: bool, caller: str, create_graph: bool
) -> tuple[Tensor, ...]:
    _, tensors = _as_tuple(v, "v", caller)
    tensors = _leaves(tensors, create_graph, False)
    if len(tensors) != len(like):
        raise RuntimeError(messages.wrong_length(len(like), len(tensors), several))
    for position, (have, want) in enumerate(zip(tensors, like, strict=True)):
        if have.shape != want.shape:
            where = f"Entry {position} in " if several else ""
            raise RuntimeError(
                f"{where}v has invalid size: should be {want.shape} but got {have.shape}."
            )
    return tensors


def _evaluated(
    func: Callable[..., Any], points: tuple[Tensor, ...], caller: str, strict: bool
) -> tuple[bool, tuple[Tensor, ...]]:
    several, outputs = _as_tuple(func(*points), _OUTPUTS, caller)
    _require(outputs, strict, messages.OUTPUTS)
    return several, outputs


def _first_order(
    func: Callable[..., Any], points: tuple[Tensor, ...], caller: str, strict: bool
) -> tuple[tuple[Tensor, ...], tuple[Any, ...]]:
    several, outputs = _evaluated(func, points, caller, strict)
    _check_single(several, outputs, caller)
    gradients = _gradients(outputs, points, None, create_graph=True)
    _require(gradients, strict, messages.GRADIENT)
    return outputs, gradients


def _check_single(several: bool, outputs: tuple[Tensor, ...], caller: str) -> None:
    if several:
        raise RuntimeError(f"The function given to {caller} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {caller} should contain a single element"
        )


def _require(tensors: Any, strict: bool, message: str) -> None:
    """Raise RuntimeError in strict mode if a tensor has no history."""
    if not strict:
        return
    for position, each in enumerate(tensors):
        if each is None:
            raise RuntimeError(messages.OUTPUT.format(position))
        if not each.requires_grad:
            raise RuntimeError(message.format(position))


def _gradients(
    outputs: Sequence[Any], inputs: Sequence[Tensor], grads: Any, **options: Any
) -> tuple[Tensor | None, ...]:
    """Return the gradients of those outputs that have a history; None where nothing arrives."""
    grads = (None,) * len(outputs) if grads is None else grads
    pairs = [
        pair
        for pair in zip(outputs, grads, strict=True)
        if pair[0] is not None and pair[0].requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    roots, given = zip(*pairs, strict=True)
    return grad(roots, inputs, given, allow_unused=True, **options)


def _filled(
    found: Sequence[Tensor | None],
    like: Sequence[Tensor],
    strict: bool,
    create_graph: bool,
    missing: str,
    constant: str,
) -> tuple[Tensor, ...]:
    """Return the gradients with zeros for None, or in strict mode raise RuntimeError for them."""
    for position, each in enumerate(found):
        if strict and each is None:
            raise RuntimeError(missing.format(position))
        if strict and create_graph and each is not None and not each.requires_grad:
            raise RuntimeError(constant.format(position))
    return tuple(
        [
            zeros_like(other) if each is None else each
            for each, other in zip(found, like, strict=True)
        ]
    )


def _finished(results: Sequence[Tensor], several: bool, create_graph: bool) -> Any:
    if not create_graph:
        results = [each.detach() for each in results]
    return tuple(results) if several else results[0]


def _rows(
    number: int, output: Tensor, points: tuple[Tensor, ...], create_graph: bool, strict: bool
) -> list[Tensor]:
    """Return the Jacobian of one output for each input, by one backward for each element."""
    rows: list[list[Tensor]] = [[] for _ in points]
    flat = output.reshape(-1)
    for j in range(output.numel()):
        found = _gradients((flat[j],), points, None, retain_graph=True, create_graph=create_graph)
        for i, (each, point) in enumerate(zip(found, points, strict=True)):
            if each is None and strict:
                raise RuntimeError(messages.INDEPENDENT.format(number, i))
            if each is not None and strict and create_graph and not each.requires_grad:
                raise RuntimeError(messages.JACOBIAN.format(number))
            rows[i].append(zeros_like(point) if each is None else each)
    return [
        stack(each).view(output.shape + point.shape)
        for each, point in zip(rows, points, strict=True)
    ]


def _check_forward(create_graph: bool, strict: bool, vectorize: bool) -> None:
    if create_graph:
        raise NotImplementedError(messages.FORWARD_CREATE_GRAPH)
    if strict:
        raise RuntimeError(messages.FORWARD_STRICT)
    if not vectorize:
        raise NotImplementedError(messages.FORWARD_NOT_VECTORIZED)


def _forward_jacobian(func: Callable[..., Any], inputs: Any) -> Any:
    """Return the Jacobian, column by column."""
    several, points = _as_tuple(inputs, "inputs", "jacobian")
    by_input = []
    outputs_several, outputs = _as_tuple(func(*points), "outputs", "None")
    for i, point in enumerate(points):
        columns = []
        for j in range(point.numel()):
            unit = zeros_like(point).reshape(-1)
            unit[j] = 1.0
            columns.append(_tangents(func, points, i, unit.view(point.shape)))
        by_input.append(
            [
                stack(each, -1).reshape(output.shape + point.shape)
                for each, output in zip(zip(*columns, strict=True), outputs, strict=True)
            ]
        )
    by_output = [list(each) if several else each[0] for each in zip(*by_input, strict=True)]
    if not outputs_several:
        return by_output[0]
    # PyTorch's nests are lists here.
    return by_output if several else tuple(by_output)


def _tangents(
    func: Callable[..., Any], points: tuple[Tensor, ...], which: int, direction: Tensor
) -> list[Tensor]:
    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(each, direction if i == which else zeros_like(each))
            for i, each in enumerate(points)
        ]
        _, outputs = _as_tuple(func(*duals), "outputs", "None")
        unpacked = [forward_ad.unpack_dual(each) for each in outputs]
    return [zeros_like(primal) if tangent is None else tangent for primal, tangent in unpacked]
