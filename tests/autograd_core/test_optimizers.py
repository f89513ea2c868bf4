"""What optimizers leave out, and what they leave behind."""

import gc

import numpy as np
import pytest

import autograd_core as torch


@pytest.mark.parametrize(
    ("make", "option"),
    [
        (torch.optim.SGD, "differentiable"),
        (torch.optim.SGD, "fused"),
        (torch.optim.Adam, "capturable"),
        (torch.optim.Adam, "fused"),
    ],
)
def test_options_out_of_scope_are_named(make, option):
    parameter = torch.nn.Parameter(torch.ones(2))
    with pytest.raises(NotImplementedError, match=rf"{make.__name__}\({option}=True\)"):
        make([parameter], **{option: True})


@pytest.mark.parametrize("make", [torch.optim.SGD, torch.optim.Adam])
def test_steps_are_not_recorded(make):
    parameter = torch.nn.Parameter(torch.ones(2))
    optimizer = make([parameter])
    (parameter * parameter).sum().backward()
    optimizer.step()
    kept = [value for value in optimizer.state[parameter].values() if value is not None]
    assert parameter.is_leaf
    assert not any(value.requires_grad for value in kept)


def test_training_leaves_no_tensors_behind():
    layer = torch.nn.Linear(3, 2)
    optimizer = torch.optim.Adam(layer.parameters())

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(layer(torch.ones(4, 3)), torch.arange(4) % 2).backward()
        optimizer.step()

    def tensors():
        return sum(issubclass(type(each), torch.Tensor) for each in gc.get_objects())

    step()
    gc.collect()
    gc.disable()
    try:
        before = tensors()
        for _ in range(20):
            step()
        assert tensors() == before
    finally:
        gc.enable()


@pytest.mark.parametrize(("module", "name"), [("nn", "Conv2d"), ("nn", "LSTM"), ("optim", "LBFGS")])
def test_what_is_not_here_says_so(module, name):
    with pytest.raises(NotImplementedError, match=rf"torch\.{module}\.{name} is not supported"):
        getattr(getattr(torch, module), name)


@pytest.mark.parametrize("module", ["nn", "optim"])
def test_what_pytorch_has_not_is_no_attribute(module):
    assert not hasattr(getattr(torch, module), "Nonsense")


@pytest.mark.parametrize("lay_out", [lambda array: array, lambda array: array.T])
def test_large_parameters_take_the_same_step_to_the_last_bit(lay_out):
    rng = np.random.default_rng(0)
    before, grad = rng.normal(size=(2, 700, 300)).astype(np.float32)
    parameter = torch.nn.Parameter(torch.from_numpy(lay_out(before.copy())))
    parameter.grad = torch.from_numpy(lay_out(grad))
    torch.optim.SGD([parameter], lr=0.1, weight_decay=0.01).step()
    assert np.array_equal(
        parameter.detach().numpy(), lay_out(before - 0.1 * (grad + 0.01 * before))
    )
