"""Operators that the table of gradients leaves out, checked as PyTorch checks its own."""

import pytest

import autograd_core as torch
from autograd_core.autograd import gradcheck, gradgradcheck

functional = torch.nn.functional


def leaf(*shape, low=0.3, high=0.9):
    """Numbers of either sign, no two alike."""
    size = torch.Size(shape).numel()
    numbers = torch.linspace(low, high, max(size, 1), dtype=torch.float64)[:size]
    signs = torch.tensor([1.0, -1.0, -1.0] * (size // 3 + 1), dtype=torch.float64)[:size]
    return (numbers * signs).reshape(shape).requires_grad_()


def positive(*shape):
    return leaf(*shape).detach().abs().requires_grad_()


def in_place(name, *args):
    return lambda x: getattr(x * 1, name)(*args) * x


MASK = torch.tensor([True, False, True])
INDEX = torch.tensor([2, 0, 1])

OPERATORS = {
    "acos": (torch.acos, leaf(3)),
    "asin": (torch.asin, leaf(3)),
    "atan": (torch.atan, leaf(3)),
    "cosh": (torch.cosh, leaf(3)),
    "sinh": (torch.sinh, leaf(3)),
    "erf": (torch.erf, leaf(3)),
    "exp2": (torch.exp2, leaf(3)),
    "log2": (torch.log2, positive(3)),
    "log10": (torch.log10, positive(3)),
    "rsqrt": (torch.rsqrt, positive(3)),
    "trunc": (torch.trunc, leaf(3)),
    "ceil": (torch.ceil, leaf(3)),
    "sign": (torch.sign, leaf(3)),
    "elu": (functional.elu, leaf(3)),
    "celu": (functional.celu, leaf(3)),
    "gelu": (functional.gelu, leaf(3)),
    "silu": (functional.silu, leaf(3)),
    "mish": (functional.mish, leaf(3)),
    "softplus": (functional.softplus, leaf(3)),
    "leaky_relu": (functional.leaky_relu, leaf(3)),
    "logsigmoid": (functional.logsigmoid, leaf(3)),
    "hardtanh": (lambda x: functional.hardtanh(x, -0.45, 0.45), leaf(4)),
    "diagonal": (lambda x: x.diagonal(), leaf(3, 3)),
    "trace": (torch.trace, leaf(3, 3)),
    "tril": (torch.tril, leaf(3, 3)),
    "triu": (torch.triu, leaf(3, 3)),
    "amax": (lambda x: x.amax((0, 1)), leaf(2, 3)),
    "median": (torch.median, leaf(5)),
    "median dim": (lambda x: x.median(1)[0], leaf(2, 3)),
    "prod dim": (lambda x: x.prod(1), leaf(2, 3)),
    "cumprod": (lambda x: x.cumprod(1), leaf(2, 3)),
    "logsumexp": (lambda x: x.logsumexp(1), leaf(2, 3)),
    "norm": (torch.norm, leaf(2, 3)),
    "var_mean": (lambda x: torch.var_mean(x, 1), leaf(2, 3)),
    "std_mean": (lambda x: torch.std_mean(x, 1), leaf(2, 3)),
    "unbind": (lambda x: x.unbind(1), leaf(2, 3)),
    "split_with_sizes": (lambda x: x.split_with_sizes([1, 2]), leaf(3)),
    "squeeze dim": (lambda x: x.squeeze(1), leaf(3, 1)),
    "view_as": (lambda x: x.view_as(x), leaf(3)),
    "neg_": (in_place("neg_"), leaf(3)),
    "abs_": (in_place("abs_"), leaf(3)),
    "log_": (in_place("log_"), positive(3)),
    "sin_": (in_place("sin_"), leaf(3)),
    "cos_": (in_place("cos_"), leaf(3)),
    "tanh_": (in_place("tanh_"), leaf(3)),
    "sigmoid_": (in_place("sigmoid_"), leaf(3)),
    "fill_": (in_place("fill_", 2.0), leaf(3)),
    "masked_fill_": (in_place("masked_fill_", MASK, 2.0), leaf(3)),
    "scatter_add_": (lambda x: (x * 1).scatter_add_(0, INDEX, x * x) * x, leaf(3)),
    "index_copy_": (lambda x: (x * 1).index_copy_(0, INDEX, x * x) * x, leaf(3)),
}


@pytest.mark.parametrize("name", OPERATORS)
def test_first_derivatives(name):
    assert gradcheck(*OPERATORS[name], check_forward_ad=True)


@pytest.mark.parametrize("name", OPERATORS)
def test_second_derivatives(name):
    function, inputs = OPERATORS[name]
    assert gradgradcheck(function, inputs, check_fwd_over_rev=True)
