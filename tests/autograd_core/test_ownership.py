"""A gradient is kept as it is when nobody else holds it, and added to if nobody sees it either."""

import sys
import warnings

import numpy as np
import pytest

import autograd_core as torch


@pytest.fixture
def leaf():
    return torch.ones(4, requires_grad=True)


def _changed_without_notice(leaf, seen):
    """Whether a change of the accumulated gradient shows in `seen`."""
    before = seen.clone()
    leaf.grad.fill_(-1.0)
    return not torch.equal(before, seen)


def test_a_gradient_of_nobody_else_is_kept_as_it_is(leaf):
    (leaf * torch.arange(4.0)).sum().backward()
    assert leaf.grad._version == 0
    assert leaf.grad.untyped_storage().data is leaf.grad._array


def test_a_gradient_whose_version_was_asked_for_is_kept_as_it_is(leaf):
    versions = []
    leaf.register_hook(lambda grad: versions.append(grad._version))
    (leaf * torch.arange(4.0)).sum().backward()
    # A copy would have been filled once.
    assert [*versions, leaf.grad._version] == [0, 0]


def test_a_gradient_is_kept_even_if_its_storage_was_put_aside(leaf):
    kept = []
    leaf.register_hook(lambda grad: kept.append(grad.untyped_storage()))
    (leaf * 3).sum().backward()
    before = list(kept[0])
    leaf.grad.fill_(-1.0)
    assert list(kept[0]) != before


def test_the_gradient_given_to_backward_stays_the_users(leaf):
    for function in (torch.clone, lambda x: x * 1):
        given = torch.arange(4.0)
        leaf.grad = None
        function(leaf).backward(given)
        assert not _changed_without_notice(leaf, given)


def test_a_view_of_the_gradient_given_to_backward_is_kept_as_any_other(leaf):
    given = torch.arange(4.0)
    leaf.view(2, 2).view(4).backward(given)
    assert _changed_without_notice(leaf, given)


def test_a_gradient_that_a_hook_put_aside_stays_the_hooks(leaf):
    kept = []
    leaf.register_hook(kept.append)
    (leaf * 3).sum().backward()
    assert not _changed_without_notice(leaf, kept[0])


def test_a_view_that_a_hook_put_aside_stays_the_hooks(leaf):
    kept = []
    leaf.register_hook(lambda grad: kept.append(grad[1:]))
    (leaf * 3).sum().backward()
    assert not _changed_without_notice(leaf, kept[0])


def test_an_array_that_a_hook_put_aside_shows_what_is_added_later(leaf):
    kept = []
    leaf.register_hook(lambda grad: kept.append(grad.numpy()))
    (leaf * 3).sum().backward()
    leaf.grad.fill_(-1.0)
    assert kept[0].tolist() == [-1.0] * 4


def test_two_leaves_never_share_a_gradient():
    x, y = torch.ones(4, requires_grad=True), torch.ones(4, requires_grad=True)
    (x + y).backward(torch.ones(4))
    assert not _changed_without_notice(x, y.grad)


def test_a_retained_gradient_is_not_the_leafs(leaf):
    doubled = leaf.clone()
    doubled.retain_grad()
    (doubled * 2).sum().backward()
    assert not _changed_without_notice(leaf, doubled.grad)


def test_gradients_that_meet_are_added_to_no_ones_memory(leaf):
    kept = []
    middle = leaf * 2
    first, second = middle.clone(), middle.clone()
    first.register_hook(lambda grad: kept.append(grad))
    second.register_hook(lambda grad: kept.append(grad))
    (first * 3 + second * 5).sum().backward()
    assert leaf.grad.tolist() == [16.0] * 4
    assert sorted(grad.tolist() for grad in kept) == [[3.0] * 4, [5.0] * 4]


@pytest.mark.parametrize("part", ["numpy", "untyped_storage"])
def test_gradients_that_meet_leave_the_memory_that_a_hook_put_aside_as_it_is(leaf, part):
    kept = []

    def keep(to_inputs, of_outputs):
        kept.append(getattr(to_inputs[0], part)())

    def numbers(memory):
        return memory if part == "numpy" else np.array(memory.tolist(), np.uint8).view(np.float32)

    twice = leaf * 1
    terms = twice * 2, twice * 3
    for term in terms:
        term.grad_fn.register_hook(keep)
    (terms[0] + terms[1]).sum().backward()

    assert sorted(numbers(memory).tolist() for memory in kept) == [[2.0] * 4, [3.0] * 4]


def test_expanded_gradients_are_never_added_to_in_place(leaf):
    (leaf.sum() + (leaf * torch.arange(4.0)).sum() + leaf.sum()).backward()
    assert leaf.grad.tolist() == [2.0, 3.0, 4.0, 5.0]


def _function_that_returns(gradient_of):
    class Returns(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return gradient_of(g)

    return Returns.apply


# What is recorded last runs first: its gradient has arrived when that of the other is added.
_SUMS = {
    "added to": lambda function, x: x * 3 + function(x),
    "added": lambda function, x: function(x) + x * 3,
}


@pytest.mark.parametrize("total", _SUMS.values(), ids=_SUMS)
@pytest.mark.parametrize("held", ["tensor", "array", "storage", "detached", "base", "view"])
def test_what_a_function_keeps_for_itself_is_not_changed(leaf, held, total):
    kept = []

    def gradient_of(g):
        result = whole = g * 2
        if held in ("base", "view"):
            result = whole.view(2, 2).view(4)
        hold = {
            "tensor": lambda: result,
            "array": result.numpy,
            "storage": result.untyped_storage,
            "detached": result.detach,
            "base": lambda: whole,
            "view": lambda: whole[1:],
        }[held]
        kept.append(hold())
        kept.append(kept[0].tolist())
        return result

    total(_function_that_returns(gradient_of), leaf).sum().backward()
    assert leaf.grad.tolist() == [5.0] * 4
    assert kept[0].tolist() == kept[1]


def test_a_gradient_that_a_hook_put_aside_is_not_added_to_through_its_transpose():
    x = torch.ones(2, 2, requires_grad=True)
    kept = []
    turned = [(x * 1).t(), x.t(), x.t()]
    for each in turned:
        each.register_hook(kept.append)
    sum((each * torch.arange(4.0).view(2, 2)).sum() for each in turned).backward()
    assert [each.tolist() for each in kept] == [[[0.0, 1.0], [2.0, 3.0]]] * 3
    assert x.grad.tolist() == [[0.0, 6.0], [3.0, 9.0]]


def test_a_gradient_that_cannot_be_written_to_can_be_added_to(leaf):
    def gradient_of(g):
        result = np.full(4, 2.0, np.float32)
        result.flags.writeable = False
        with warnings.catch_warnings(action="ignore"):
            return torch.from_numpy(result)

    for total in _SUMS.values():
        leaf.grad = None
        total(_function_that_returns(gradient_of), leaf).sum().backward()
        assert leaf.grad.tolist() == [5.0] * 4


def test_a_later_backward_adds_to_the_same_tensor(leaf):
    (leaf * 2).sum().backward()
    first = leaf.grad
    (leaf * 3).sum().backward()
    assert leaf.grad is first
    assert first.tolist() == [5.0] * 4
    assert first._version == 1


LARGE = 1 << 15


def _large(*leaves):
    return [torch.linspace(1.0, 2.0, LARGE).requires_grad_() for _ in range(leaves[0])]


def test_large_products_take_the_memory_of_what_only_the_graph_kept():
    x, y = _large(2)
    product = x.sin() * y.exp()
    addresses = {
        each.tensor._array.__array_interface__["data"][0] for each in product.grad_fn.saved_slots
    }
    product.sum().backward()
    found = {grad._array.__array_interface__["data"][0] for grad in (x.grad, y.grad)}
    assert len(found) == 2
    # Python counts a variable that is handed on once more up to 3.13, but not from 3.14 on, so that
    # the product with what exp has kept is written into its memory as well.
    assert len(found & addresses) == (1 if sys.version_info < (3, 14) else 2)


@pytest.mark.parametrize("held", ["tensor", "array", "detached", "view", "node"])
def test_large_factors_that_somebody_holds_stay_as_they_are(held):
    x, y = _large(2)
    first, second = x.sin(), y.exp()
    expected = first._array.copy(), second._array.copy()
    product = first * second
    hold = {
        "tensor": lambda each: each,
        "array": lambda each: each.detach().numpy(),
        "detached": lambda each: each.detach(),
        "view": lambda each: each[:],
        "node": lambda each: each,
    }[held]
    kept = product.grad_fn.saved_tensors if held == "node" else (hold(first), hold(second))
    del first, second
    product.sum().backward()
    for have, want in zip(kept, expected, strict=True):
        assert np.array_equal(have.detach().numpy() if held != "array" else have, want)


def test_a_retained_graph_keeps_its_large_factors():
    (x,) = _large(1)
    z = (x.sin() * x.exp()).sum()
    z.backward(retain_graph=True)
    first, x.grad = x.grad.clone(), None
    z.backward()
    assert torch.equal(x.grad, first)


def test_a_large_factor_squared_is_not_multiplied_by_itself_twice():
    (x,) = _large(1)
    y = x.exp()
    (y * y).sum().backward()
    assert torch.equal(x.grad, y * 2 * y)


@pytest.mark.parametrize("seen", ["hook", "node hook", "retain_grad", "captured"])
def test_large_gradients_that_somebody_has_seen_stay_as_they_are(seen):
    (x,) = _large(1)
    middle = x * 1
    kept = []
    if seen == "hook":
        middle.register_hook(kept.append)
    elif seen == "node hook":
        middle.grad_fn.register_prehook(lambda grads: kept.append(grads[0]))
    elif seen == "retain_grad":
        middle.retain_grad()
    total = ((middle.log() / 2).sin() * 3).sum()
    if seen == "captured":
        kept += torch.autograd.grad(total, (middle, x))
    else:
        total.backward()
        kept = kept or [middle.grad]
    expected = torch.cos(middle.log() / 2) * 3 / 2 / middle
    torch.testing.assert_close(kept[0], expected.detach())


def test_a_large_gradient_given_to_backward_is_not_written_to():
    (x,) = _large(1)
    given = torch.full((LARGE,), 3.0)
    for function in (torch.log, torch.sin, torch.exp, torch.relu, lambda each: each * each.sin()):
        function(x).backward(given)
        function(x).backward(gradient=given.clone())
    assert given.eq(3).all()
