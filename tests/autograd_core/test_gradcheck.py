"""gradcheck tells wrong Functions from right ones, also where PyTorch draws other numbers."""

import pytest

import autograd_core as torch
from autograd_core.autograd import gradcheck, gradgradcheck
from autograd_core.autograd.gradcheck import GradcheckError

CALLS = []


def leaf(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def product(backward):
    """x * y, y broadcast, with a backward of the caller's choice: g, x, y -> two gradients."""

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            return backward(g, *ctx.saved_tensors)

    return Product.apply


def noisy(g, x, y):
    CALLS.append(g)
    return g * y * (1 + 1e-9 * len(CALLS)), (g * x).sum(0)


WRONG = {
    "a factor is forgotten": (lambda g, x, y: (g, (g * x).sum(0)), "mismatch"),
    "the sign is wrong": (lambda g, x, y: (-g * y, (g * x).sum(0)), "mismatch"),
    "a sum is missing": (lambda g, x, y: (g * y, (g * x)[0]), "with respect to input 1"),
    "a mean stands for a sum": (lambda g, x, y: (g * y, (g * x).mean(0)), "mismatch"),
    "the inputs are exchanged": (lambda g, x, y: (g * x, (g * y).sum(0)), "mismatch"),
    "one gradient is None": (lambda g, x, y: (g * y, None), "with respect to input 1"),
    "something is added": (lambda g, x, y: (g * y + 1e-2, (g * x).sum(0)), "mismatch"),
    "the upstream gradient is ignored": (lambda g, x, y: (y.expand(2, 2), (g * x).sum(0)), "mism"),
    "it changes from call to call": (noisy, "Backward is not reentrant"),
}


def right(g, x, y):
    return g * y, (g * x).sum(0)


def inputs():
    return leaf([1.0, 2.0], [3.0, 4.5]), leaf(0.5, -2.0)


@pytest.mark.parametrize("fast", [False, True])
def test_the_right_function_passes(fast):
    assert gradcheck(product(right), inputs(), fast_mode=fast)
    assert gradgradcheck(product(right), inputs(), fast_mode=fast)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_caught(name, fast):
    backward, says = WRONG[name]
    with pytest.raises(GradcheckError, match=says):
        gradcheck(product(backward), inputs(), fast_mode=fast)
    assert not gradcheck(product(backward), inputs(), fast_mode=fast, raise_exception=False)


def test_fast_mode_catches_a_backward_that_is_not_linear():
    # With the gradients 0 and 1 of the slow mode, g * g is g.
    function = product(lambda g, x, y: (g * g * y, (g * x).sum(0)))
    assert gradcheck(function, inputs())
    assert not gradcheck(function, inputs(), fast_mode=True, raise_exception=False)


def test_a_gradient_of_another_dtype_is_caught():
    def single(g, x, y):
        return (g * y).float(), (g * x).sum(0)

    # The engine converts it back, as PyTorch's does, so that only digits are lost.
    assert gradcheck(product(single), inputs(), check_grad_dtypes=True)
    assert not gradcheck(product(single), inputs(), atol=1e-12, rtol=0, raise_exception=False)


def test_fast_mode_shows_the_whole_jacobians():
    with pytest.raises(GradcheckError) as caught:
        gradcheck(product(WRONG["the sign is wrong"][0]), inputs(), fast_mode=True)
    text = str(caught.value)
    assert text.startswith("Jacobian mismatch for output 0 with respect to input 0,\nnumerical:")
    assert "Numerical:\n tensor([[ 0.5000,  0.0000,  0.0000,  0.0000]," in text
    assert "The max per-element difference (slow mode) is: " in text


def test_fast_mode_draws_from_its_own_numbers():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    gradcheck(product(right), inputs(), fast_mode=True)
    assert torch.equal(torch.rand(3), expected)


def test_undefined_tangents_count_as_zero():
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.set_materialize_grads(False)
            return x + y

        @staticmethod
        def jvp(ctx, dx, dy):
            return (1 if dx is None else dx) + (1 if dy is None else dy)

        @staticmethod
        def backward(ctx, g):
            return g, g

    with pytest.raises(GradcheckError, match="has an undefined tangent value"):
        gradcheck(Sum.apply, (leaf(1.0), leaf(2.0)), check_forward_ad=True)
    assert gradcheck(
        Sum.apply, (leaf(1.0), leaf(2.0)), check_forward_ad=True, check_undefined_grad=False
    )


@pytest.mark.parametrize("option", ["check_batched_grad", "check_batched_forward_grad"])
def test_batches_are_out_of_scope(option):
    with pytest.raises(NotImplementedError, match=f"{option}=True needs vmap"):
        gradcheck(product(right), inputs(), check_forward_ad=True, **{option: True})
