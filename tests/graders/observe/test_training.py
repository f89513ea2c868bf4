"""Watching a training loop: what counts as cleared, as let go, and as a part that works."""

import numpy as np
import pytest

import autograd_core as torch
from autograd_core import engine
from autograd_core.autograd import Function
from graders.exercise import load
from graders.observe.lab import Lab
from graders.observe.training import (
    broken_parts,
    functions_used,
    learns_in_vain,
    model_and_losses,
    numbers_of,
    watched_walks,
)

Tanh = load("cap-tanh").reference
MSELoss = load("cap-mse").reference


class BrokenTanh(Tanh):
    @staticmethod
    def backward(ctx, grad_output):
        return ctx.saved_tensors[0]


def three_steps(clear=True, move=True, keep=None):
    w = torch.tensor(1.0, requires_grad=True)
    for _ in range(3):
        loss = (w * w).sin()
        loss.backward()
        if keep is not None:
            keep.append(loss)
        with torch.no_grad():
            w -= 0.1 * w.grad if move else 0.0
        if clear:
            w.grad = None
    return w


@pytest.mark.parametrize(
    ("options", "clear"), [({}, 3), ({"clear": False}, 1), ({"clear": False, "move": False}, 3)]
)
def test_a_step_is_stale_if_what_has_moved_still_has_its_old_gradient(options, clear):
    with watched_walks(torch) as walks:
        three_steps(**options)
    assert (walks.count, walks.begun_clear) == (3, clear)


def test_a_constant_that_gathers_gradients_does_no_harm():
    x = torch.tensor(2.0, requires_grad=True)
    with watched_walks(torch) as walks:
        for _ in range(3):
            (x * x).backward()
    assert walks.begun_clear == 3


def test_graphs_that_are_kept_are_counted():
    kept: list = []
    with watched_walks(torch) as walks:
        three_steps(keep=kept)
    assert walks.alive() == 3
    kept[:] = [each.item() for each in kept]
    assert walks.alive() == 0


def test_graphs_that_are_kept_until_the_end_are_noticed():
    def held(at_most):
        latest: list = []
        with watched_walks(torch, in_memory=True) as walks:
            for _ in range(4):
                latest.append((torch.tensor(2.0, requires_grad=True) * 3).sin())
                latest[-1].backward()
                del latest[:-at_most]
            latest.clear()
        assert walks.alive() == 0
        return walks

    assert held(at_most=1).lets_go
    assert not held(at_most=4).lets_go


def test_a_graph_is_alive_as_long_as_any_of_it_is():
    x = torch.tensor(2.0, requires_grad=True)
    with watched_walks(torch) as walks:
        inner = x * x
        inner.sin().backward()
    assert walks.alive() == 1
    del inner
    assert walks.alive() == 0


def test_walks_by_grad_and_by_the_function_backward_are_seen_once_each():
    x = torch.tensor(2.0, requires_grad=True)
    with watched_walks(torch) as walks:
        torch.autograd.grad(x * x, [x])
        torch.autograd.backward([x * x, x + 1])
        (x * x).backward()
    assert walks.count == 3
    assert walks.sizes == [2, 3, 2]


def test_a_walk_is_seen_whatever_its_function_is_called():
    from autograd_core.autograd import grad

    x = torch.tensor(2.0, requires_grad=True)
    with watched_walks(torch) as walks:
        grad(x * x, [x])
        torch.autograd.functional.vjp(lambda each: each * each, x)
    assert walks.count == 2


@pytest.mark.parametrize("moves", [True, False])
def test_it_is_seen_whether_what_a_walk_reaches_has_moved(moves):
    with watched_walks(torch) as walks:
        three_steps(move=moves)
    assert walks.each_moves is moves


def test_nothing_stays_watched():
    before = engine.run
    with pytest.raises(ZeroDivisionError), watched_walks(torch):
        _ = 1 / 0
    assert engine.run is before


def cleared_too_early():
    torch.tensor(1.0, requires_grad=True).grad.zero_()


def used_after_clearing():
    w = torch.tensor(1.0, requires_grad=True)
    loss = w * w
    loss.backward()
    w.grad = None
    return 0.1 * w.grad


def used_though_no_leaf():
    leaf = torch.tensor(1.0, requires_grad=True)
    w = leaf * 2
    loss = w * w
    loss.backward()
    return w.sub(w.grad)


def used_though_left_out():
    bias = torch.tensor(1.0, requires_grad=True)
    parameters = [torch.tensor(1.0, requires_grad=True), bias]
    loss = parameters[0] ** 2
    loss.backward()
    for each in parameters:
        each.data -= 0.1 * each.grad
        each.grad = None


def used_though_left_out_of_a_module():
    layers = torch.nn.ModuleList([torch.nn.Linear(1, 1, bias=False), torch.nn.Linear(1, 1)])
    layers[0](torch.ones(1)).sum().backward()
    for each in layers.parameters():
        each.data -= 0.1 * each.grad


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (
            cleared_too_early,
            "'NoneType' object has no attribute 'zero_' "
            "(a gradient is cleared before there is one)",
        ),
        (
            used_after_clearing,
            "unsupported operand type(s) for *: 'float' and 'NoneType' "
            "(a gradient is None: it was removed before it was used)",
        ),
        (
            used_though_no_leaf,
            "sub(): argument 'other' (position 1) must be Tensor, not NoneType "
            "(a gradient is None: the tensor is not a leaf)",
        ),
        *(
            (
                action,
                "unsupported operand type(s) for *: 'float' and 'NoneType' "
                "(a gradient is None: no backward pass reaches the tensor)",
            )
            for action in (used_though_left_out, used_though_left_out_of_a_module)
        ),
        (lambda: None + 1, "unsupported operand type(s) for +: 'NoneType' and 'int'"),
    ],
)
def test_an_error_about_a_missing_gradient_says_what_it_means(action, words):
    with pytest.raises((TypeError, AttributeError)) as raised, watched_walks(torch):
        action()
    assert str(raised.value) == words


def helper(x):
    return BrokenTanh.apply(x)


class Network:
    def __call__(self, x):
        return helper(x)


def makes_a_network(x, y, steps, seed):
    return Network()


def uses_its_closure():
    part = BrokenTanh

    def inner(x, y, steps, seed):
        return part.apply(x)

    return inner


def works(x, y, steps, seed):
    return MSELoss.apply(Tanh.apply(x), y)


def test_parts_are_found_in_helpers_classes_and_closures():
    for train in (makes_a_network, uses_its_closure()):
        assert functions_used(train, Function) == {"BrokenTanh": BrokenTanh}
    assert functions_used(works, Function) == {"Tanh": Tanh, "MSELoss": MSELoss}
    assert functions_used(print, Function) == {}


def test_what_has_only_its_name_in_common_with_a_part_is_none():
    def train(x, y, steps, seed):
        class Net(torch.nn.Module):
            activation = torch.nn.Tanh()

        return Net, torch.nn.MSELoss()(x, y)

    assert functions_used(train, Function) == {}


def test_parts_in_a_class_within_a_function_are_found():
    def train(x, y, steps, seed):
        class Net:
            activation = BrokenTanh.apply

        return Net

    assert functions_used(train, Function) == {"BrokenTanh": BrokenTanh}


def test_parts_that_work_are_not_blamed():
    lab = Lab({"seed": 1})
    assert broken_parts(works, lab) == []
    assert broken_parts(makes_a_network, lab) == ["Tanh"]
    with torch.no_grad():
        assert broken_parts(works, lab) == []


def test_what_a_training_returns_is_taken_apart():
    losses = [1.0, 2.0]
    assert model_and_losses((print, losses)) == (print, losses)
    assert model_and_losses([print, tuple(losses)]) == (print, tuple(losses))
    for wrong in (None, print, (losses, print), (print, losses, 3), (print, 1.0)):
        assert model_and_losses(wrong) is None


def test_losses_are_numbers_of_any_kind_but_no_text():
    assert numbers_of([1, np.float32(2), torch.tensor(3.0)]).tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="one is of type str"):
        numbers_of(["1.0"])


def learning(x, y, steps, seed):
    """A straight line with a bend, and what a model of it is made from."""
    torch.manual_seed(seed)
    w, b = torch.randn(1, 8, requires_grad=True), torch.randn(8, requires_grad=True)
    v = torch.randn(8, 1, requires_grad=True)
    for _ in range(steps):
        loss = MSELoss.apply(Tanh.apply(x @ w + b) @ v, y)
        loss.backward()
        with torch.no_grad():
            for each in (w, b, v):
                each -= 0.1 * each.grad
                each.grad = None
    return w, b, v


def live(x, y, steps, seed):
    w, b, v = learning(x, y, steps, seed)
    return (lambda new: (Tanh.apply(new @ w + b) @ v).detach().numpy()), []


def of_copies(x, y, steps, seed):
    w, b, v = (each.detach().numpy().copy() for each in learning(x, y, steps, seed))
    return (lambda new: np.tanh(new.numpy() @ w + b) @ v), []


def refusing_zeros(x, y, steps, seed):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    assert w.grad.numpy().any(), "nothing to learn from"
    return of_copies(x, y, steps, seed)


def beside(x, y, steps, seed):
    learning(x, y, steps, seed)
    curve = np.polyfit(x.numpy().ravel(), y.numpy().ravel(), 7)
    return (lambda new: np.polyval(curve, new.numpy())), []


def data_of_a_wave():
    x = np.linspace(-2, 2, 20, dtype=np.float32).reshape(-1, 1)
    return Lab({"seed": 1, "x": x, "y": np.cos(x), "weight_seed": 3})


@pytest.mark.parametrize(
    ("train", "in_vain"),
    [(live, False), (of_copies, False), (refusing_zeros, False), (beside, True)],
)
def test_what_is_learned_without_the_walks_is_noticed(train, in_vain):
    assert learns_in_vain(train, data_of_a_wave()) is in_vain


@pytest.mark.parametrize(("train", "linked"), [(live, True), (of_copies, False), (beside, False)])
def test_a_model_is_linked_to_what_the_walks_reach_or_not(train, linked):
    data = data_of_a_wave()
    x, y = data.tensor("x"), data.tensor("y")
    with watched_walks(torch) as walks:
        model, _ = train(x, y, 12, 3)

    before = model(x)
    assert walks.lead_to(model, data) is linked
    assert np.array_equal(np.asarray(model(x)), np.asarray(before))


def test_walks_in_vain_leave_zeros():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with watched_walks(torch, in_vain=True):
        (x * x).sum().backward()
        (returned,) = torch.autograd.grad((x * x * x).sum(), x)
    assert x.grad.tolist() == returned.tolist() == [0, 0]
