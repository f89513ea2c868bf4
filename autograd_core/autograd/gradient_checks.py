"""The checks that `gradcheck` consists of; each raises GradcheckError.

Jacobians are matrices with a row for each element of the input and a column for each element of the
output. The numerical ones come from central differences, row by row:
J[i] = (f(x + eps e_i) - f(x - eps e_i)) / (2 eps). With `compare_fast` the Jacobians are multiplied
by random vectors first, v J u, which costs one difference for each input instead of one for each
element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy import ndindex

from autograd_core import creation
from autograd_core.autograd import forward_ad
from autograd_core.autograd import gradcheck_messages as messages
from autograd_core.autograd.functional import units
from autograd_core.autograd.gradients import grad
from autograd_core.function import Function
from autograd_core.messages import warn
from autograd_core.ops.joining import stack
from autograd_core.random.generator import Generator
from autograd_core.random.sampling import rand
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import float64


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` for wrong gradients."""

    # Where PyTorch has it, and users import it from.
    __module__ = "autograd_core.autograd.gradcheck"


class Check(NamedTuple):
    """One function at one point, and the tolerances for its gradients."""

    func: Callable[..., Any]
    inputs: tuple[Any, ...]
    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    grad_dtypes: bool

    @property
    def variables(self) -> list[Tensor]:
        """The inputs that require grad."""
        return [each for each in self.inputs if isinstance(each, Tensor) and each.requires_grad]

    def outputs(self) -> tuple[Any, ...]:
        """The outputs of the function."""
        return as_tuple(self.func(*self.inputs))

    def close(self, a: Tensor, b: Tensor, scale: float = 1.0) -> bool:
        """Return whether two results agree; `scale` multiplies the absolute tolerance."""
        return a.to(float64).allclose(b.to(float64), self.rtol, self.atol * scale)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Return the inputs or outputs of a function as a tuple."""
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def differentiable(outputs: Sequence[Any]) -> list[Tensor]:
    """Return the outputs that require grad."""
    return [each for each in outputs if each.requires_grad]


def _floating(outputs: Sequence[Any]) -> list[Tensor]:
    """Return the outputs that can have a gradient."""
    return [each for each in outputs if isinstance(each, Tensor) and each.is_floating_point()]


def _difference(check: Check, entry: Tensor, step: Any, on_index: str) -> list[Tensor]:
    """Return (f(x + step) - f(x - step)) / (2 eps) of each output that is a tensor, flat.

    `entry` is the part of x that is changed by `step`, and restored afterwards.
    """
    before = entry.clone()
    moved = []
    for there in (before - step, before + step):
        entry.copy_(there)
        moved.append([each.clone() for each in check.outputs() if isinstance(each, Tensor)])
    entry.copy_(before)
    for behind, ahead in zip(*moved, strict=True):
        for what in ("shape", "dtype"):
            a, b = getattr(behind, what), getattr(ahead, what)
            assert a == b, messages.PERTURBED.format(what, on_index, check.eps, a, b)
    # Also for outputs without a gradient: as in PyTorch, subtracting bools raises.
    changes = [ahead - behind for behind, ahead in zip(*moved, strict=True)]
    return [(each / (2 * check.eps)).detach().reshape(-1) for each in changes]


def _of_floating(values: Sequence[Tensor], outputs: Sequence[Any]) -> list[Tensor]:
    """Return those of the values, one for each tensor, that belong to floating outputs."""
    tensors = [each for each in outputs if isinstance(each, Tensor)]
    return [v for v, each in zip(values, tensors, strict=True) if each.is_floating_point()]


def numerical_jacobians(check: Check, variable: Tensor, outputs: Sequence[Any]) -> list[Tensor]:
    """Return the numerical Jacobian of each floating output of the function.

    As in PyTorch, they are mixed up if outputs without a gradient come before others.
    """
    # Through `.data`, so that the version counter does not notice the changes.
    data = variable.data
    jacobians = [
        creation.zeros(variable.numel(), each.numel(), dtype=each.dtype)
        for each in _floating(outputs)
    ]
    for number, i in enumerate(ndindex(*data.shape)):
        changes = _difference(check, data[i], check.eps, f"on index {i} ")
        for jacobian, change in zip(jacobians, changes, strict=False):
            jacobian[number] = change
    return jacobians


def _stacked(rows: Sequence[Sequence[Tensor]], outputs: tuple[Any, ...]) -> list[Tensor]:
    """Return a matrix with these rows, of which there may be none, for each floating output."""
    if not rows:
        return [creation.zeros(0, each.numel(), dtype=each.dtype) for each in _floating(outputs)]
    return [stack(each) for each in zip(*rows, strict=True)]


def _backward_rows(check: Check, output: Tensor, grads: Sequence[Tensor] | None) -> list[Tensor]:
    """Return, for each variable, the gradients that backward computes from `grads`, as columns."""
    # Units are made anew: backward may have changed those before.
    grads = units(output) if grads is None else grads
    variables = check.variables
    jacobians = [creation.zeros(each.numel(), len(grads), dtype=each.dtype) for each in variables]
    for i, each in enumerate(grads):
        row: Any = grad(output, variables, each, retain_graph=True, allow_unused=True)
        for variable, jacobian, found in zip(variables, jacobians, row, strict=True):
            if found is not None:
                if check.grad_dtypes and found.dtype is not variable.dtype:
                    raise GradcheckError("Analytical gradient has incorrect size")
                # Copied at once: backward may return the same memory the next time.
                jacobian[:, i] = found.detach().reshape(-1)
    return jacobians


def backward_twice(
    check: Check, output: Tensor, grads: Sequence[Tensor] | None = None
) -> tuple[list[Tensor], bool]:
    """Return the analytical Jacobian for each variable, and whether backward reproduces it.

    Without `grads` they are the units, so that the Jacobian is complete.
    """
    first, second = (_backward_rows(check, output, grads) for _ in range(2))
    pairs = zip(first, second, strict=True)
    distances = [float((a - b).abs().max()) for a, b in pairs if a.numel()]
    return first, not any(each > check.nondet_tol for each in distances)


def _backward_jacobians(
    check: Check, output: Tensor, grads: Sequence[Tensor] | None = None
) -> list[Tensor]:
    """Return the analytical Jacobian for each variable; GradcheckError if it varies."""
    found, same = backward_twice(check, output, grads)
    if not same:
        raise GradcheckError(messages.NOT_REENTRANT.format(check.nondet_tol))
    return found


def _duals(check: Check, tangents: Sequence[Tensor]) -> list[Any]:
    """Return the inputs, but duals with these tangents for those that require grad."""
    given = iter(tangents)
    return [
        forward_ad.make_dual(each.detach(), next(given).reshape(each.shape))
        if isinstance(each, Tensor) and each.requires_grad
        else each
        for each in check.inputs
    ]


def _tangents_of(check: Check, duals: Sequence[Any]) -> list[Tensor]:
    """Return the tangents of the floating outputs, flat."""
    unpacked = [forward_ad.unpack_dual(each) for each in _floating(as_tuple(check.func(*duals)))]
    return [
        creation.zeros_like(primal.detach()).reshape(-1)
        if tangent is None
        else tangent.detach().reshape(-1).to(primal.dtype, copy=True)
        for primal, tangent in unpacked
    ]


def _forward_jacobians(check: Check, outputs: tuple[Any, ...]) -> list[list[Any]]:
    """Return, for each variable, forward mode's Jacobian of each floating output."""
    rows = _pushed(check, [units(variable) for variable in check.variables])
    return [_stacked(each, outputs) for each in rows]


def _pushed(check: Check, directions: Sequence[Sequence[Tensor]]) -> list[list[list[Tensor]]]:
    """Return, for each variable, the outputs' tangents along each of its directions alone."""
    zeros = [creation.zeros_like(each) for each in check.variables]

    def pushed(j: int, direction: Tensor) -> list[Tensor]:
        with forward_ad.dual_level():
            return _tangents_of(check, _duals(check, [*zeros[:j], direction, *zeros[j + 1 :]]))

    return [[pushed(j, each) for each in several] for j, several in enumerate(directions)]


def compare(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    """Compare the Jacobians of backward, or of forward mode, with finite differences."""
    by_input = [numerical_jacobians(check, variable, outputs) for variable in check.variables]
    shown = differentiable(outputs)
    if not shown:
        if any(bool(jacobian.any()) for row in by_input for jacobian in row):
            raise GradcheckError(messages.NOT_ZERO)
        return
    # As in PyTorch, which counts all outputs on one side, and only floating ones on the other.
    pairs = zip(outputs, zip(*by_input, strict=True), strict=False)
    numerical = [jacobians for output, jacobians in pairs if output.requires_grad]
    pushed = _forward_jacobians(check, outputs) if forward else []
    for i in range(len(numerical if forward else shown)):
        found = [row[i] for row in pushed] if forward else _backward_jacobians(check, shown[i])
        for j, (a, n) in enumerate(zip(found, numerical[i], strict=True)):
            if not check.close(a, n):
                raise GradcheckError(_mismatch(i, j, n, a, forward))


def _mismatch(i: int, j: int, numerical: Any, analytical: Any, forward: bool) -> str:
    mode = "computed with forward mode " if forward else ""
    return messages.MISMATCH.format(mode, i, j, numerical, analytical)


def compare_fast(check: Check, outputs: tuple[Any, ...], forward: bool) -> None:
    """Compare products of the Jacobians with random vectors with finite differences."""
    shown = _floating(outputs) if forward else differentiable(outputs)
    drawn: list[Any] = _random_vectors(check.variables if forward else [*check.variables, *shown])
    directions = drawn[: len(check.variables)]
    weights = drawn[len(check.variables) :] or [None] * len(shown)
    changes = [
        _difference(check, variable.data, u.reshape(variable.shape) * check.eps, "")
        for variable, u in zip(check.variables, directions, strict=True)
    ]
    numerical = [_of_floating(row, outputs) for row in changes]
    if forward:
        analytical = [row for (row,) in _pushed(check, [[each] for each in directions])]
    else:
        if not shown and any(
            bool((each.abs() > check.nondet_tol).any()) for row in changes for each in row
        ):
            raise GradcheckError(messages.NOT_ZERO)
        rows = [
            _backward_jacobians(check, each, [v.reshape(each.shape)])
            for each, v in zip(shown, weights, strict=True)
        ]
        analytical = [[row[j].reshape(-1).dot(u) for row in rows] for j, u in enumerate(directions)]
    for j, u in enumerate(directions):
        # As in PyTorch, weights of outputs with a gradient meet changes of all floating ones.
        for i, (n, v) in enumerate(zip(numerical[j], weights, strict=False)):
            n = n if v is None else (v * n).sum()
            scale = float(u.sum()) * (1.0 if v is None else float(v.sum()))
            if not check.close(analytical[j][i], n, scale):
                slow = _slow_report(check, differentiable(outputs), i, j, forward)
                raise GradcheckError(_mismatch(i, j, n, analytical[j][i], forward) + slow)


def _random_vectors(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Return a vector of positive numbers of norm 1 for each tensor, the same at each call."""
    source = Generator()
    drawn = [rand(each.numel(), generator=source).to(each.dtype) for each in tensors]
    return [vector / vector.norm() for vector in drawn]


def _slow_report(check: Check, outputs: Sequence[Tensor], i: int, j: int, forward: bool) -> str:
    """Return what `compare` would see of output i and input j."""
    n = tuple(numerical_jacobians(check, check.variables[j], outputs))[i]
    if forward:

        def alone(x: Any) -> Any:
            inputs = [*check.inputs[:j], x, *check.inputs[j + 1 :]]
            return as_tuple(check.func(*inputs))[i]

        one = check._replace(func=alone, inputs=(check.inputs[j],))
        found = tuple(_forward_jacobians(one, (tuple(outputs)[i],)))
        a = found[0][0]
    else:
        a = _backward_jacobians(check._replace(nondet_tol=float("inf")), outputs[i])[j]
    text = messages.SLOW.format(n, a, (n - a).abs().max())
    return text + (messages.SLOW_AGREES if a.allclose(n, check.rtol, check.atol) else "")


def check_multiplies(check: Check, outputs: tuple[Any, ...], masked: bool) -> None:
    """Raise GradcheckError unless backward returns zeros for gradients of zeros."""
    for gradient in _gradients_of_zero(check, differentiable(outputs)):
        wrong = not gradient.allclose(creation.zeros_like(gradient)) if masked else gradient.any()
        if wrong:
            raise GradcheckError("backward not multiplied by grad_output")


def _gradients_of_zero(check: Check, outputs: Sequence[Tensor]) -> list[Tensor]:
    zeros = [creation.zeros_like(each) for each in outputs]
    found = grad(outputs, check.variables, zeros, allow_unused=True)
    return [each for each in found if each is not None]


class _UndefinedGrad(Function):
    """z = x;  dL/dx = None, as if nothing depended on z."""

    node_name = "torch::autograd::UndefinedGradBackward"

    @staticmethod
    def forward(ctx, x):
        return x.detach()

    @staticmethod
    def backward(ctx, g):
        return None


def check_undefined_grads(check: Check, outputs: tuple[Any, ...]) -> None:
    """Raise GradcheckError unless backward takes None for gradients of outputs."""
    count = len(differentiable(outputs))
    without = [range(count)] + ([range(i, i + 1) for i in range(count)] if count > 1 else [])
    for undefined in without:
        again = differentiable(check.outputs())
        roots = [_UndefinedGrad.apply(o) if i in undefined else o for i, o in enumerate(again)]
        try:
            found = _gradients_of_zero(check, roots)
        except RuntimeError as error:
            warn(messages.UNDEFINED_IS_NEW)
            raise GradcheckError(messages.UNDEFINED_UNHANDLED) from error
        if any(bool(each.any()) for each in found):
            warn(messages.UNDEFINED_IS_NEW)
            raise GradcheckError(messages.UNDEFINED_NOT_ZERO)


def check_undefined_tangents(check: Check) -> None:
    """Raise GradcheckError unless jvp takes None for a tangent, and treats it as zeros."""
    with forward_ad.dual_level():
        duals = _duals(check, _random_vectors(check.variables))
        for i, each in enumerate(check.inputs):
            if not isinstance(each, Tensor) or not each.requires_grad:
                continue
            plain = each.detach()
            given = [
                _tangents_of(check, [*duals[:i], other, *duals[i + 1 :]])
                for other in (forward_ad.make_dual(plain, creation.zeros_like(each)), plain)
            ]
            for j, (zeros, undefined) in enumerate(zip(*given, strict=True)):
                if not zeros.allclose(undefined):
                    # As in PyTorch, the error has several arguments, not one text.
                    raise GradcheckError(
                        "Mismatch in tangent values for output with index: ", j, " when input: ",
                        each, " has an undefined tangent value. ", " Got: ", zeros,
                        " but expected: ", undefined,
                    )  # fmt: skip
