"""Figures and recordings leave no trace in what they show."""

import math
import random
import warnings

import pytest

import autograd_core as torch
from autograd_core import events
from autograd_core.autograd.graph import saved_tensors_hooks
from autograd_core.graph import looking
from autograd_core.utils.checkpoint import checkpoint
from lessons.widgets import line, memory
from lessons.widgets.answers import same_answer, shown
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.operations import Operations
from lessons.widgets.stepper.recording import LOST
from lessons.widgets.stepper.replay import ONLY_IN_A_WALK
from lessons.widgets.stepper.switches import NOT_AGAIN, UNPACKS

from .test_stepper_variants import variants


def stale_view():
    """A view whose base was changed through another name, with all that belongs to it."""
    x = torch.tensor(1.0, requires_grad=True)
    base = x * 2
    view = base.view(1)
    base.add_(1)
    return x, base, view


def recorded(x, base, view):
    with record(), torch.no_grad():
        view * 2


@pytest.mark.parametrize(
    "look",
    [
        recorded,
        lambda x, base, view: step(view),
        lambda x, base, view: memory(x=x, base=base, view=view),
        lambda x, base, view: torch.make_dot(view, {"x": x, "base": base}, show_saved=True),
        lambda x, base, view: torch.make_dot(base * 2, {"view": view}),
    ],
)
def test_a_view_that_is_out_of_date_stays_so_until_the_program_asks(look):
    x, base, view = stale_view()
    look(x, base, view)
    # Had it been asked before, its history would lead on to x.
    base.detach_()
    view.sum().backward()
    assert x.grad is None


def test_what_would_be_the_maker_is_what_grad_fn_becomes():
    x, base, view = stale_view()
    before = looking.maker_of(view)
    assert (before.name(), before.next_functions[0][0]) == ("AsStridedBackward0", base.grad_fn)
    assert looking.maker_of(view) is not before
    assert view.grad_fn is looking.maker_of(view)
    assert looking.maker_of(x) is x.grad_fn is None


def test_a_view_without_a_history_to_be_had_is_shown_and_says_so():
    x = torch.ones(2, requires_grad=True)
    base = x * 2
    part, _ = base.split(1)
    base.add_(1)
    with pytest.raises(RuntimeError, match="multiple views"):
        looking.maker_of(part)
    assert "part: view of base, grad_fn raises, shape (1,)" in memory(base=base, part=part).text
    assert "multiple views" in step(part).story["steps"][-1]["error"]


def test_renewing_a_view_is_no_event():
    _, base, view = stale_view()
    base.detach_()
    told = []
    with events.listening(told.append):
        assert view.grad_fn.name() == "AsStridedBackward0"
    assert told == []


def test_a_lone_number_stays_one():
    drawn = random.Random(0)
    numbers = [drawn.uniform(0, 0.1) for _ in range(60)]

    def digits():
        for number in numbers:
            x = torch.tensor(number, dtype=torch.float64, requires_grad=True)
            y = x * 1
            memory(x=x, y=y)
            torch.make_dot(y, {"x": x}, show_saved=True)
            step(y)
            # Changed in place, it becomes what it will be computed as.
            with torch.no_grad():
                x.mul_(1)
            yield x.tanh().item()

    with record():
        found = list(digits())
    # An array's may differ in the last digit.
    assert found == [math.tanh(number) for number in numbers]


def test_to_compare_and_to_plot_is_no_event():
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor([1.0, 2.0], requires_grad=True) * 2
    told = []
    with events.listening(told.append):
        assert same_answer(x, 2.0)
        assert shown(x) == "2"
        assert line(y).y.tolist() == [2.0, 4.0]
    assert told == []


def test_a_program_goes_on_where_its_recording_cannot_follow(monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        y = x * 3
        monkeypatch.setattr(Operations, "create", fail)
        (y * 5).backward()
    assert x.grad.item() == 15
    assert LOST in recording.story["notes"]
    assert "y" in [node["name"] for node in recording.story["nodes"]]


def test_a_leaf_that_has_been_given_another_shape_is_shown():
    x = torch.tensor(0.25, requires_grad=True)
    z = x.log()
    x.data = torch.tensor([0.5])
    assert "tangent:x" in variants(step(z).story)
    with record() as recording:
        z.backward()
    assert LOST not in recording.story["notes"]
    assert x.grad.item() == 2


class Silent:
    """What must not be asked for anything."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")


def test_what_else_is_in_a_frame_is_not_asked_for_anything():
    silent = Silent()
    x = torch.tensor(2.0, requires_grad=True)
    keyed = {silent: x, "x": x}
    with record() as recording:
        (keyed["x"] * 3).backward()
    assert "x" in [node["name"] for node in recording.story["nodes"]]
    step(x * 3)


def packing(told):
    def pack(tensor):
        told.append("pack")
        return tensor

    def unpack(tensor):
        told.append("unpack")
        return tensor

    return saved_tensors_hooks(pack, unpack)


def test_recording_unpacks_nothing_that_the_program_does_not():
    told = []
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        with packing(told):
            y = x.exp()
        (y * 3).backward()
    assert told == ["pack", "unpack"]
    assert variants(recording.story).keys() == {"true"}
    assert NOT_AGAIN.format("ExpBackward0", UNPACKS) in recording.story["notes"]


def test_a_checkpoint_is_recorded_as_it_runs():
    runs = []

    def function(x):
        runs.append(x)
        return (x * 2).sin() * x

    x = torch.tensor(0.5, requires_grad=True)
    with record():
        checkpoint(function, x, use_reentrant=False).backward()
    assert len(runs) == 2
    assert x.grad.item() == pytest.approx(math.sin(1) + math.cos(1))


def test_a_checkpoint_with_a_walk_of_its_own_is_stepped_to_and_recorded():
    x = torch.tensor(0.5, requires_grad=True)
    story = step(checkpoint(torch.exp, x, use_reentrant=True) * 2).story
    assert story["steps"][-1]["says"] == ONLY_IN_A_WALK
    assert not any(each.get("error") for each in story["steps"])
    assert x.grad is None

    with record() as recording:
        checkpoint(torch.exp, x, use_reentrant=True).backward()
    assert recording.story["steps"][-1]["says"].startswith("x is a leaf: its .grad was None")
    assert x.grad.item() == pytest.approx(math.exp(0.5))


def test_stepping_unpacks_once():
    told = []
    x = torch.tensor(2.0, requires_grad=True)
    with packing(told):
        y = x.exp()
    story = step(y * 3).story
    assert told == ["pack", "unpack"]
    assert story["notes"] == [NOT_AGAIN.format("ExpBackward0", UNPACKS)]
    assert variants(story).keys() == {"true"}


def test_figures_say_what_is_packed():
    told = []
    x = torch.tensor(2.0, requires_grad=True)
    with packing(told):
        y = x.exp()
    assert "Packed by hooks, and not shown: what ExpBackward0 has saved." in memory(x=x, y=y).text
    assert "saved result (packed by a hook)" in torch.make_dot(y, show_saved=True).text
    assert told == ["pack"]


journal = []


class Notes(torch.autograd.Function):
    """One that would notice that it runs."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        journal.append(grad)
        return grad * 2


def test_stepping_runs_a_backward_that_would_notice_once_as_there_is_no_other_way():
    journal.clear()
    x = torch.tensor(3.0, requires_grad=True)
    y = Notes.apply(x)
    story = step(2 * y + 5 * y).story
    assert len(journal) == 1
    assert story["notes"] == [NOT_AGAIN.format("Notes", "uses journal, which may remember it")]


class Warns(Notes):
    @staticmethod
    def backward(ctx, grad):
        warnings.warn("not accurate", stacklevel=2)
        return grad * 2


class Imports(Notes):
    @staticmethod
    def backward(ctx, grad):
        import warnings as inside

        inside.warn("not accurate", stacklevel=2)
        return grad * 2


class Calls(Notes):
    @staticmethod
    def forward(ctx, x):
        ctx.function = journal.append
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        ctx.function(grad)
        return grad * 2


@pytest.mark.parametrize(
    ("function", "what"), [(Warns, "warnings"), (Imports, "warnings"), (Calls, "ctx.function")]
)
def test_modules_and_what_ctx_holds_may_remember_it_too(function, what):
    journal.clear()
    x = torch.tensor(3.0, requires_grad=True)
    with record() as recording, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        y = function.apply(x)
        (2 * y + 5 * y).backward()
    assert len(journal) + len(caught) == 1
    why = f"uses {what}, which may remember it"
    assert NOT_AGAIN.format(function.__name__, why) in recording.story["notes"]


def test_numbers_that_are_none_bring_no_warnings():
    x = torch.tensor(float("inf"), requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with record():
            (x * 2 - x).backward()
            (x - x).backward()
        step(x * x - x * 2)


def test_a_leaf_that_has_been_moved_into_the_graph_is_asked_for_no_gradient():
    def graph():
        x, y = (torch.tensor(each, requires_grad=True) for each in (2.0, 3.0))
        z = x + y
        x.requires_grad_(False)
        return x.add_(y) + z

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(graph())
        with record(), pytest.raises(RuntimeError, match="moved into the graph interior"):
            graph().backward()


@pytest.mark.parametrize("call", [step, lambda z: z.backward()])
def test_nothing_at_all_is_a_graph_as_any_other(call):
    x = torch.tensor(0.25, requires_grad=True)
    with record() as recording:
        z = x[x > 0.3].sum()
    call(z)
    with record() as recording:
        x[x > 0.3].sum().backward()
    assert recording.story["steps"]
