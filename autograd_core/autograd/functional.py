"""Derivatives of functions: `jacobian`, `hessian` and their products with vectors.

`func` takes and returns a tensor or a tuple of tensors, and results are nested likewise: J[i][j]
belongs to output i and input j. Without `create_graph` they have no history. With `strict`, an
output that does not depend on an input raises RuntimeError instead of having derivatives of zero.
(PyTorch: torch.autograd.functional.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autograd_core.autograd import forward_ad
from autograd_core.autograd import functional_messages as messages
from autograd_core.autograd.gradients import grad
from autograd_core.creation import zeros_like
from autograd_core.creation.ranges import eye
from autograd_core.modes.grad_mode import enable_grad, is_grad_enabled, set_grad_enabled
from autograd_core.ops.joining import stack
from autograd_core.tensor import Tensor

_Function = Callable[..., Any]
_Tensors = tuple[Tensor, ...]
_MODES = ("forward-mode", "reverse-mode")
_OUTPUTS = "outputs of the user-provided function"


def vjp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return (func(inputs), v J): `v` is shaped like the output, the product like the inputs.

    `v` may be left out if the output has a single element.
    """
    call = _Call("vjp", create_graph, strict)
    with enable_grad():
        several, points = call.points(inputs)
        outputs_several, outputs = call.outputs(func, points)
        v = call.vector(v, outputs, outputs_several, messages.V_NEEDED_OUTPUT)
    product = call.product(outputs, points, v, messages.OUTPUT, messages.JACOBIAN)
    return call.finished(outputs, outputs_several), call.finished(product, several)


def jvp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return (func(inputs), J v): `v` is shaped like the inputs, the product like the output.

    Computed by backward twice: u J is linear in u, and its gradient for u, given v, is J v.
    """
    call = _Call("jvp", create_graph, strict)
    with enable_grad():
        inputs_several, points = call.points(inputs)
        v = call.vector(v, points, inputs_several, messages.V_NEEDED_INPUT)
        several, outputs = call.outputs(func, points)
        u = tuple([zeros_like(each, requires_grad=True) for each in outputs])
        products = _gradients(outputs, points, u, True)
        call.require(products, messages.GRAD_INPUTS)
    product = call.product(products, u, v, messages.TRICK, messages.JACOBIAN)
    return call.finished(outputs, several), call.finished(product, several)


def vhp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return (func(inputs), v H) for a func with a scalar output, in the inputs' shapes."""
    call = _Call("vhp", create_graph, strict)
    with enable_grad():
        several, points = call.points(inputs)
        v = call.vector(v, points, several, messages.V_NEEDED_INPUT)
        outputs, gradients = call.first_order(func, points)
    product = call.product(gradients, points, v, messages.SECOND, messages.HESSIAN)
    return call.finished(outputs, False), call.finished(product, several)


def hvp(
    func: _Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return (func(inputs), H v) for a func with a scalar output, in the inputs' shapes.

    The same numbers as `vhp` if H is symmetric, at the cost of one more backward.
    """
    call = _Call("hvp", create_graph, strict)
    with enable_grad():
        several, points = call.points(inputs)
        v = call.vector(v, points, several, messages.V_NEEDED_INPUT)
        outputs, gradients = call.first_order(func, points)
        u = tuple([zeros_like(each, requires_grad=True) for each in points])
        products = _gradients(gradients, points, u, True)
    product = call.product(products, u, v, messages.SECOND_TRICK, messages.HESSIAN)
    return call.finished(outputs, False), call.finished(product, several)


def jacobian(
    func: _Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the derivative of each output by each input, of shape output.shape + input.shape.

    `vectorize`, by which PyTorch computes all rows at once, only matters for combining options.
    """
    assert strategy in _MODES, messages.STRATEGY
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(messages.FORWARD_WITH.format("create_graph"))
        if strict:
            raise RuntimeError(messages.FORWARD_WITH.format("strict"))
        several, points = _as_tuple(inputs, "inputs", "jacobian")
        if not vectorize:
            raise NotImplementedError(messages.FORWARD_NOT_VECTORIZED)
        return _forward_jacobian(func, points, several)
    call = _Call("jacobian", create_graph, strict)
    with enable_grad():
        several, points = call.points(inputs)
        outputs_several, outputs = call.outputs(func, points)
        if vectorize and strict:
            raise RuntimeError(messages.STRICT_VECTORIZED)
        rows = [
            call.finished(call.rows(i, output, points), several) for i, output in enumerate(outputs)
        ]
    return _nested(rows, outputs_several)


def hessian(
    func: _Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the second derivatives of a func with a scalar output: H[i][j] for inputs i and j.

    Computed as the Jacobian of the gradient.
    """
    call = _Call("hessian", create_graph, strict)
    several, inputs = _as_tuple(inputs, "inputs", "hessian")
    assert outer_jacobian_strategy in _MODES, messages.OUTER_STRATEGY

    def single(*args: Tensor) -> Tensor:
        return call.single(func, args)[0].squeeze()

    def gradient(*args: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            args = tuple([each.requires_grad_(True) for each in args])
        found = jacobian(single, args, create_graph=True)
        call.require(found, messages.GRADIENT)
        return found

    found = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return found if several else found[0][0]


class _Call(NamedTuple):
    """One call of these functions: its name and common options, and the steps they share."""

    caller: str
    create_graph: bool
    strict: bool

    def points(self, inputs: Any) -> tuple[bool, _Tensors]:
        """Return whether there are several inputs, and leaves to use instead of them."""
        several, tensors = _as_tuple(inputs, "inputs", self.caller)
        return several, self._leaves(tensors, True)

    def vector(self, v: Any, like: _Tensors, several: bool, needed: str) -> _Tensors | None:
        """Return `v` as a tuple; RuntimeError unless shaped as `like`, or if None but `needed`."""
        if v is None:
            if len(like) != 1 or like[0].numel() != 1:
                raise RuntimeError(needed)
            return None
        tensors = self._leaves(_as_tuple(v, "v", self.caller)[1], False)
        if len(tensors) != len(like):
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(tensors)}."
                if several
                else "The given v should contain a single Tensor."
            )
        for position, (have, want) in enumerate(zip(tensors, like, strict=True)):
            if have.shape != want.shape:
                where = f"Entry {position} in " if several else ""
                raise RuntimeError(
                    f"{where}v has invalid size: should be {want.shape} but got {have.shape}."
                )
        return tensors

    def _leaves(self, tensors: _Tensors, needed: bool) -> _Tensors:
        """Return new tensors instead of those given, to which `func` may have other references."""

        def leaf(each: Tensor) -> Tensor:
            if self.create_graph and each.requires_grad:
                return each.view_as(each)
            return each.detach().requires_grad_(needed)

        return tuple(map(leaf, tensors))

    def outputs(self, func: _Function, points: _Tensors) -> tuple[bool, _Tensors]:
        """Return whether `func` returns several tensors, and them."""
        several, outputs = _as_tuple(func(*points), _OUTPUTS, self.caller)
        self.require(outputs, messages.OUTPUTS)
        return several, outputs

    def single(self, func: _Function, points: _Tensors) -> _Tensors:
        """Return the only output of `func`; RuntimeError unless it has a single element."""
        several, outputs = self.outputs(func, points)
        if several:
            raise RuntimeError(f"The function given to {self.caller} should return a single Tensor")
        if outputs[0].numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {self.caller} should contain a "
                "single element"
            )
        return outputs

    def first_order(self, func: _Function, points: _Tensors) -> tuple[_Tensors, Any]:
        """Return the only output of `func` and its gradients, to be differentiated again."""
        outputs = self.single(func, points)
        gradients = _gradients(outputs, points, None, True)
        self.require(gradients, messages.GRADIENT)
        return outputs, gradients

    def require(self, tensors: Any, message: str) -> None:
        """Raise RuntimeError in strict mode if a tensor has no history."""
        for position, each in enumerate(tensors if self.strict else ()):
            if each is None:
                raise RuntimeError(messages.OUTPUT.format(position))
            if not each.requires_grad:
                raise RuntimeError(message.format(position))

    def check(self, found: Tensor | None, missing: str, constant: str) -> None:
        """Raise RuntimeError in strict mode for a gradient that depends on nothing."""
        if self.strict and found is None:
            raise RuntimeError(missing)
        if self.strict and self.create_graph and found is not None and not found.requires_grad:
            raise RuntimeError(constant)

    def product(
        self, outputs: Any, inputs: _Tensors, v: _Tensors | None, missing: str, constant: str
    ) -> list[Tensor]:
        """Return the gradients of `outputs` times `v`, checked, with zeros for None."""
        with set_grad_enabled(self.create_graph or is_grad_enabled()):
            found = _gradients(outputs, inputs, v, self.create_graph)
        for position, each in enumerate(found):
            self.check(each, missing.format(position), constant.format(position))
        pairs = zip(found, inputs, strict=True)
        return [zeros_like(other) if each is None else each for each, other in pairs]

    def finished(self, results: Sequence[Tensor], several: bool) -> Any:
        """Return the results, without history unless `create_graph` was given."""
        if not self.create_graph:
            results = [each.detach() for each in results]
        return _nested(results, several)

    def rows(self, number: int, output: Tensor, points: _Tensors) -> list[Tensor]:
        """Return the Jacobian of one output for each input, by one backward for each element."""
        rows: list[list[Tensor]] = [[] for _ in points]
        flat = output.reshape(-1)
        constant = messages.JACOBIAN.format(number)
        for j in range(output.numel()):
            found = _gradients((flat[j],), points, None, self.create_graph, retain_graph=True)
            for i, (each, point) in enumerate(zip(found, points, strict=True)):
                self.check(each, messages.INDEPENDENT.format(number, i), constant)
                rows[i].append(zeros_like(point) if each is None else each)
        return [
            stack(each).view(output.shape + point.shape)
            for each, point in zip(rows, points, strict=True)
        ]


def _nested(results: Sequence[Any], several: bool) -> Any:
    """Return several results as a tuple, else the only one; as in PyTorch, IndexError for none."""
    results = tuple(results)
    first = results[0]
    return results if several else first


def _as_tuple(value: Any, what: str, caller: str) -> tuple[bool, _Tensors]:
    """Return whether `value` is a tuple, and its tensors as a tuple; TypeError for other types."""
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


def _gradients(
    outputs: Sequence[Any], inputs: Sequence[Tensor], grads: Any, create_graph: bool, **options: Any
) -> tuple[Tensor | None, ...]:
    """Return the gradients of those outputs that have a history; None where nothing arrives."""
    pairs = [
        pair
        for pair in zip(outputs, grads or (None,) * len(outputs), strict=True)
        if pair[0] is not None and pair[0].requires_grad
    ]
    if not pairs:
        return (None,) * len(inputs)
    roots, given = zip(*pairs, strict=True)
    return grad(roots, inputs, given, create_graph=create_graph, allow_unused=True, **options)


def _forward_jacobian(func: _Function, points: _Tensors, several: bool) -> Any:
    """Return the Jacobian, column by column."""
    by_input, outputs_several = [], False
    for i, point in enumerate(points):
        columns = []
        for unit in units(point):
            outputs_several, tangents = _tangents(func, points, i, unit)
            columns.append(tangents)
        by_input.append(
            [
                # As in PyTorch, in memory column after column.
                stack(each).movedim(0, -1).reshape(each[0].shape + point.shape)
                for each in zip(*columns, strict=True)
            ]
        )
    by_output = [list(each) if several else each[0] for each in zip(*by_input, strict=True)]
    if not outputs_several:
        return by_output[0]
    # As in PyTorch, the results for several inputs are nested in lists here.
    return by_output if several else tuple(by_output)


def units(tensor: Tensor) -> list[Tensor]:
    """Return, for each element of a tensor, a tensor of its shape that is 1 there, else 0."""
    count = tensor.numel()
    return list(eye(count, dtype=tensor.dtype).view(count, *tensor.shape))


def _tangents(
    func: _Function, points: _Tensors, which: int, direction: Tensor
) -> tuple[bool, list[Tensor]]:
    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(each, direction if i == which else zeros_like(each))
            for i, each in enumerate(points)
        ]
        several, outputs = _as_tuple(func(*duals), "outputs", "None")
        unpacked = [forward_ad.unpack_dual(each) for each in outputs]
    return several, [zeros_like(p) if tangent is None else tangent for p, tangent in unpacked]
