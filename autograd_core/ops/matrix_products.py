"""The products of vectors and matrices of given ranks: mm, mv, dot, bmm, addmm, outer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import add
from numpy import matmul as _matmul

from autograd_core.creation import fitting, plain_number
from autograd_core.messages.arguments import refuse_stale
from autograd_core.ops.arithmetic import MulNumber, knowing
from autograd_core.ops.blocks import AT_ONCE, product_by_blocks
from autograd_core.ops.operator import Operator
from autograd_core.ops.quiet import quiet_context
from autograd_core.ops.reusing import is_plain_value
from autograd_core.ops.rounding import EXACT_UP_TO
from autograd_core.ops.shape import expanded_shape
from autograd_core.tensor import Tensor, wrap
from autograd_core.tensors.dtypes import no_kernel

# The order in which more terms than this are added differs between processors, in PyTorch as well;
# small products of matrices, as in lessons, should show the same digits everywhere.
_FEW = 4
_AS_THEY_ARE = "fd"
# PyTorch's kernels, by the dimensions of the factors.
_KERNELS = {(1, 1): "dot", (2, 1): "addmv_impl_cpu", (2, 2): "addmm_impl_cpu_", (3, 3): "bmm"}


class Product(Operator):
    """Z = X Y, so that dZ = dX Y + X dY; a factor is saved if the other one's gradient needs it.

    Or another product; backward finds its other `arguments` on ctx.
    """

    node_name = ""
    # The product as a function, which raises for factors that do not fit.
    function: Any = classmethod(lambda cls, *args: cls.apply(*args))

    @staticmethod
    def forward(x, y):
        return wrap(product(x._array, y._array))

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, *ctx.arguments = inputs
        to_x, to_y, *_ = ctx.needs_input_grad
        ctx.keep((x if to_y else None, y if to_x else None))

    @classmethod
    def jvp(cls, ctx, dx, dy, *_):
        x, y = ctx.saved_tensors
        return cls.function(dx, y, *ctx.arguments) + cls.function(x, dy, *ctx.arguments)


class Mm(Product):
    """Z = X Y;  dL/dX = G Y^T,  dL/dY = X^T G."""

    saved_names = ("self", "mat2")

    @staticmethod
    def setup_context(ctx, inputs, output):
        Product.setup_context(ctx, inputs, output)
        ctx.layouts = _layouts_of(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return _slopes(x, y, g, ctx)


def _slopes(
    x: Tensor | None, y: Tensor | None, g: Tensor, ctx: Any
) -> tuple[Tensor | None, Tensor | None]:
    """Return G Y^T and X^T G, each if its factor was kept.

    They have the memory layout of X and Y, of which either may be a transposed weight. If they will
    not be differentiated, no operators are applied, and transposed factors are NumPy's views.
    """
    of_x, steps_of_x, of_y, steps_of_y = ctx.layouts
    by_columns = _by_columns(of_x, steps_of_x, g), _by_columns(of_y, steps_of_y, g)
    if is_plain_value():
        try:
            return quiet_context().run(_plain_slopes, x, y, g._array, by_columns)
        except ValueError:
            # A factor's `.data` was set to another shape: the operators raise PyTorch's error.
            pass
    slopes: list[Tensor | None] = [None, None]
    # In PyTorch's order: it decides in which order a second backward adds gradients to g's.
    for position in (1, 0) if ctx._function is Mm else (0, 1):
        if position and x is not None:
            slopes[1] = g.t().mm(x).t() if by_columns[1] else x.t().mm(g)
        elif not position and y is not None:
            slopes[0] = y.mm(g.t()).t() if by_columns[0] else g.mm(y.t())
    return slopes[0], slopes[1]


def _by_columns(shape: tuple[int, ...], steps: tuple[int, ...], like: Tensor) -> bool:
    """Return whether a matrix is stored column by column, by PyTorch's test."""
    step = like._array.itemsize
    return steps == (step, step * shape[0])


def _plain_slopes(
    x: Any, y: Any, g: Any, by_columns: tuple[bool, bool]
) -> tuple[Tensor | None, Tensor | None]:
    first, second = by_columns
    return (
        None if y is None else wrap(product(g, y._array.T, "F" if first else "C")),
        None if x is None else wrap(product(x._array.T, g, "F" if second else "C")),
    )


def _layouts_of(x: Tensor, y: Tensor) -> tuple[Any, ...]:
    """Return the shapes of two factors and their strides in bytes."""
    a, b = x._array, y._array
    return a.shape, a.strides, b.shape, b.strides


class Mv(Product):
    """z = X y;  dL/dX = g y^T,  dL/dy = X^T g."""

    saved_names = ("self", "vec")

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return None if y is None else outer(g, y), None if x is None else x.t().mv(g)


class Dot(Product):
    """z = x . y;  dL/dx = g * y,  dL/dy = g * x."""

    saved_names, materialize_grads = ("self", "tensor"), False

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return None if y is None else g * y, None if x is None else g * x

    @classmethod
    def jvp(cls, ctx, dx, dy):
        # Unlike other products, it multiplies nothing by a missing tangent, not even infinity.
        if dx is not None and dy is not None:
            return super().jvp(ctx, dx, dy)
        x, y = ctx.saved_tensors
        return knowing(dot(dx, y), x.sum()) if dy is None else knowing(dot(x, dy), y.sum())


class Bmm(Product):
    """Z = X Y for stacks of matrices;  dL/dX = G Y^T,  dL/dY = X^T G."""

    saved_names = ("self", "mat2")

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        by_y = None if x is None else x.transpose(1, 2).bmm(g)
        return None if y is None else g.bmm(y.transpose(1, 2)), by_y


class Addmm(Operator):
    """Z = b B + a X Y;  dL/dB = b G summed to its shape,  dL/dX = a G Y^T,  dL/dY = a X^T G."""

    saved_names = ("", "mat1", "mat2")

    @staticmethod
    def forward(bias, x, y, *scales):
        a, b, added = x._array, y._array, bias._array
        z = product(a, b)
        if scales:
            beta, alpha = scales
            kind = z.dtype.type
            # If alpha is 0, the product does not count, except in float16 and in stacks.
            none = not alpha and z.ndim == 2 and kind is not np.float16
            z = np.zeros_like(z) if none else z * kind(alpha)
            # As in PyTorch, the input does not count if beta is 0, not even its nan.
            added = added * kind(beta) if beta else kind(0)
        return wrap(add(z, added, out=z))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, x, y, *ctx.scales = inputs
        ctx.layouts = _layouts_of(x, y)
        _, to_x, to_y, *_ = ctx.needs_input_grad
        if to_x or to_y:
            ctx.keep((None, x if to_y else None, y if to_x else None))

    @staticmethod
    def backward(ctx, g):
        _, x, y = ctx.saved_tensors if ctx._slots else (None, None, None)
        by_x, by_y = _slopes(x, y, g, ctx)
        if not ctx.scales:
            return g, by_x, by_y
        beta, alpha = ctx.scales
        return scaled(g, beta), scaled(by_x, alpha), scaled(by_y, alpha), None, None

    @staticmethod
    def jvp(ctx, db, dx, dy, *_):
        _, x, y = ctx.saved_tensors
        beta, alpha = ctx.scales or (1, 1)
        # One by one, as in PyTorch.
        parts = (db, beta), (dx.mm(y), alpha), (x.mm(dy), alpha)
        first, second, third = [each if scale == 1 else each * scale for each, scale in parts]
        return first + second + third


def scaled(grad: Tensor | None, scale: float) -> Tensor | None:
    """Return a gradient times a number, itself if that is 1; None for None."""
    return grad if grad is None or scale == 1 else MulNumber.apply(grad, scale)


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Return the product of two matrices of shapes (n, k) and (k, m)."""
    if input._array.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if mat2._array.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    _check_shapes(input, mat2)
    if input._array.dtype != mat2._array.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{input.dtype.in_c} != {mat2.dtype.in_c}"
        )
    return Mm.apply(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Return the product of a matrix (n, k) and a vector (k)."""
    if (input.dim(), vec.dim()) != (2, 1):
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.dim()}, {vec.dim()}")
    (n, k), (length,) = input.shape, vec.shape
    if k != length:
        raise RuntimeError(f"size mismatch, got input ({n}), mat ({n}x{k}), vec ({length})")
    if input._array.dtype != vec._array.dtype:
        ours, theirs = input.dtype.title, vec.dtype.title
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {theirs}, {ours}, and {theirs}"
        )
    return Mv.apply(input, vec)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """Return the inner product of two vectors of the same length."""
    if input.dim() != 1 or tensor.dim() != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {input.dim()}D and {tensor.dim()}D tensors"
        )
    n, m = len(input), len(tensor)
    if n != m or input._array.dtype != tensor._array.dtype:
        refuse_stale((input, tensor))
    if input._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{input.dtype.title} and {tensor.dtype.title}"
        )
    if n != m:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same "
            f"number of elements, but got {n} and {m} elements respectively"
        )
    return Dot.apply(input, tensor)


def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Return beta * input + alpha * mat1 @ mat2, with `input` broadcast to the product's shape."""
    shape, have = shape_of_addmm(input, mat1, mat2), input._array.shape
    if have != shape[1:] and have != shape:
        expanded_shape(input, shape)
    if beta == 1 and alpha == 1:
        return Addmm.apply(input, mat1, mat2)
    return Addmm.apply(input, mat1, mat2, scale_of(input, beta), scale_of(input, alpha))


def scale_of(input: Tensor, scale: Any) -> Any:
    """Return a scale as a number; RuntimeError if it does not fit in the dtype of `input`.

    For float16, it is a float32.
    """
    kind = input._array.dtype
    return fitting(plain_number(scale), np.dtype(np.float32) if kind.char == "e" else kind)


def shape_of_addmm(input: Tensor, mat1: Tensor, mat2: Tensor) -> tuple[int, ...]:
    """Return the shape of the product mat1 @ mat2; RuntimeError for factors that do not fit."""
    a, b, kind = mat1._array, mat2._array, input._array.dtype
    if not kind == a.dtype == b.dtype:
        name, other = ("self", input) if kind != b.dtype else ("mat1", mat1)
        raise RuntimeError(
            f"{name} and mat2 must have the same dtype, but got "
            f"{other.dtype.title} and {mat2.dtype.title}"
        )
    if a.ndim != 2 or b.ndim != 2:
        name, each = ("mat1", a) if a.ndim != 2 else ("mat2", b)
        raise RuntimeError(f"{name} must be a matrix, got {each.ndim}-D tensor")
    _check_shapes(mat1, mat2)
    return a.shape[0], b.shape[1]


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Return the products of two stacks of matrices, (b, n, k) and (b, k, m)."""
    check_bmm(input, mat2)
    return Bmm.apply(input, mat2)


Mm.function, Mv.function, Dot.function, Bmm.function = map(staticmethod, (mm, mv, dot, bmm))


def check_bmm(batch1: Tensor, batch2: Tensor) -> None:
    """Raise PyTorch's RuntimeError unless both are stacks of matrices that can be multiplied."""
    for name, each in (("batch1", batch1), ("batch2", batch2)):
        if each.dim() != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    expected = [batch1.shape[0], batch1.shape[2]]
    if list(batch2.shape[:2]) != expected:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {expected} but got: "
            f"{list(batch2.shape[:2])}."
        )
    if batch1._array.dtype != batch2._array.dtype:
        raise RuntimeError(
            f"expected scalar type {batch1.dtype.title} but found {batch2.dtype.title}"
        )


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the (n, m) products of the elements of two vectors."""
    for name, each in (("self", input), ("vec2", vec2)):
        if each.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {each.dim()}-D")
    return input.reshape(-1, 1) * vec2


def product(a: Any, b: Any, order: Any = "C") -> Any:
    """Return the product of NumPy data, of two matrices or stacks of them, in C or F order."""
    kind, size = a.dtype.char, a.size
    if size > EXACT_UP_TO and kind in _AS_THEY_ARE:
        if size * b.shape[-1] > AT_ONCE and a.ndim == b.ndim == 2:
            return product_by_blocks(a, b, order)
        return _matmul(a, b, order=order)
    if kind == "?":
        raise no_kernel(_KERNELS[a.ndim, b.ndim], a)
    few = kind == "f" and size <= EXACT_UP_TO and b.size <= EXACT_UP_TO and a.shape[-1] > _FEW
    if not few and kind != "e":
        return _matmul(a, b, order=order)
    # In a wider dtype, to be rounded only at the end.
    wider = np.float64 if few else np.float32
    return _matmul(a.astype(wider), b.astype(wider), order=order).astype(a.dtype)


def _check_shapes(x: Tensor, y: Tensor) -> None:
    if x._array.shape[1] != y._array.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({x.shape[0]}x{x.shape[1]} and "
            f"{y.shape[0]}x{y.shape[1]})"
        )
