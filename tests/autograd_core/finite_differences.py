"""Hold an operator's two modes against central differences, in float64."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograd_core as torch
from autograd_core.autograd import forward_ad

STEP = 1e-6
TOLERANCE = 1e-6


def check_modes(function: Callable[..., Any], arrays: Sequence[np.ndarray]) -> None:
    """Assert that reverse mode, forward mode and differences agree on random directions."""
    rng = np.random.default_rng(0)
    directions = [rng.normal(size=array.shape) for array in arrays]
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    output = function(*leaves)
    upstream = rng.normal(size=output.shape)

    ahead = _values(function, [a + STEP * d for a, d in zip(arrays, directions, strict=True)])
    behind = _values(function, [a - STEP * d for a, d in zip(arrays, directions, strict=True)])
    expected = (ahead - behind) / (2 * STEP)

    gradients = torch.autograd.grad(output, leaves, torch.tensor(upstream))
    for gradient, array in zip(gradients, arrays, strict=True):
        assert gradient.shape == array.shape
    reverse = sum(
        float((gradient.numpy() * direction).sum())
        for gradient, direction in zip(gradients, directions, strict=True)
    )
    np.testing.assert_allclose(reverse, float((expected * upstream).sum()), TOLERANCE, TOLERANCE)

    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(torch.tensor(array), torch.tensor(direction))
            for array, direction in zip(arrays, directions, strict=True)
        ]
        tangent = forward_ad.unpack_dual(function(*duals)).tangent
    np.testing.assert_allclose(tangent.numpy(), expected, TOLERANCE, TOLERANCE)


def check_second_order(function: Callable[..., Any], arrays: Sequence[np.ndarray]) -> None:
    """Assert that the gradient of a random product with the gradient is right too."""
    rng = np.random.default_rng(1)
    weights = [torch.tensor(rng.normal(size=array.shape)) for array in arrays]
    with torch.no_grad():
        shape = function(*[torch.tensor(array) for array in arrays]).shape
    upstream = torch.tensor(rng.normal(size=shape))

    def gradient_product(*leaves: Any) -> Any:
        with torch.enable_grad():
            leaves = tuple(
                leaf if leaf.requires_grad else leaf.detach().requires_grad_() for leaf in leaves
            )
            gradients = torch.autograd.grad(
                function(*leaves), leaves, upstream, create_graph=True, materialize_grads=True
            )
            return sum((g * w).sum() for g, w in zip(gradients, weights, strict=True))

    leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
    product = gradient_product(*leaves)
    if not product.requires_grad:
        return
    second = torch.autograd.grad(product, leaves, materialize_grads=True)
    directions = [rng.normal(size=array.shape) for array in arrays]
    ahead = _values(
        gradient_product, [a + STEP * d for a, d in zip(arrays, directions, strict=True)]
    )
    behind = _values(
        gradient_product, [a - STEP * d for a, d in zip(arrays, directions, strict=True)]
    )
    found = sum(float((g.numpy() * d).sum()) for g, d in zip(second, directions, strict=True))
    np.testing.assert_allclose(found, float(ahead - behind) / (2 * STEP), 1e-5, 1e-5)


def _values(function: Callable[..., Any], arrays: Sequence[np.ndarray]) -> np.ndarray:
    with torch.no_grad():
        return function(*[torch.tensor(array) for array in arrays]).detach().numpy()


def check_forward_over_reverse(function: Callable[..., Any], arrays: Sequence[np.ndarray]) -> None:
    """Assert that the tangent of the gradient is the difference of gradients."""
    rng = np.random.default_rng(2)
    directions = [rng.normal(size=array.shape) for array in arrays]
    with torch.no_grad():
        shape = function(*[torch.tensor(array) for array in arrays]).shape
    upstream = torch.tensor(rng.normal(size=shape))

    def gradients(leaves: Sequence[Any], create_graph: bool) -> Any:
        return torch.autograd.grad(
            function(*leaves), leaves, upstream, create_graph=create_graph, materialize_grads=True
        )

    def moved(sign: int) -> Any:
        pairs = zip(arrays, directions, strict=True)
        leaves = [torch.tensor(a + sign * STEP * d, requires_grad=True) for a, d in pairs]
        return [gradient.numpy() for gradient in gradients(leaves, False)]

    expected = [(a - b) / (2 * STEP) for a, b in zip(moved(1), moved(-1), strict=True)]
    with forward_ad.dual_level():
        duals = [
            forward_ad.make_dual(torch.tensor(array, requires_grad=True), torch.tensor(direction))
            for array, direction in zip(arrays, directions, strict=True)
        ]
        for gradient, want in zip(gradients(duals, True), expected, strict=True):
            tangent = forward_ad.unpack_dual(gradient).tangent
            found = np.zeros(want.shape) if tangent is None else tangent.detach().numpy()
            np.testing.assert_allclose(found, want, 1e-5, 1e-5)
