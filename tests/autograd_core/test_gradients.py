"""Every operator, one table: both modes and the second order against central differences."""

import numpy as np
import pytest

import autograd_core as torch

from .finite_differences import check_modes, check_second_order


def signed(*shape):
    """Numbers of either sign, away from zero and from each other."""
    rng = np.random.default_rng(sum(shape) + len(shape))
    size = int(np.prod(shape))
    values = np.linspace(0.4, 1.9, max(size, 1))[:size] * np.resize([1, -1], size)
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


@pytest.mark.parametrize("name", OPERATORS)
def test_both_modes_agree_with_differences(name):
    check_modes(*OPERATORS[name])


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_can_be_differentiated(name):
    check_second_order(*OPERATORS[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_second_order_gradients(name):
    check_second_order(*IN_PLACE[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_both_modes(name):
    check_modes(*IN_PLACE[name])
