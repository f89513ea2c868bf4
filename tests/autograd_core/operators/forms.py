"""Operators on other shapes and with other options."""

import numpy as np

import autograd_core as torch

from .draws import GRID, INDEX, MASK, WEIGHT, positive, signed

loss = torch.nn.functional


def of_transposed(name):
    return lambda x: getattr(torch, name)(x.t())


def over(name, dim):
    def reduced(x):
        result = getattr(torch, name)(x, dim=dim)
        return result[0] if isinstance(result, tuple) else result

    return reduced


# Functions of one operand, each with numbers of its domain; checked on every shape below.
ELEMENTWISE = {
    **dict.fromkeys(["neg", "exp", "exp2", "expm1", "sin", "cos", "tanh", "sigmoid"], signed),
    **dict.fromkeys(["relu", "abs", "sinh", "cosh", "atan", "erf", "square"], signed),
    **dict.fromkeys(["sign", "floor", "ceil", "round", "trunc"], signed),
    **dict.fromkeys(["log", "log1p", "log2", "log10", "sqrt", "rsqrt", "reciprocal"], positive),
    **dict.fromkeys(["asin", "acos", "tan"], lambda *shape: signed(*shape) / 2),
    "clone": signed,
}
ACTIVATIONS = [
    "relu", "tanh", "sigmoid", "leaky_relu", "elu", "selu", "celu", "silu", "mish", "gelu",
    "softplus", "logsigmoid", "hardtanh", "relu6", "softsign",
]  # fmt: skip
SHAPES = [(), (2, 3), (0, 3), (2, 1, 2)]
FORMS = {
    f"{name} {list(shape)}": (getattr(torch, name), [numbers(*shape)])
    for name, numbers in ELEMENTWISE.items()
    for shape in SHAPES
}
FORMS |= {
    f"{name} of a transposed matrix": (of_transposed(name), [numbers(3, 2)])
    for name, numbers in ELEMENTWISE.items()
}
FORMS |= {
    f"{name} {list(shape)}": (getattr(loss, name), [signed(*shape)])
    for name in ACTIVATIONS
    for shape in SHAPES
}

# Operators of two operands on pairs of shapes that broadcast.
BROADCAST = [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((0, 3), (1, 3)), ((2, 3), (2, 3))]
BINARY = {
    **dict.fromkeys(["add", "sub", "mul", "maximum", "minimum"], signed),
    **dict.fromkeys(["div", "atan2", "pow"], positive),
}
FORMS |= {
    f"{name} {list(a)} {list(b)}": (getattr(torch, name), [positive(*a) * 0.9, numbers(*b)])
    for name, numbers in BINARY.items()
    for a, b in BROADCAST
}

REDUCTIONS = ["sum", "mean", "prod", "amax", "amin", "logsumexp", "norm", "var", "std", "median"]
FORMS |= {
    f"{name} {list(shape)} over {dim}": (over(name, dim), [signed(*shape)])
    for name in REDUCTIONS
    for shape, dim in (((2, 3), 0), ((3, 2), -1), ((2, 2, 2), 1))
}


def joined(results):
    """All results of an operator in one, each with another weight."""
    return torch.cat([(i + 1) * each.reshape(-1) for i, each in enumerate(results)])


HOLES = np.array([[2.0, 0.0, 3.0], [1.5, 0.5, 4.0]])
TIES = torch.tensor([[1.0, 2.0, 2.0]], dtype=torch.float64)
FORMS |= {
    "prod with a zero": (torch.prod, [HOLES]),
    "prod dim with a zero": (lambda x: x.prod(1), [HOLES]),
    "sub alpha": (lambda x, y: torch.sub(x, y, alpha=3), [signed(2, 1), signed(1, 3)]),
    "div floor": (lambda x, y: torch.div(x, y, rounding_mode="floor"), [signed(2, 3), positive(3)]),
    "div trunc": (lambda x: x.div(0.3, rounding_mode="trunc") * x, [signed(2, 3)]),
    "remainder": (torch.remainder, [signed(2, 3) * 3, positive(3)]),
    "remainder number": (lambda x: x % 0.3, [signed(3)]),
    "fmod": (torch.fmod, [signed(2, 3) * 3, positive(3)]),
    "fmod number": (lambda x: torch.fmod(x, 0.3), [signed(3)]),
    "cumprod": (lambda x: x.cumprod(1), [signed(2, 3)]),
    "cumprod with a zero": (lambda x: x.cumprod(1), [HOLES]),
    "prod of one": (lambda x: x.prod(0), [signed()]),
    "cumsum of a number": (lambda x: x.cumsum(0) * x, [signed()]),
    "var_mean": (lambda x: joined(torch.var_mean(x, 1)), [signed(2, 3)]),
    "std_mean": (lambda x: joined(torch.std_mean(x)), [signed(2, 3)]),
    "var uncorrected": (lambda x: x.var(correction=0), [signed(2, 3)]),
    "norm 1": (lambda x: x.norm(1), [signed(2, 3)]),
    "norm 3": (lambda x: x.norm(3, 0), [signed(2, 3)]),
    "norm inf": (lambda x: x.norm(float("inf"), 1, True), [signed(2, 3)]),
    "dist": (lambda x, y: torch.dist(x, y), [signed(2, 3), signed(3)]),
    "dist 3": (lambda x, y: torch.dist(x, y, 3), [signed(2, 3), signed(2, 1)]),
    "norm 0": (lambda x: x.norm(0) * x, [signed(2, 3)]),
    "median of all": (torch.median, [signed(5)]),
    "median dim": (lambda x: x.median(1)[0], [signed(2, 3)]),
    "mode": (lambda x: x.mode(1)[0], [signed(2, 3)]),
    "kthvalue": (lambda x: x.kthvalue(2, 0)[0], [signed(3, 2)]),
    "max of ties": (lambda x: (x * 0 + TIES).max() + x.sum(), [signed(1, 3)]),
    "round decimals": (lambda x: x.round(decimals=1) * x, [signed(3) + 0.03]),
    "clamp_min": (lambda x: x.clamp_min(0.1), [signed(4)]),
    "clamp_max": (lambda x: x.clamp_max(0.1), [signed(4)]),
    "clamp tensors": (torch.clamp, [signed(2, 3), -positive(3) / 2, positive(2, 1) / 2]),
    "maximum of the same": (lambda x: torch.maximum(x, x * 1), [signed(3)]),
    "gelu tanh": (lambda x: loss.gelu(x, approximate="tanh"), [signed(3)]),
    "smooth_l1_loss": (loss.smooth_l1_loss, [signed(2, 3), positive(2, 3) * 2]),
    "huber_loss": (loss.huber_loss, [signed(2, 3), positive(2, 3) * 2]),
    "huber_loss none": (
        lambda x, y: loss.huber_loss(x, y, reduction="none"),
        [signed(2, 3), positive(2, 3) * 2],
    ),
    "l1_loss": (loss.l1_loss, [signed(2, 3), positive(2, 3) * 2]),
    "binary_cross_entropy": (
        lambda x, y: loss.binary_cross_entropy(x.sigmoid(), y.sigmoid()),
        [signed(2, 3), positive(2, 3)],
    ),
    "binary_cross_entropy weight": (
        lambda x, y: loss.binary_cross_entropy(x.sigmoid(), y.sigmoid(), WEIGHT, reduction="sum"),
        [signed(2, 3), positive(2, 3)],
    ),
    "binary_cross_entropy_with_logits": (
        lambda x, y: loss.binary_cross_entropy_with_logits(x, y, WEIGHT, pos_weight=WEIGHT),
        [signed(2, 3), positive(2, 3)],
    ),
    "binary_cross_entropy_with_logits plain": (
        loss.binary_cross_entropy_with_logits,
        [signed(2, 3), positive(2, 3)],
    ),
    "bmm": (torch.bmm, [signed(2, 2, 3), positive(2, 3, 2)]),
    "addmm scaled": (
        lambda b, x, y: torch.addmm(b, x, y, beta=2, alpha=3),
        [signed(2), signed(2, 3), positive(3, 2)],
    ),
    "einsum ellipsis": (
        lambda x, y: torch.einsum("...ij,jk->...ik", x, y),
        [signed(2, 2, 3), positive(3, 2)],
    ),
    "einsum diagonal": (lambda x: torch.einsum("ii->i", x), [signed(3, 3)]),
    "linear of series": (loss.linear, [signed(2, 2, 3), positive(2, 3), signed(2)]),
    "diagonal": (lambda x: x.diagonal(1), [signed(3, 3)]),
    "diag of a matrix": (torch.diag, [signed(2, 3)]),
    "diag of a vector": (lambda x: torch.diag(x, -1), [signed(3)]),
    "tril": (torch.tril, [signed(3, 3)]),
    "triu": (lambda x: x.triu(1), [signed(2, 3)]),
    "trace": (torch.trace, [signed(2, 3)]),
    "roll": (lambda x: x.roll((1, -1), (0, 1)), [signed(2, 3)]),
    "roll flat": (lambda x: x.roll(2), [signed(2, 3)]),
    "tile": (lambda x: x.tile(2), [signed(2, 3)]),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, 1), [signed(2, 3)]),
    "split of all": (lambda x: joined(x.split(2)), [signed(5, 2)]),
    "split_with_sizes": (lambda x: joined(x.split([1, 2], 1)), [signed(2, 3)]),
    "unsafe_split": (lambda x: joined(x.unsafe_split(1, 1)), [signed(2, 3)]),
    "unsafe_split_with_sizes": (
        lambda x: joined(x.unsafe_split_with_sizes([1, 2], 1)),
        [signed(2, 3)],
    ),
    "chunk": (lambda x: joined(x.chunk(2, 1)), [signed(2, 3)]),
    "tensor_split": (lambda x: joined(x.tensor_split(2)), [signed(3)]),
    "unbind": (lambda x: joined(x.unbind(1)), [signed(2, 3)]),
    "squeeze dim": (lambda x: x.squeeze(1), [signed(2, 1)]),
    "squeeze dims": (lambda x: x.squeeze((0, 2)), [signed(1, 2, 1)]),
    "movedim": (lambda x: x.movedim(0, 2), [signed(2, 3, 2)]),
    "unflatten": (lambda x: x.unflatten(0, (2, 2)), [signed(4)]),
    "reshape of a slice": (lambda x: x[:, :2].reshape(-1), [signed(2, 3)]),
    "reshape of every other": (lambda x: x[:, ::2].reshape(2, 1, 2), [signed(2, 3)]),
    "all of it": (lambda x: x[...] * x, [signed(3)]),
    "view_as": (lambda x: x.view_as(x) * x, [signed(3)]),
    "cat with nothing": (lambda x: torch.cat([x, torch.zeros(0)]), [signed(2, 3)]),
    "hstack": (lambda x, y: torch.hstack([x, y]), [signed(3), positive(2)]),
    "index after an integer": (lambda x: x[0, :, INDEX], [signed(2, 2, 3)]),
    "masked_select": (lambda x: x.masked_select(MASK), [signed(3)]),
    "masked_fill tensor": (lambda x, y: x.masked_fill(MASK, y), [signed(2, 3), signed()]),
    "where number": (lambda x: torch.where(MASK, x, 2.0), [signed(3)]),
    "index_fill": (lambda x: x.index_fill(1, INDEX[:1], 2.0), [signed(2, 3)]),
    "index_add scaled": (
        lambda x, y: x.index_add(1, INDEX, y, alpha=3),
        [signed(2, 3), positive(2, 3)],
    ),
    "take_along_dim": (lambda x: torch.take_along_dim(x, GRID, 0), [signed(2, 3)]),
    "gather of a number": (lambda x: x.gather(0, torch.tensor(0)) * x, [signed()]),
    "sort stable": (lambda x: x.sort(stable=True)[0], [signed(2, 3)]),
    "topk smallest": (lambda x: x.topk(2, 0, largest=False)[0], [signed(3, 2)]),
    "float32 and back": (lambda x: x.double() * x, [signed(3)]),
    "masked softmax": (lambda x: x.masked_fill(MASK, -1e3).softmax(1), [signed(2, 3)]),
    "softmax of nothing": (lambda x: x.softmax(1), [signed(0, 3)]),
    "log_softmax of nothing": (lambda x: x.log_softmax(0), [signed(3, 0)]),
    "sum of nothing": (torch.sum, [signed(0, 3)]),
    "matmul of nothing": (torch.matmul, [signed(2, 0), signed(0, 3)]),
}
