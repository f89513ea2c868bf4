"""Every operator, one table: both modes, twice in reverse and forward over reverse."""

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.function import Function

from .finite_differences import check_forward_over_reverse, check_modes, check_second_order


def signed(*shape):
    """Numbers of either sign, away from zero and from each other."""
    rng = np.random.default_rng(sum(shape) + len(shape))
    size = int(np.prod(shape))
    values = np.linspace(0.41, 1.93, max(size, 1))[:size] * np.resize([1, -1], size)
    return rng.permutation(values).reshape(shape)


def positive(*shape):
    return np.abs(signed(*shape))


loss = torch.nn.functional
INDEX = torch.tensor([2, 0, 2])
GRID = torch.tensor([[0, 1, 1], [1, 0, 1]])
EACH_ONCE = torch.tensor([[0, 1, 0], [1, 0, 1]])
WEIGHT = torch.tensor([0.5, 1.0, 2.0], dtype=torch.float64)
PIXELS = torch.tensor([[[0, 2], [1, 2]]])
MASK = torch.tensor([[True, False, True], [False, True, True]])

OPERATORS = {
    "add": (lambda x, y: x + y, [signed(2, 3), signed(3)]),
    "add alpha": (lambda x, y: torch.add(x, y, alpha=3), [signed(2, 1), signed(1, 3)]),
    "add number": (lambda x: 2 + x, [signed(2, 3)]),
    "sub": (lambda x, y: x - y, [signed(2, 3), signed(2, 1)]),
    "rsub": (lambda x: 2 - x, [signed(3)]),
    "mul": (lambda x, y: x * y, [signed(2, 3), signed(3)]),
    "mul number": (lambda x: x * 3, [signed(3)]),
    "mul itself": (lambda x: x * x, [signed(3)]),
    "div": (lambda x, y: x / y, [signed(2, 3), signed(3)]),
    "rdiv": (lambda x: 2 / x, [signed(3)]),
    "sub alpha": (lambda x, y: torch.sub(x, y, alpha=3), [signed(2, 1), signed(1, 3)]),
    "div floor": (
        lambda x, y: torch.div(x, y, rounding_mode="floor"),
        [signed(2, 3), signed(3) * 2.1],
    ),
    "remainder": (lambda x, y: x % y, [signed(2, 3), signed(3) * 2.1]),
    "div unrounded": (lambda x: x.div(0.3, rounding_mode=None), [signed(3)]),
    "remainder number": (lambda x: x % 0.7, [signed(3)]),
    "fmod": (torch.fmod, [signed(2, 3), signed(3) * 2.1]),
    "addcmul": (
        lambda x, y, z: torch.addcmul(x, y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "addcdiv": (
        lambda x, y, z: torch.addcdiv(x, y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "lerp": (lambda x, y: torch.lerp(x, y, 0.3), [signed(2, 3), signed(3)]),
    "lerp tensor": (torch.lerp, [signed(2, 3), signed(3), signed(2, 1)]),
    "pow number": (lambda x: x**3, [signed(3)]),
    "pow zero": (lambda x: x**0, [signed(3)]),
    "pow tensor": (lambda x, y: x**y, [positive(2, 3), signed(3)]),
    "pow of number": (lambda x: 2**x, [signed(3)]),
    "maximum": (torch.maximum, [signed(2, 3), signed(3)]),
    "minimum": (torch.minimum, [signed(2, 3), signed(3)]),
    "neg": (lambda x: -x, [signed(3)]),
    "exp": (torch.exp, [signed(2, 3)]),
    "log": (torch.log, [positive(2, 3)]),
    "expm1": (torch.expm1, [signed(3)]),
    "tan": (torch.tan, [signed(3) / 2]),
    "log1p": (torch.log1p, [positive(3)]),
    "sqrt": (torch.sqrt, [positive(3)]),
    "sin": (torch.sin, [signed(3)]),
    "cos": (torch.cos, [signed(3)]),
    "tanh": (torch.tanh, [signed(3)]),
    "sigmoid": (torch.sigmoid, [signed(3)]),
    "relu": (torch.relu, [signed(2, 3)]),
    "abs": (torch.abs, [signed(3)]),
    "clamp": (lambda x: x.clamp(-0.9, 0.9), [signed(2, 3)]),
    "clamp above": (lambda x: x.clamp(max=0.5), [signed(4)]),
    "floor": (torch.floor, [signed(3)]),
    "round": (torch.round, [signed(3)]),
    "sum": (torch.sum, [signed(2, 3)]),
    "sum dim": (lambda x: x.sum(1), [signed(2, 3)]),
    "sum dims keepdim": (lambda x: x.sum((0, 2), True), [signed(2, 3, 2)]),
    "mean": (torch.mean, [signed(2, 3)]),
    "mean dim": (lambda x: x.mean(0), [signed(2, 3)]),
    "var": (lambda x: x.var(1), [signed(2, 3)]),
    "std": (lambda x: x.std(), [signed(2, 3)]),
    "prod": (torch.prod, [signed(2, 2)]),
    "max": (torch.max, [signed(2, 3)]),
    "min": (torch.min, [signed(2, 3)]),
    "max dim": (lambda x: x.max(1)[0], [signed(2, 3)]),
    "min dim keepdim": (lambda x: x.min(0, True)[0], [signed(2, 3)]),
    "cumsum": (lambda x: x.cumsum(1), [signed(2, 3)]),
    "mm": (torch.mm, [signed(2, 3), signed(3, 2)]),
    "mv": (torch.mv, [signed(2, 3), signed(3)]),
    "dot": (torch.dot, [signed(3), signed(3)]),
    "vector matrix": (torch.matmul, [signed(3), signed(3, 2)]),
    "batched": (torch.matmul, [signed(2, 2, 3), signed(3, 2)]),
    "batched both": (torch.matmul, [signed(2, 2, 3), signed(1, 3, 2)]),
    "outer": (torch.outer, [signed(2), signed(3)]),
    "einsum": (lambda x, y: torch.einsum("ij,kj->ik", x, y), [signed(2, 3), signed(2, 3)]),
    "einsum of one": (lambda x: torch.einsum("ij->j", x), [signed(2, 3)]),
    "addmm": (torch.addmm, [signed(2), signed(3, 2), signed(2, 2)]),
    "linear": (torch.nn.functional.linear, [signed(2, 3), signed(4, 3), signed(4)]),
    "mse_loss": (torch.nn.functional.mse_loss, [signed(2, 3), positive(2, 3)]),
    "t": (lambda x: x.t(), [signed(2, 3)]),
    "transpose": (lambda x: x.transpose(0, 2), [signed(2, 3, 2)]),
    "permute": (lambda x: x.permute(2, 0, 1), [signed(2, 3, 2)]),
    "view": (lambda x: x.view(3, -1), [signed(2, 3)]),
    "reshape of transposed": (lambda x: x.t().reshape(-1), [signed(2, 3)]),
    "flatten": (torch.flatten, [signed(2, 3)]),
    "expand": (lambda x: x.expand(4, 2, 3), [signed(2, 1)]),
    "repeat": (lambda x: x.repeat(2, 2), [signed(2)]),
    "squeeze": (torch.squeeze, [signed(1, 3, 1)]),
    "unsqueeze": (lambda x: x.unsqueeze(-1), [signed(3)]),
    "as_strided": (lambda x: x.as_strided((2, 2), (1, 1), 1), [signed(2, 3)]),
    "flip": (lambda x: x.flip(0, 1), [signed(2, 3)]),
    "clone": (torch.clone, [signed(3)]),
    "select": (lambda x: x[1], [signed(2, 3)]),
    "element": (lambda x: x[1, 2], [signed(2, 3)]),
    "slice": (lambda x: x[:, 1:], [signed(2, 3)]),
    "stepped slice": (lambda x: x[::2], [signed(5)]),
    "new axis": (lambda x: x[:, None], [signed(3)]),
    "narrow": (lambda x: x.narrow(1, 1, 2), [signed(2, 3)]),
    "index": (lambda x: x[INDEX], [signed(3, 2)]),
    "mask": (lambda x: x[MASK], [signed(2, 3)]),
    "index_select": (lambda x: x.index_select(0, INDEX), [signed(3, 2)]),
    "gather": (lambda x: x.gather(0, GRID), [signed(2, 3)]),
    "scatter_add": (lambda x, y: x.scatter_add(0, GRID, y), [signed(2, 3), positive(2, 3)]),
    "scatter": (lambda x, y: x.scatter(0, EACH_ONCE, y), [signed(2, 3), positive(2, 3)]),
    "scatter number": (lambda x: x.scatter(1, GRID[:, :2], 3.0), [signed(2, 3)]),
    "index_add": (lambda x, y: x.index_add(0, INDEX, y), [signed(3, 2), positive(3, 2)]),
    "index_copy": (lambda x, y: x.index_copy(1, INDEX[:2], y), [signed(2, 3), positive(2, 2)]),
    "take": (lambda x: x.take(GRID), [signed(2, 3)]),
    "where": (lambda x, y: torch.where(MASK, x, y), [signed(2, 3), signed(3)]),
    "masked_fill": (lambda x: x.masked_fill(MASK, 2.0), [signed(2, 3)]),
    "cat": (lambda x, y: torch.cat([x, y], 1), [signed(2, 3), signed(2, 1)]),
    "stack": (lambda x, y: torch.stack([x, y], 1), [signed(3), positive(3)]),
    "split": (lambda x: x.split(2)[0] * x.split(2)[1], [signed(4)]),
    "sort": (lambda x: x.sort(0)[0], [signed(3, 2)]),
    "sort descending": (lambda x: x.sort(descending=True)[0], [signed(4)]),
    "topk": (lambda x: x.topk(2)[0], [signed(4)]),
    "softmax": (lambda x: x.softmax(1), [signed(2, 3)]),
    "softmax of a number": (lambda x: x.softmax(0) * x, [signed()]),
    "softmax first dim": (lambda x: torch.softmax(x, 0), [signed(2, 3, 2)]),
    "log_softmax": (lambda x: x.log_softmax(-1), [signed(2, 3)]),
    "log_softmax first dim": (lambda x: torch.log_softmax(x, 0), [signed(3)]),
    "mse_loss sum": (lambda x, y: loss.mse_loss(x, y, reduction="sum"), [signed(3), positive(3)]),
    "mse_loss none": (lambda x, y: loss.mse_loss(x, y, reduction="none"), [signed(3), positive(3)]),
    "nll_loss": (lambda x: loss.nll_loss(x * x, INDEX), [signed(3, 4)]),
    "nll_loss weight": (lambda x: loss.nll_loss(x, INDEX, WEIGHT), [signed(3, 3)]),
    "nll_loss none": (lambda x: loss.nll_loss(x, INDEX, reduction="none"), [signed(3, 3)]),
    "nll_loss ignored": (lambda x: loss.nll_loss(x, INDEX, ignore_index=2), [signed(3, 3)]),
    "nll_loss of images": (lambda x: loss.nll_loss(x, PIXELS), [signed(1, 3, 2, 2)]),
    "nll_loss of series": (
        lambda x: loss.nll_loss(x, PIXELS.view(1, 4), reduction="none"),
        [signed(1, 3, 4)],
    ),
    "cross_entropy": (lambda x: loss.cross_entropy(x, INDEX), [signed(3, 3)]),
    "cross_entropy of one": (lambda x: loss.cross_entropy(x, INDEX[0]), [signed(3)]),
    "cross_entropy smoothed": (
        lambda x: loss.cross_entropy(x, INDEX, WEIGHT, label_smoothing=0.2),
        [signed(3, 3)],
    ),
    "cross_entropy of probabilities": (
        lambda x, y: loss.cross_entropy(x, y.softmax(1), label_smoothing=0.1),
        [signed(2, 3), positive(2, 3)],
    ),
    "the document's function": (lambda x, y: (x * y).log() * (x * y).sin(), [positive(2)] * 2),
}

IN_PLACE = {
    "log_": (lambda x: (x * 1).log_(), [positive(3)]),
    "log1p_": (lambda x: (x * 1).log1p_(), [positive(3)]),
    "expm1_": (lambda x: (x * 1).expm1_(), [signed(3)]),
    "sin_": (lambda x: (x * 1).sin_(), [signed(3)]),
    "cos_": (lambda x: (x * 1).cos_(), [signed(3)]),
    "tan_": (lambda x: (x * 1).tan_(), [signed(3) / 2]),
    "tanh_": (lambda x: (x * 1).tanh_(), [signed(3)]),
    "sigmoid_": (lambda x: (x * 1).sigmoid_(), [signed(3)]),
    "neg_": (lambda x: (x * 1).neg_(), [signed(3)]),
    "abs_": (lambda x: (x * 1).abs_(), [signed(3)]),
    "reciprocal_": (lambda x: (x * 1).reciprocal_(), [signed(3)]),
    "square_": (lambda x: (x * 1).square_(), [signed(3)]),
    "rsqrt_": (lambda x: (x * 1).rsqrt_(), [positive(3)]),
    "atan_": (lambda x: (x * 1).atan_(), [signed(3)]),
    "floor_": (lambda x: (x * 1).floor_(), [signed(3)]),
    "round_": (lambda x: (x * 1).round_(), [signed(3)]),
    "triu_": (lambda x: (x * 1).triu_(), [signed(3, 3)]),
    "tril_": (lambda x: (x * 1).tril_(), [signed(3, 3)]),
    "t_": (lambda x: (x * 1).t_(), [signed(2, 3)]),
    "squeeze_": (lambda x: (x * 1).squeeze_(), [signed(1, 3)]),
    "add_ alpha": (lambda x, y: (x * 1).add_(y, alpha=3), [signed(2, 3), signed(3)]),
    "sub_ alpha": (lambda x, y: (x * 1).sub_(y, alpha=3), [signed(2, 3), signed(3)]),
    "pow_ tensor": (lambda x, y: (x * 1).pow_(y), [positive(2, 3), signed(3)]),
    "remainder_": (lambda x, y: (x * 1).remainder_(y), [signed(2, 3), signed(3) * 2.1]),
    "addcmul_": (
        lambda x, y, z: (x * 1).addcmul_(y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "addcdiv_": (
        lambda x, y, z: (x * 1).addcdiv_(y, z, value=3),
        [signed(2, 3), signed(3), signed(2, 1)],
    ),
    "lerp_": (lambda x, y: (x * 1).lerp_(y, 0.3), [signed(2, 3), signed(3)]),
    "addmm_": (lambda x, y, z: (x * 1).addmm_(y, z), [signed(3, 2), signed(3, 2), signed(2, 2)]),
    "clamp_ tensor": (lambda x, y: (x * 1).clamp_(y), [signed(2, 3), signed(3) * 1.3]),
    "cumsum_": (lambda x: (x * 1).cumsum_(1), [signed(2, 3)]),
    "cumprod_": (lambda x: (x * 1).cumprod_(1), [signed(2, 3)]),
    "masked_fill_": (lambda x: (x * 1).masked_fill_(MASK, 2.0), [signed(2, 3)]),
    "index_copy_": (
        lambda x, y: (x * 1).index_copy_(1, INDEX[:2], y),
        [signed(2, 3), positive(2, 2)],
    ),
    "fill_ tensor": (lambda x, y: (x * 1).fill_(y) * x, [signed(2, 3), signed()]),
    "index_put_": (
        lambda x, y: (x * 1).index_put_((INDEX,), y, accumulate=True) * x,
        [signed(3, 2), positive(3, 2)],
    ),
    "copy_": (lambda x, y: (x * 1).copy_(y) * x, [signed(2, 3), signed(3)]),
    "eq_": (lambda x, y: (x * 1).eq_(y) + x, [signed(3), signed(3)]),
    "transpose_": (lambda x: (x * 1).transpose_(0, 1), [signed(2, 3)]),
    "unsqueeze_": (lambda x: (x * 1).unsqueeze_(0), [signed(3)]),
    "as_strided_": (lambda x: (x * 1).as_strided_((2, 2), (1, 1), 1), [signed(2, 3)]),
    "add_": (lambda x, y: (x * 1).add_(y), [signed(2, 3), signed(3)]),
    "sub_": (lambda x, y: (x * 1).sub_(y), [signed(2, 3), signed(3)]),
    "mul_": (lambda x, y: (x * 1).mul_(y), [signed(2, 3), signed(3)]),
    "div_": (lambda x, y: (x * 1).div_(y), [signed(2, 3), signed(3)]),
    "pow_": (lambda x: (x * 1).pow_(2), [signed(3)]),
    "exp_": (lambda x: (x * 1).exp_(), [signed(3)]),
    "sqrt_": (lambda x: (x * 1).sqrt_(), [positive(3)]),
    "relu_": (lambda x: (x * 1).relu_(), [signed(3)]),
    "clamp_": (lambda x: (x * 1).clamp_(-0.8, 0.8), [signed(4)]),
    "scatter_": (
        lambda x, y: (x * 1).scatter_(0, EACH_ONCE, y) * x,
        [signed(2, 3), positive(2, 3)],
    ),
    "index_add_": (lambda x, y: (x * 1).index_add_(0, INDEX, y), [signed(3, 2), positive(3, 2)]),
    "zero_": (lambda x: (x * 1).zero_() + x, [signed(3)]),
}


def changed_part(x, y):
    base = x * 1
    base[:, 1] = y
    return base * base


def changed_view(x, y):
    base = x * 1
    base.t()[1].mul_(y)
    return base * x


def changed_by_indices(x, y):
    base = x * 1
    base[torch.tensor([1, 0])] = y
    return base * x


IN_PLACE |= {
    "setitem": (changed_part, [signed(2, 3), signed(2)]),
    "view": (changed_view, [signed(2, 3), signed(2)]),
    "indices": (changed_by_indices, [signed(2, 3), signed(3)]),
}


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
OPERATORS |= FORMS


@pytest.mark.parametrize("name", OPERATORS)
def test_both_modes_agree_with_differences(name):
    check_modes(*OPERATORS[name])


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_can_be_differentiated(name):
    check_second_order(*OPERATORS[name])


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_have_tangents(name):
    check_forward_over_reverse(*OPERATORS[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_second_order_gradients(name):
    check_second_order(*IN_PLACE[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_both_modes(name):
    check_modes(*IN_PLACE[name])


def test_every_operator_is_in_the_table():
    used = set()
    for function, arrays in OPERATORS.values():
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        output = function(*leaves)
        upstream = torch.ones_like(output, requires_grad=True)
        gradients = torch.autograd.grad(
            output, leaves, upstream, create_graph=True, materialize_grads=True
        )
        for each in (output, *gradients):
            used |= functions_behind(each.grad_fn)
    named = {each.__name__ for each in operators(Function) if each.node_name}
    assert named - {each.__name__ for each in used} == {
        # Other dtypes have too few digits for differences; forward mode needs one for itself.
        "ToCopy",
        "Primal",
        # PyTorch has no derivative of these.
        "FloorDivide",
        "RemainderOfNumber",
    }


def functions_behind(node):
    seen, waiting, found = set(), [node], set()
    while waiting:
        current = waiting.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            found.add(getattr(current, "_function", Function))
            waiting.extend(parent for parent, _ in current.next_functions)
    return found


def operators(base):
    for each in base.__subclasses__():
        # Random numbers and comparisons in place have no gradient but 0.
        apart = each.__module__.endswith(("random_fills", "in_place_arithmetic"))
        if each.__module__.startswith("autograd_core.ops.") and not (
            apart or each.__name__.endswith("_")
        ):
            yield each
        yield from operators(each)
