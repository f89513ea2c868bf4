"""No hook makes a graph live longer: with the collector off, it goes with its last tensor."""

import gc
import warnings
import weakref

import pytest

import autograd_core as torch
from autograd_core.autograd import graph
from autograd_core.node import walk

pytestmark = pytest.mark.usefixtures("collector_off")


class Doubles(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def leaf():
    return torch.ones(3, requires_grad=True)


def ignore(*gradients):
    return None


def tensor_hooks():
    x = leaf()
    y = x.exp()
    x.register_hook(ignore)
    y.register_hook(ignore)
    y.retain_grad()
    return y


def post_accumulate_hooks():
    x = leaf()
    x.register_post_accumulate_grad_hook(ignore)
    return x.exp()


def node_hooks():
    y = leaf().exp()
    y.grad_fn.register_hook(ignore)
    y.grad_fn.register_prehook(ignore)
    y.grad_fn.next_functions[0][0].register_hook(ignore)
    return y


def handles_that_are_kept():
    y = leaf().exp()
    KEPT.extend([y.register_hook(ignore), y.grad_fn.register_hook(ignore)])
    return y


def packed_inputs_and_outputs():
    with graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        return Doubles.apply(leaf().exp().sin())


def saved_on_cpu():
    with graph.save_on_cpu():
        return Doubles.apply(leaf().exp() ** 2)


def packed_one_by_one():
    y = Doubles.apply(leaf()).exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: t.detach(), lambda t: t)
    return y


def saved_tensors_looked_at():
    y = Doubles.apply(leaf()).exp()
    assert len([y.grad_fn._saved_result, y.grad_fn._raw_saved_result]) == 2
    return y


def multi_grad_hooks():
    x = leaf()
    y = x.exp()
    z = y * 2
    graph.register_multi_grad_hook((x, y, z), ignore)
    graph.register_multi_grad_hook((y, z), ignore, mode="any")
    return z


def gradient_edges():
    y = leaf().exp()
    graph.get_gradient_edge(y)
    return y * 2


def anomaly_mode():
    with torch.autograd.set_detect_anomaly(True):
        x = leaf()
        y = Doubles.apply(x * x)
        y[:1].mul_(2)
        return y


def hooks_after_a_change_in_place():
    y = leaf() * 2
    y.register_hook(ignore)
    y.retain_grad()
    y.exp_()
    y.register_hook(ignore)
    return y


KEPT: list = []
PROGRAMS = [
    tensor_hooks,
    post_accumulate_hooks,
    node_hooks,
    handles_that_are_kept,
    packed_inputs_and_outputs,
    saved_on_cpu,
    packed_one_by_one,
    saved_tensors_looked_at,
    multi_grad_hooks,
    gradient_edges,
    anomaly_mode,
    hooks_after_a_change_in_place,
]


@pytest.mark.parametrize("walked", [False, True], ids=["unused", "after backward"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_graph_with_hooks_goes_with_its_last_tensor(program, walked):
    result = program()
    if walked:
        result.sum().backward()
    nodes = [weakref.ref(node) for node in walk(result.grad_fn)]
    storage = weakref.ref(result.untyped_storage())
    del result
    assert storage() is None
    assert [node() for node in nodes] == [None] * len(nodes)


@pytest.mark.parametrize("mode", ["none", "anomaly"])
def test_a_backward_that_fails_holds_nothing(mode):
    def fail(grad):
        raise ValueError("from the hook")

    def run():
        y = leaf().exp()
        y.register_hook(fail)
        kept = weakref.ref(y.grad_fn)
        with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(mode == "anomaly"):
            warnings.simplefilter("ignore")
            with pytest.raises(ValueError, match="from the hook"):
                y.sum().backward()
        return kept

    # An exception and its frames refer to each other: they need the collector.
    kept = run()
    gc.collect()
    assert kept() is None


def test_backward_lets_packed_tensors_go():
    with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        y = leaf().exp()
    kept = weakref.ref(y.grad_fn._raw_saved_result.data)
    assert kept() is not None
    y.sum().backward()
    assert kept() is None


def test_saved_tensors_that_may_change_go_with_their_graph():
    with graph.allow_mutation_on_saved_tensors():
        y = leaf() * 1
        z = Doubles.apply(y * y).exp()
        y.add_(1)
        nodes = [weakref.ref(node) for node in walk(z.grad_fn)]
        storages = [weakref.ref(each.untyped_storage()) for each in (y, z)]
        del y, z
        assert [each() for each in (*nodes, *storages)] == [None] * (len(nodes) + 2)


def test_a_double_backward_in_anomaly_mode_frees_its_graph():
    with torch.autograd.set_detect_anomaly(True):
        x = leaf()
        y = x.exp().sum()
        (grad,) = torch.autograd.grad(y, x, create_graph=True)
    nodes = [weakref.ref(node) for node in (*walk(y.grad_fn), *walk(grad.grad_fn))]
    del x, y, grad
    assert [node() for node in nodes] == [None] * len(nodes)


@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_hook_on_several_tensors_goes_with_them(mode):
    def hook(grads):
        return None

    y = leaf() * 2
    handle = graph.register_multi_grad_hook((y, y * 3), hook, mode=mode)
    kept = weakref.ref(hook)
    del hook
    y.sum().backward()
    assert kept() is not None
    del y
    assert kept() is None
    handle.remove()
