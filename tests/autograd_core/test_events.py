"""The engine tells a listener what it does, and does the same as without one."""

import threading
from contextlib import ExitStack

import numpy as np
import pytest

import autograd_core as torch
from autograd_core import engine, events
from autograd_core.function import Function
from autograd_core.node import AccumulateGrad, Node, walk
from autograd_core.tensor import Tensor

from .operators import IN_PLACE, OPERATORS


def number(value):
    return torch.tensor(value, requires_grad=True)


def heard(program, kind=events.Event):
    """What a listener hears of `program`, events of one kind; the program may raise."""
    found = []
    with events.listening(found.append):
        program()
    return [event for event in found if isinstance(event, kind)]


def told(event):
    """An event as one line."""
    match event:
        case events.Create():
            return f"create {event.name}"
        case events.Save():
            return "save " + ", ".join(f"{slot.name}@{slot.version}" for slot in event.slots)
        case events.Mutate():
            return f"mutate @{event.version}"
        case events.Visit() | events.Free():
            return f"{type(event).__name__.lower()} {event.node.name().rpartition('::')[2]}"
        case events.Send():
            return "send " + ", ".join(
                "nothing" if grad is None else f"{grad.item():.4f}" for grad in event.grads
            )
        case events.Accumulate():
            return f"accumulate {event.leaf.grad.item():.4f}"
        case events.End():
            return f"end {event.error}"
    return "begin"


def test_the_documents_graph_is_told_from_beginning_to_end():
    x1, x2 = number(1.0), number(2.0)

    def program():
        y = x1 * x2
        z = torch.log(y) * torch.sin(y)
        z.backward()

    assert [told(event) for event in heard(program)] == [
        "create MulBackward0",
        "save self@0, other@0",
        "create LogBackward0",
        "save self@0",
        "create SinBackward0",
        "save self@0",
        "create MulBackward0",
        "save self@0, other@0",
        "begin",
        "visit MulBackward0",
        "send 0.9093, 0.6931",
        "free MulBackward0",
        "visit SinBackward0",
        "send -0.2885",
        "free SinBackward0",
        "visit LogBackward0",
        "send 0.4546",
        "free LogBackward0",
        "visit MulBackward0",
        "send 0.3324, 0.1662",
        "free MulBackward0",
        "visit AccumulateGrad",
        "accumulate 0.3324",
        "visit AccumulateGrad",
        "accumulate 0.1662",
        "end None",
    ]


def test_nodes_inputs_and_outputs_are_the_engines_own():
    x = number(3.0)
    (create,) = heard(lambda: x * 2, events.Create)

    assert create.inputs[0] is x
    assert create.outputs[0].grad_fn is create.node
    assert create.node.next_functions[0][0].variable is x


def test_what_is_not_recorded_is_told_without_a_node():
    x = number(3.0)

    def program():
        with torch.no_grad():
            x * 2
        x.detach() + 1

    assert [(each.name, each.node) for each in heard(program, events.Create)] == [
        ("MulBackward0", None),
        ("detach", None),
        ("AddBackward0", None),
    ]


@pytest.mark.parametrize("change", ["mul_", "pow_"])
def test_a_change_in_place_is_told_with_its_version(change):
    y = number(3.0) * 1
    storage = y.untyped_storage()
    mutations = heard(lambda: [getattr(y, change)(2), y * 1], events.Mutate)

    assert [(each.storage, each.version) for each in mutations] == [(storage, 1)]


def test_a_change_through_a_view_makes_a_node_of_its_base():
    base = torch.ones(3, requires_grad=True) * 1
    part = base[0]
    (create,) = heard(lambda: part.mul_(5), events.Create)

    assert create.name == "MulBackward0"
    assert create.node is base.grad_fn
    assert type(create.node).__name__ == "CopySlices"


def test_the_change_that_an_optimiser_makes_is_told_before_the_next_event():
    x = number(3.0)
    optimiser = torch.optim.SGD([x], lr=0.1)

    def program():
        (x * 2).backward()
        optimiser.step()
        x * 3

    lines = [told(event) for event in heard(program)]
    assert lines[lines.index("end None") + 1 :][:2] == ["mutate @1", "create MulBackward0"]


def test_the_last_change_is_told_although_nothing_follows():
    x = number(3.0)
    optimiser = torch.optim.SGD([x], lr=0.1)

    def program():
        (x * 2).backward()
        optimiser.step()

    assert told(heard(program)[-1]) == "mutate @1"


def test_a_function_is_one_operation_whatever_it_does_inside():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x.detach()

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * 3 * x * x

    x = number(2.0)
    lines = [told(event) for event in heard(lambda: Cube.apply(x).backward())]
    assert lines == [
        "create CubeBackward",
        "save 0@0",
        "begin",
        "visit CubeBackward",
        "send 12.0000",
        "free CubeBackward",
        "visit AccumulateGrad",
        "accumulate 12.0000",
        "end None",
    ]


def test_gradients_are_sent_as_they_arrive_summed_over_what_was_broadcast():
    x, y = torch.ones(2, 3, requires_grad=True), number(2.0)
    (sum_, mul) = heard(lambda: (x * y).sum().backward(), events.Send)

    assert sum_.grads[0].shape == (2, 3)
    assert [grad.shape for grad in mul.grads] == [(2, 3), ()]
    assert mul.grads[1].item() == 6


def test_a_retained_graph_frees_nothing():
    y = number(3.0) ** 2

    assert heard(lambda: y.backward(retain_graph=True), events.Free) == []


def test_what_a_hooked_node_kept_is_freed_when_its_hooks_have_run():
    y, seen = number(3.0) ** 2, []
    y.grad_fn.register_hook(lambda gi, go: seen.append(y.grad_fn._saved_self))

    (free,) = heard(lambda: y.backward(), events.Free)

    assert free.node is y.grad_fn
    assert [kept.item() for kept in seen] == [3.0]


def test_begin_tells_what_was_asked_for():
    x = number(3.0)
    y = x**2
    (plain,) = heard(lambda: y.backward(torch.tensor(2.0), retain_graph=True), events.Begin)
    (returned,) = heard(lambda: torch.autograd.grad(y, x), events.Begin)

    assert plain.roots == ((y.grad_fn, 0),)
    assert [grad.item() for grad in plain.grads] == [2.0]
    assert (plain.retain_graph, plain.create_graph, plain.accumulate) == (True, False, True)
    assert plain.targets is None
    assert not returned.accumulate
    assert returned.targets == y.grad_fn.next_functions


def test_an_error_ends_the_walk_at_the_node_that_raised():
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.add_(1)
    found = []
    with events.listening(found.append), pytest.raises(RuntimeError, match="inplace") as error:
        y.sum().backward()

    assert found[-1].error is error.value
    assert found[-2].node.name() == "ExpBackward0"
    assert isinstance(found[-2], events.Visit)


def test_a_gradient_that_does_not_fit_is_told_as_it_is_and_refused_by_the_engine():
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return torch.ones(3)

    found, x = [], torch.ones(2, requires_grad=True)
    with events.listening(found.append):
        y = Wrong.apply(x)
        with pytest.raises(RuntimeError, match="invalid gradient at index 0"):
            y.backward(torch.ones(2))

    (sent,) = [event for event in found if isinstance(event, events.Send)]
    assert [grad.shape for grad in sent.grads] == [(3,)]
    assert "invalid gradient at index 0" in str(found[-1].error)


def test_what_the_listener_does_is_not_told():
    x, calls = number(3.0), []

    def listener(event):
        calls.append(event)
        y = x * 2 + x.detach()
        torch.autograd.grad(y, x)

    with events.listening(listener):
        x + 1
    assert len(calls) == 1


def test_only_the_listeners_own_thread_is_heard():
    x, found = number(3.0), []
    with events.listening(found.append):
        thread = threading.Thread(target=lambda: (x * 2).backward())
        thread.start()
        thread.join()
    assert found == []
    assert x.grad.item() == 2


def test_a_listener_is_heard_on_when_that_of_another_thread_stops():
    x, found = number(3.0), []
    listens, goes_on = threading.Event(), threading.Event()

    def multiply():
        with events.listening(found.append):
            listens.set()
            goes_on.wait()
            x * 2

    thread = threading.Thread(target=multiply)
    thread.start()
    listens.wait()
    with events.listening(lambda event: None):
        pass
    goes_on.set()
    thread.join()

    assert [told(event) for event in found] == ["create MulBackward0"]


def test_a_listener_may_stop_listening_when_it_is_told():
    x, found, stack = number(3.0), [], ExitStack()

    def listener(event):
        found.append(event)
        stack.close()

    stack.enter_context(events.listening(listener))
    (x * x).backward()

    assert [told(event) for event in found] == ["create MulBackward0"]


def test_a_second_listener_is_refused():
    with (
        events.listening(lambda event: None),
        pytest.raises(RuntimeError, match="already"),
        events.listening(lambda event: None),
    ):
        pass


def functions_in_their_places():
    classes = [Function, AccumulateGrad, *Node.__subclasses__()]
    own = {
        (kind, name): vars(kind)[name]
        for kind in classes
        for name in ("apply", "_run")
        if name in vars(kind)
    }
    return own, dict(vars(Tensor)), engine.run


def test_without_a_listener_the_engine_is_the_one_of_before():
    before = functions_in_their_places()
    with events.listening(lambda event: None):
        during = functions_in_their_places()
    assert functions_in_their_places() == before
    assert during != before


def test_a_listener_that_raises_is_taken_away_and_leaves_the_engine_as_it_was():
    before, x = functions_in_their_places(), number(3.0)

    def listener(event):
        raise KeyError("of the listener")

    with pytest.raises(KeyError), events.listening(listener):
        x * 2
    assert functions_in_their_places() == before
    assert heard(lambda: x * 2, events.Create)


@pytest.mark.parametrize("name", [*OPERATORS, *IN_PLACE])
def test_every_operator_is_heard_and_computes_the_same(name):
    function, arrays = (OPERATORS | IN_PLACE)[name]

    def gradients(around):
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        out = []

        def program():
            torch.manual_seed(0)
            output = function(*leaves)
            tensors = output if isinstance(output, tuple) else (output,)
            out.extend(each for each in tensors if isinstance(each, Tensor) and each.requires_grad)
            sum((each * each).sum() for each in out).backward()

        nodes = around(program)
        grads = [None if leaf.grad is None else leaf.grad.numpy().copy() for leaf in leaves]
        return nodes, out, grads

    created, out, grads = gradients(lambda program: heard(program, events.Create))
    _, _, alone = gradients(lambda program: program())
    made = {id(each.node) for each in created}
    lazily = ("CopySlices", "AsStridedBackward0")
    for output in out:
        for node in walk(output.grad_fn):
            if not isinstance(node, AccumulateGrad) and node.name() not in lazily:
                assert id(node) in made, node.name()
    for one, other in zip(grads, alone, strict=True):
        np.testing.assert_array_equal(one, other)
