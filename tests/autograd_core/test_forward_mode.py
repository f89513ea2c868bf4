"""Forward mode over every operator: alone, over reverse mode and under it."""

import gc
import weakref

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.autograd import forward_ad

from .finite_differences import check_modes
from .operators import IN_PLACE, OPERATORS

EVERY = OPERATORS | IN_PLACE


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_push_tangents(name):
    check_modes(*IN_PLACE[name])


def drawn(name):
    """An operator, leaves, a direction for each of them, and a gradient for the output."""
    function, arrays = EVERY[name]
    rng = np.random.default_rng(3)
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    directions = [torch.tensor(rng.normal(size=array.shape)) for array in arrays]
    upstream = torch.tensor(rng.normal(size=function(*leaves).shape))
    return function, leaves, directions, upstream


def reverse_over_reverse(function, leaves, directions, upstream):
    output = function(*leaves)
    gradients = torch.autograd.grad(
        output, leaves, upstream, create_graph=True, materialize_grads=True
    )
    total = sum((g * d).sum() for g, d in zip(gradients, directions, strict=True))
    if not total.requires_grad:
        return [np.zeros(leaf.shape) for leaf in leaves]
    return [each.numpy() for each in torch.autograd.grad(total, leaves, materialize_grads=True)]


@pytest.mark.parametrize("name", EVERY)
def test_forward_over_reverse_gives_second_derivatives(name):
    function, leaves, directions, upstream = drawn(name)
    expected = reverse_over_reverse(function, leaves, directions, upstream)
    with forward_ad.dual_level():
        output = function(*map(forward_ad.make_dual, leaves, directions))
        gradients = torch.autograd.grad(output, leaves, upstream, materialize_grads=True)
        tangents = [forward_ad.unpack_dual(each).tangent for each in gradients]
    for tangent, second in zip(tangents, expected, strict=True):
        found = np.zeros(second.shape) if tangent is None else tangent.detach().numpy()
        np.testing.assert_allclose(found, second, 1e-9, 1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_reverse_over_forward_gives_second_derivatives(name):
    function, leaves, directions, upstream = drawn(name)
    expected = reverse_over_reverse(function, leaves, directions, upstream)
    with forward_ad.dual_level():
        output = function(*map(forward_ad.make_dual, leaves, directions))
        tangent = forward_ad.unpack_dual(output).tangent
    if not tangent.requires_grad:
        assert all((second == 0).all() for second in expected)
        return
    found = torch.autograd.grad(tangent, leaves, upstream, materialize_grads=True)
    for gradient, second in zip(found, expected, strict=True):
        np.testing.assert_allclose(gradient.numpy(), second, 1e-9, 1e-9)


def test_tensors_go_while_their_level_is_open():
    gc.disable()
    try:
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.ones(3), torch.ones(3))
            product = (dual * 2).exp()
            tangent = weakref.ref(forward_ad.unpack_dual(product).tangent)
            gone = weakref.ref(product)
            del product
            assert gone() is None
            assert tangent() is None
    finally:
        gc.enable()


def test_a_graph_goes_with_its_level():
    gc.disable()
    try:
        with forward_ad.dual_level():
            leaf = torch.ones(3, requires_grad=True)
            product = forward_ad.make_dual(leaf, torch.ones(3, requires_grad=True)).exp()
            node = weakref.ref(product.grad_fn)
        del product
        assert node() is None
    finally:
        gc.enable()


def test_forward_leaves_no_tangents_of_what_it_computes():
    kept = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            kept.append(x * x)
            return kept[0] * 1

        @staticmethod
        def jvp(ctx, dx):
            return dx

    with forward_ad.dual_level():
        Square.apply(forward_ad.make_dual(torch.ones(1), torch.ones(1)))
        assert forward_ad.unpack_dual(kept[0]).tangent is None
