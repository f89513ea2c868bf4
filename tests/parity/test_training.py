"""Twenty steps of training in float32 end where PyTorch's end."""

import numpy as np
import pytest

import autograd_core

from . import pytorch

try:
    torch = pytorch.load()
except ImportError as reason:
    pytest.skip(str(reason), allow_module_level=True)

STEPS = 20
RNG = np.random.default_rng(0)
FEATURES = RNG.normal(size=(8, 4)).astype(np.float32)
CLASSES = RNG.integers(0, 3, size=8)
WEIGHTS = [RNG.normal(size=shape).astype(np.float32) / 2 for shape in ((5, 4), 5, (3, 5), 3)]


def trained(engine, make, options):
    nn = engine.nn
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3))
    names = ("0.weight", "0.bias", "2.weight", "2.bias")
    model.load_state_dict(
        {name: engine.tensor(value) for name, value in zip(names, WEIGHTS, strict=True)}
    )
    criterion = nn.CrossEntropyLoss()
    optimizer = getattr(engine.optim, make)(model.parameters(), **options)
    features, classes = engine.tensor(FEATURES), engine.tensor(CLASSES)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = criterion(model(features), classes)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [parameter.detach().numpy() for parameter in model.parameters()]


@pytest.mark.parametrize(
    ("make", "options"),
    [
        ("SGD", {"lr": 0.1}),
        ("SGD", {"lr": 0.1, "momentum": 0.9}),
        ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
        ("SGD", {"lr": 0.1, "weight_decay": 0.5}),
        ("SGD", {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
        ("SGD", {"lr": 0.05, "momentum": 0.5, "dampening": 0.25, "maximize": True}),
        ("Adam", {"lr": 0.01}),
        ("Adam", {"lr": 0.01, "weight_decay": 0.1}),
        ("Adam", {"lr": 0.01, "betas": (0.8, 0.9), "amsgrad": True}),
        ("Adam", {"lr": 0.01, "weight_decay": 0.1, "decoupled_weight_decay": True}),
        ("Adam", {"lr": 0.01, "maximize": True}),
        ("AdamW", {"lr": 0.01}),
        ("AdamW", {"lr": 0.02, "weight_decay": 0.2, "amsgrad": True}),
        ("AdamW", {"lr": 0.01, "betas": (0.5, 0.99), "eps": 1e-4, "maximize": True}),
    ],
)
def test_training_in_float32_ends_where_pytorch_ends(make, options):
    losses, parameters = trained(autograd_core, make, options)
    expected_losses, expected = trained(torch, make, options)
    np.testing.assert_allclose(losses, expected_losses, rtol=1e-6, atol=1e-6)
    for ours, theirs in zip(parameters, expected, strict=True):
        assert ours.dtype == np.float32
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
