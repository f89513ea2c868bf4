"""What a checkpointed function keeps, and what it says when its runs differ."""

import weakref

import pytest

import autograd_core as torch
from autograd_core.utils.checkpoint import CheckpointError, checkpoint


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_intermediates_are_not_kept(use_reentrant):
    made = []

    def function(x):
        middle = x.exp()
        made.append(weakref.ref(middle))
        return middle.sin()

    x = torch.ones(3, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=use_reentrant)
    assert made[0]() is None
    y.sum().backward()
    assert len(made) == 2


@pytest.mark.parametrize("use_reentrant", [False, True])
def test_both_runs_draw_the_same_numbers(use_reentrant):
    drawn = []

    def function(x):
        drawn.append(torch.rand(3))
        return x * drawn[-1]

    x = torch.ones(3, requires_grad=True)
    y = checkpoint(function, x, use_reentrant=use_reentrant)
    following = torch.get_rng_state()
    y.sum().backward()
    assert torch.equal(x.grad, drawn[0])
    torch.set_rng_state(following)
    expected = torch.rand(3)
    torch.set_rng_state(following)
    checkpoint(function, x, use_reentrant=False, preserve_rng_state=False)
    assert torch.equal(drawn[-1], expected)


def test_runs_that_save_less_are_refused():
    runs = []

    def function(x):
        runs.append(1)
        return x.exp() if len(runs) > 1 else x.exp().sin()

    y = checkpoint(function, torch.ones(3, requires_grad=True), use_reentrant=False)
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        y.sum().backward()


def test_runs_that_save_other_shapes_are_refused():
    runs = []

    def function(x):
        runs.append(1)
        return x[len(runs) :].exp().sum()

    arguments = {"use_reentrant": False}
    y = checkpoint(function, torch.ones(3, requires_grad=True), **arguments)
    with pytest.raises(CheckpointError, match="have different metadata than during the forward"):
        y.backward()
    y = checkpoint(
        function, torch.ones(9, requires_grad=True), determinism_check="none", **arguments
    )
    with pytest.raises(RuntimeError, match="size of tensor"):
        y.backward()


def test_debugging_changes_nothing_while_both_runs_agree():
    x = torch.ones(3, requires_grad=True)
    checkpoint(torch.exp, x, use_reentrant=False, debug=True).sum().backward()
    assert torch.equal(x.grad, x.detach().exp())
