"""Products of vectors and matrices."""

from __future__ import annotations

from autograd_core.function import Operator
from autograd_core.ops.reductions import sum_to
from autograd_core.ops.shape import Squeeze
from autograd_core.tensor import Tensor, wrap


class Mm(Operator):
    """Z = X Y;  dL/dX = G Y^T,  dL/dY = X^T G."""

    node_name, saved_names = "MmBackward0", ("self", "mat2")

    @staticmethod
    def forward(x, y):
        return wrap(x._array @ y._array)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        (to_x, _), (to_y, _) = ctx._edges
        return g.mm(y.t()) if to_x else None, x.t().mm(g) if to_y else None

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return dx.mm(y) + x.mm(dy)


class Mv(Operator):
    """z = X y;  dL/dX = g y^T,  dL/dy = X^T g."""

    node_name, saved_names = "MvBackward0", ("self", "vec")

    @staticmethod
    def forward(x, y):
        return wrap(x._array @ y._array)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        dx, dy = ctx.needs_input_grad
        return g.unsqueeze(1) * y if dx else None, x.t().mv(g) if dy else None

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return dx.mv(y) + x.mv(dy)


class Dot(Operator):
    """z = x . y;  dL/dx = g * y,  dL/dy = g * x."""

    node_name, saved_names = "DotBackward0", ("self", "tensor")

    @staticmethod
    def forward(x, y):
        return wrap(x._array @ y._array)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return dx.dot(y) + x.dot(dy)


class Bmm(Operator):
    """Z = X Y for stacks of matrices;  dL/dX = G Y^T,  dL/dY = X^T G, summed where broadcast."""

    node_name, saved_names = "BmmBackward0", ("self", "mat2")

    @staticmethod
    def forward(x, y):
        return wrap(x._array @ y._array)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.keep(inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        dx, dy = ctx.needs_input_grad
        return (
            sum_to(g @ y.transpose(-1, -2), x.shape) if dx else None,
            sum_to(x.transpose(-1, -2) @ g, y.shape) if dy else None,
        )

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        return dx @ y + x @ dy


class Addmm(Operator):
    """Z = B + X Y;  dL/dB = G summed to its shape,  dL/dX = G Y^T,  dL/dY = X^T G."""

    node_name, saved_names = "AddmmBackward0", ("", "mat1", "mat2")

    @staticmethod
    def forward(bias, x, y):
        product = x._array @ y._array
        product += bias._array
        return wrap(product)

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, x, y = inputs
        ctx.keep((None, x, y))

    @staticmethod
    def backward(ctx, g):
        _, x, y = ctx.saved_tensors
        _, (to_x, _), (to_y, _) = ctx._edges
        return g, g.mm(y.t()) if to_x else None, x.t().mm(g) if to_y else None

    @staticmethod
    def jvp(ctx, db, dx, dy):
        _, x, y = ctx.saved_tensors
        return db + dx.mm(y) + x.mm(dy)


class SqueezeProduct(Squeeze):
    """As `Squeeze`, of a product with a vector: PyTorch gives this node a name of its own."""

    node_name = "SqueezeBackward4"


_NAMES_IN_C = {"Float": "float", "Double": "double", "Long": "long long", "Int": "int"}


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Return the product of two matrices of shapes (n, k) and (k, m)."""
    if input.dim() != 2:
        raise RuntimeError("self must be a matrix")
    if mat2.dim() != 2:
        raise RuntimeError("mat2 must be a matrix")
    _check_mm(input, mat2)
    return Mm.apply(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Return the product of a matrix (n, k) and a vector (k)."""
    if input.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({input.shape[0]}), mat "
            f"({input.shape[0]}x{input.shape[1]}), vec ({vec.shape[0]})"
        )
    if input._array.dtype != vec._array.dtype:
        names = [each.dtype.title for each in (vec, input, vec)]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and "
            f"{names[2]}"
        )
    return Mv.apply(input, vec)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """Return the inner product of two vectors of the same length."""
    if input.dim() != 1 or tensor.dim() != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {input.dim()}D and {tensor.dim()}D tensors"
        )
    if len(input) != len(tensor):
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{len(input)}] and src [{len(tensor)}] to "
            f"have the same number of elements, but got {len(input)} and {len(tensor)} elements "
            "respectively"
        )
    if input._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{input.dtype.title} and {tensor.dtype.title}"
        )
    return Dot.apply(input, tensor)


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor) -> Tensor:
    """Return input + mat1 @ mat2, with `input` broadcast to the product's shape."""
    _check_mm(mat1, mat2)
    return Addmm.apply(input, mat1, mat2)


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Return the product, by the ranks of the two: dot, mv, mm, or stacks of matrices."""
    ranks = input.dim(), other.dim()
    if 0 in ranks:
        raise RuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{ranks[0]}D and {ranks[1]}D"
        )
    if ranks == (1, 1):
        return dot(input, other)
    if ranks == (2, 1):
        return mv(input, other)
    if ranks == (1, 2):
        _check_mm(input.unsqueeze(0), other)
        return SqueezeProduct.apply(mm(input.unsqueeze(0), other), (0,))
    if ranks == (2, 2):
        return mm(input, other)
    if ranks[0] == 1:
        return matmul(input.unsqueeze(0), other).squeeze(-2)
    if ranks[1] == 1:
        return matmul(input, other.unsqueeze(1)).squeeze(-1)
    if ranks[1] == 2:
        _check_mm(input.reshape(-1, input.shape[-1]), other)
        rows = mm(input.reshape(-1, input.shape[-1]), other)
        return rows.view(*input.shape[:-1], other.shape[-1])
    return Bmm.apply(input, other)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Return the (n, m) products of the elements of two vectors."""
    return input.unsqueeze(1) * vec2


def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Return the sum of products that `equation` describes, such as `"ij,jk->ik"`.

    Every index is one letter and occurs at most once in each operand; no ellipsis.
    """
    inputs, arrow, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    letters = sorted(set("".join(terms)))
    if not arrow:
        output = "".join([each for each in letters if inputs.count(each) == 1])
    if any(len(set(term)) < len(term) or "." in term for term in (*terms, output)):
        raise NotImplementedError(f"einsum({equation!r}): repeated indices and ... within a term")
    if len(terms) != len(operands):
        raise RuntimeError(
            "einsum(): more operands were provided than specified in the equation"
            if len(terms) < len(operands)
            else "einsum(): fewer operands were provided than specified in the equation"
        )
    order = output + "".join([each for each in letters if each not in output])
    product = _aligned(operands[0], terms[0], order)
    for operand, term in zip(operands[1:], terms[1:], strict=True):
        product = product * _aligned(operand, term, order)
    summed = tuple(range(len(output), len(order)))
    return product.sum(summed) if summed else product


def _aligned(operand: Tensor, term: str, order: str) -> Tensor:
    """Return `operand` with a dimension for every letter of `order`, some of length 1."""
    present = [each for each in order if each in term]
    moved = operand.permute([term.index(each) for each in present])
    shape = iter(moved.shape)
    return moved.reshape([next(shape) if each in term else 1 for each in order])


def _check_mm(x: Tensor, y: Tensor) -> None:
    if x.shape[1] != y.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({x.shape[0]}x{x.shape[1]} and "
            f"{y.shape[0]}x{y.shape[1]})"
        )
    if x._array.dtype != y._array.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{_name_in_c(x)} != {_name_in_c(y)}"
        )


def _name_in_c(tensor: Tensor) -> str:
    return _NAMES_IN_C.get(tensor.dtype.title, tensor.dtype.title)
