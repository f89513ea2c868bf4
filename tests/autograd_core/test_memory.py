"""Memory goes when the last tensor goes, without the help of the garbage collector."""

import contextlib
import weakref

import pytest

import autograd_core as torch
from autograd_core.graph.long_graphs import take_apart
from autograd_core.node import Node, walk

pytestmark = pytest.mark.usefixtures("collector_off")


def x_times(n=3):
    return torch.arange(1.0, n + 1).requires_grad_() * 1


class SavesItsOutput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.saved_tensors[0]


class ChangesItsInput(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.saved_tensors[0]


def changed_view():
    base = x_times()
    base[1:].mul_(2)
    return base


def changed_view_that_is_kept():
    base = x_times()
    base[1:].exp_()
    return base


PROGRAMS = {
    "chain": lambda: (x_times() * 2 + 1).sin().sum(),
    "an operator that saves its output": lambda: x_times().exp(),
    "a Function that saves its output": lambda: SavesItsOutput.apply(x_times()),
    "an in-place operator that saves its output": lambda: x_times().exp_(),
    "an in-place Function that saves its output": lambda: ChangesItsInput.apply(x_times()),
    "in place on a view": changed_view,
    "in place on a view, output saved": changed_view_that_is_kept,
    "an in-place Function on a view": lambda: ChangesItsInput.apply(x_times()[1:]),
    "several outputs": lambda: x_times().sort()[0],
}


@pytest.fixture(params=[False, True], ids=["here", "as in a browser"])
def freed(request, monkeypatch):
    """By Python's recursion, or without it, as where the stack is small."""
    if request.param:
        monkeypatch.setattr(Node, "__del__", take_apart, raising=False)


@pytest.mark.usefixtures("freed")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("walked", [False, True], ids=["unused", "after backward"])
def test_a_graph_goes_with_its_last_tensor(name, walked):
    result = PROGRAMS[name]()
    if walked:
        result.sum().backward()
    nodes = [weakref.ref(node) for node in walk(result.grad_fn)]
    storage = weakref.ref(result.untyped_storage())
    del result
    assert storage() is None
    assert [node() for node in nodes] == [None] * len(nodes)


def test_retained_gradients_and_hooks_make_no_cycle():
    leaf = torch.ones(2, requires_grad=True)
    middle = leaf * 2
    middle.retain_grad()
    middle.register_hook(lambda grad: grad * 2)
    leaf.register_hook(lambda grad: None)
    middle.sum().backward()
    gone = [weakref.ref(each) for each in (leaf, middle, middle.grad_fn)]
    del leaf, middle
    assert [each() for each in gone] == [None] * 3


def test_saved_tensors_are_let_go_by_backward():
    big = torch.ones(1000)
    x = torch.ones(1000, requires_grad=True)
    y = (x * big).sum()
    kept = weakref.ref(big)
    del big
    assert kept() is not None
    y.backward()
    assert kept() is None


def test_no_grad_keeps_nothing():
    x = torch.ones(1000, requires_grad=True)
    with torch.no_grad():
        middle = x.exp()
        kept = weakref.ref(middle)
        y = middle.sin()
        del middle
    assert kept() is None
    assert y.grad_fn is None


FAILING = {
    "a product that does not fit": lambda x: torch.matmul(x * 1, torch.ones(7, 7)),
    "a view that does not fit": lambda x: (x * 1).view(17),
    "a sum over no dimension": lambda x: (x * 1).sum(5),
    "an argument that there is not": lambda x: (x * 1).sum(wrong=1),
    "a change that does not fit": lambda x: (x * 1).add_(torch.ones(2, 7)),
    "an assignment that does not fit": lambda x: (x * 1).__setitem__(9, 1.0),
    "an out that does not fit": lambda x: torch.add(x * 1, 1, out=torch.ones(3, dtype=torch.int64)),
    "a backward that does not fit": lambda x: (x * 1).backward(torch.ones(5)),
    "a layer that does not fit": lambda x: torch.nn.Linear(7, 1)(x * 1),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_call_that_fails_keeps_nothing(name):
    x = torch.ones(3, requires_grad=True)
    with contextlib.suppress(RuntimeError, TypeError, IndexError, ValueError):
        FAILING[name](x)
        pytest.fail("nothing was raised")
    reference = weakref.ref(x)
    del x
    assert reference() is None


@pytest.mark.usefixtures("freed")
def test_what_somebody_else_holds_stays_whole():
    leaf = torch.tensor(2.0, requires_grad=True)
    trunk = (leaf * leaf).exp()
    gone, kept = (trunk * 3).sin(), (trunk * 2).log()
    node = trunk.grad_fn
    del gone, trunk
    kept.backward()
    assert leaf.grad.item() == 4
    assert node.next_functions[0][0].name() == "MulBackward0"


@pytest.mark.usefixtures("freed")
def test_deep_graphs_are_freed_without_recursion():
    y = torch.ones((), requires_grad=True)
    for _ in range(100_000):
        y = y + 1
    del y
