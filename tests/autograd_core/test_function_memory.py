"""Custom Functions let go of tensors, contexts and nodes without the garbage collector."""

import weakref

import pytest

import autograd_core as torch
from autograd_core.node import walk

from .test_memory import x_times

pytestmark = pytest.mark.usefixtures("collector_off")


def function(forward, backward=None):
    class Own(torch.autograd.Function):
        pass

    Own.forward = staticmethod(forward)
    Own.backward = staticmethod(backward or (lambda ctx, *grads: grads[0]))
    return Own


def saves_input_and_output(ctx, x):
    y = x * 2
    ctx.save_for_backward(x, y)
    return y


def saves_one_of_two_outputs(ctx, x):
    y, z = x * 2, x * 3
    ctx.save_for_backward(z, None)
    return y, z


def saves_for_forward(ctx, x):
    y = x * 2
    ctx.save_for_forward(x, y)
    return y


def returns_its_input(ctx, x):
    ctx.save_for_backward(x)
    return x


def returns_a_view(ctx, x):
    y = x[1:]
    ctx.save_for_backward(y)
    return y


def marks_dirty(ctx, x):
    ctx.mark_dirty(x)
    ctx.save_for_backward(x)
    return x.mul_(2)


def marks_non_differentiable(ctx, x):
    y, z = x * 2, x.long()
    ctx.mark_non_differentiable(z)
    ctx.save_for_backward(z)
    return y, z


def without_materialized_gradients(ctx, x):
    ctx.set_materialize_grads(False)
    return x * 2, x * 3


FORWARDS = [
    saves_input_and_output,
    saves_one_of_two_outputs,
    saves_for_forward,
    returns_its_input,
    returns_a_view,
    marks_dirty,
    marks_non_differentiable,
    without_materialized_gradients,
]


@pytest.mark.parametrize("ending", ["unused", "read", "hooked", "backward"])
@pytest.mark.parametrize("forward", FORWARDS, ids=lambda forward: forward.__name__)
def test_a_custom_function_leaves_nothing_behind(forward, ending):
    contexts = []

    def noted(ctx, x):
        contexts.append(weakref.ref(ctx))
        return forward(ctx, x)

    x = x_times()
    size = 2 if forward is returns_a_view else 3
    output = function(noted, lambda ctx, *grads: torch.ones(3)).apply(x)
    first = output[0] if isinstance(output, tuple) else output
    assert first.shape == (size,)
    if ending == "read":
        assert first.grad_fn.saved_tensors is not None
    if ending == "hooked":
        first.retain_grad()
        first.register_hook(lambda grad: grad * 2)
        first.grad_fn.register_hook(lambda inputs, outputs: None)
    if ending in ("hooked", "backward"):
        first.sum().backward()
    gone = [weakref.ref(each) for each in (x, first, *walk(first.grad_fn))]
    del x, output, first
    assert [each() for each in (*contexts, *gone)] == [None] * (len(gone) + 1)


@pytest.mark.parametrize("where", ["forward", "backward"])
def test_an_error_leaves_nothing_behind(where):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        contexts.append(weakref.ref(ctx))
        if where == "forward":
            raise ValueError("in forward")
        return x * 2

    def backward(ctx, g):
        raise ValueError("in backward")

    contexts = []
    x = x_times()
    failed = False
    try:
        function(forward, backward).apply(x).sum().backward()
    except ValueError:
        failed = True
    gone = weakref.ref(x)
    del x
    assert failed
    assert [gone(), contexts[0]()] == [None, None]


def test_what_is_not_recorded_is_not_kept():
    contexts = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        contexts.append(weakref.ref(ctx))
        return x * 2

    y = function(forward).apply(torch.ones(2))
    with torch.no_grad():
        z = function(forward).apply(x_times())
    assert [context() for context in contexts] == [None, None]
    assert y.grad_fn is None
    assert z.grad_fn is None


def test_the_first_reading_may_let_go():
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        del x
        seen.append(kept())
        return g

    seen = []
    once = function(saves_input_and_output, backward)
    once.forward = staticmethod(lambda ctx, x, big: (ctx.save_for_backward(big), x * 2)[1])
    once.backward = staticmethod(lambda ctx, g: (backward(ctx, g), None))
    once.clear_saved_tensors_on_access = True
    big = torch.ones(3)
    kept = weakref.ref(big)
    y = once.apply(x_times(), big)
    del big
    y.sum().backward()
    assert seen == [None]


def test_deep_chains_of_custom_functions_are_freed_without_recursion():
    own = function(lambda ctx, x: x + 1)
    leaf = torch.ones((), requires_grad=True)
    y = leaf
    for _ in range(100_000):
        y = own.apply(y)
    last = weakref.ref(y.grad_fn)
    y.backward()
    del y
    assert last() is None
    assert leaf.grad.item() == 1
