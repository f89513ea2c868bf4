"""Training takes no more memory the longer it lasts, and keeps only what backward will need."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import autograd_core as torch

STEPS = 10_000
KILOBYTE = 1024


@pytest.fixture(autouse=True)
def collector_off():
    gc.collect()
    gc.disable()
    fill_free_lists()
    yield
    gc.enable()


def fill_free_lists():
    """Let Python put aside as many small tuples as it ever keeps for later use."""
    for size in range(1, 20):
        _ = [tuple(range(number, number + size)) for number in range(2_500)]


def training(optimizer_class, **options):
    """One step of a small network's training, as a function."""
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh(), torch.nn.Linear(2, 1))
    optimizer = optimizer_class(model.parameters(), **options)
    inputs, targets = torch.ones(3, 2), torch.zeros(3, 1)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()

    return step


def tensors_and_nodes():
    """How many tensors, nodes and arrays there are that the collector knows of."""
    kinds = torch.Tensor, torch.autograd.graph.Node, np.ndarray
    return sum(issubclass(type(each), kinds) for each in gc.get_objects())


def test_10_000_steps_take_no_memory():
    step = training(torch.optim.SGD, lr=0.01, momentum=0.9)
    for _ in range(100):
        step()
    before = tensors_and_nodes()
    tracemalloc.start()
    try:
        step()
        after_one, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        for _ in range(STEPS):
            step()
        tracemalloc.start()
        step()
        after_all, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after_all - after_one < 16 * KILOBYTE
    assert tensors_and_nodes() == before


@pytest.mark.parametrize(
    ("optimizer_class", "options"),
    [
        (torch.optim.SGD, {}),
        (torch.optim.Adam, {"amsgrad": True}),
        (torch.optim.AdamW, {"weight_decay": 0.1}),
    ],
)
def test_steps_leave_nothing_allocated(optimizer_class, options):
    step = training(optimizer_class, **options)
    for _ in range(50):
        step()
    tracemalloc.start()
    try:
        for _ in range(10):
            step()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(300):
            step()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A tensor or a node that stayed behind at each step would take a hundred times as much.
    assert after - before < 16 * KILOBYTE


def layers(count, width):
    x = torch.ones(width, width, requires_grad=True)
    for _ in range(count):
        x = (x * 0.5).sin()
    return x


def peak_of(program):
    """The most that was allocated at once while `program` ran, in bytes, and what is left."""
    tracemalloc.start()
    try:
        result = program()
        kept, peak = tracemalloc.get_traced_memory()
        del result
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak, kept, left


def test_no_grad_keeps_no_activations():
    count, width = 40, 200
    activation = width * width * 4

    def without():
        with torch.no_grad():
            return layers(count, width)

    recorded, kept, left = peak_of(lambda: layers(count, width))
    assert recorded > count * activation
    assert kept > count * activation
    assert left < activation
    unrecorded, kept, _ = peak_of(without)
    assert unrecorded < 8 * activation
    assert kept < 2 * activation


def test_backward_lets_activations_go():
    count, width = 40, 200
    activation = width * width * 4
    y = layers(count, width).sum()
    tracemalloc.start()
    try:
        y.backward()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Gradients come and go; they never lie there all at once.
    assert peak < 10 * activation


def test_a_trained_module_goes_with_its_last_name():
    step = training(torch.optim.SGD)
    step()
    model = torch.nn.Linear(2, 2)
    model.register_full_backward_hook(lambda *_: None)
    model(torch.ones(1, 2, requires_grad=True)).sum().backward()
    gone = [weakref.ref(model), weakref.ref(model.weight), weakref.ref(model.weight.grad)]
    del model
    assert [each() for each in gone] == [None] * 3


def test_a_graph_through_backward_hooks_is_freed_at_once():
    model = torch.nn.Linear(2, 2)
    model.register_full_backward_hook(lambda *_: None)
    y = model(torch.ones(1, 2, requires_grad=True))
    gone = [weakref.ref(y), weakref.ref(y.grad_fn)]
    del y
    assert [each() for each in gone] == [None] * 2


def test_loading_leaves_nothing_for_the_collector():
    model = torch.nn.Linear(1, 1)
    model.load_state_dict(model.state_dict())
    gc.collect()
    model.load_state_dict(model.state_dict())
    assert gc.collect() == 0
