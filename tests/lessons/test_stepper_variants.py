"""The same graph told in other ways: a broken engine, and forward mode."""

import pytest

import autograd_core as torch
from autograd_core.autograd import forward_ad
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.still import state_after
from lessons.widgets.stepper.switches import BY_BACKWARD, NO_JVP, NOT_AGAIN

from .test_stepper_truth import document


def ends(story, variant, what):
    """What places show in the end of a variant, by name."""
    steps = story["stories"][variant] if variant != "true" else story["steps"]
    name = {node["id"]: node["name"] for node in story["nodes"]}
    return {
        name[key]: now.get(what)
        for key, now in state_after(steps)["nodes"].items()
        if now.get(what) is not None
    }


def variants(story):
    return {each["id"]: each["label"] for each in story["variants"]}


def test_the_documents_graph_has_all_variants():
    x1, x2, y, z = document()
    assert variants(step(z, x1=x1, x2=x2, y=y, z=z).story) == {
        "true": "as it is",
        "overwrite": "overwrite instead of add",
        "unordered": "no topological order",
        "tangent:x1": "forward mode: x1 moves",
        "tangent:x2": "forward mode: x2 moves",
        "tangents": "forward mode: each leaf in turn",
    }


def test_who_overwrites_loses_what_came_first():
    x = torch.tensor(1.0, requires_grad=True)
    y = 3 * x
    z = 2 * y + 5 * y
    story = step(z).story
    assert ends(story, "true", "grad")["x"] == "21."
    assert ends(story, "overwrite", "grad")["x"] == "6."
    assert story["stories"]["overwrite"][-1]["says"] == "x.grad is 6, but should be 21."


def test_who_does_not_wait_passes_on_too_little():
    x = torch.tensor(1.0, requires_grad=True)
    y = 3 * x
    z = 2 * y + 5 * y
    story = step(z).story
    assert ends(story, "unordered", "grad")["x"] == "15."
    late = [
        change["sum"]
        for each in story["stories"]["unordered"]
        for change in each["changes"]["nodes"].values()
        if "too late" in str(change.get("sum"))
    ]
    assert late == ["2. comes too late"]


def test_a_chain_has_nothing_that_could_go_wrong():
    x = torch.tensor(1.0, requires_grad=True)
    assert set(variants(step((x * 3).sin()).story)) == {"true", "tangent:x"}


def test_who_overwrites_loses_the_gradient_that_was_there():
    x = torch.tensor(3.0, requires_grad=True)
    (x * 2).backward()
    story = step(x * 5).story
    assert ends(story, "true", "grad")["x"] == "7."
    assert ends(story, "overwrite", "grad")["x"] == "5."


@pytest.mark.parametrize("moving", [0, 1])
def test_tangents_are_those_of_forward_mode(moving):
    x1, x2, y, z = document()
    story = step(z, x1=x1, x2=x2, y=y, z=z).story
    with forward_ad.dual_level():
        duals = [each.detach() for each in (x1, x2)]
        duals[moving] = forward_ad.make_dual(duals[moving], torch.tensor(1.0))
        product = duals[0] * duals[1]
        result = torch.log(product) * torch.sin(product)
        expected = [forward_ad.unpack_dual(each).tangent for each in (product, result)]
    found = ends(story, f"tangent:x{moving + 1}", "tangent")
    assert float(found["y"]) == pytest.approx(expected[0].item(), abs=1e-4)
    assert float(found["z"].rpartition("= ")[2]) == pytest.approx(expected[1].item(), abs=1e-4)
    assert found[f"x{2 - moving}"] == "0."


def test_sweeps_are_counted():
    x1, x2, y, z = document()
    story = step(z, x1=x1, x2=x2, y=y, z=z).story
    assert story["steps"][-1]["sweeps"] == {"reverse": 1, "forward": 0}
    assert story["stories"]["tangents"][-1]["sweeps"] == {"reverse": 0, "forward": 2}


def test_a_recording_has_the_variants_of_its_first_backward():
    x = torch.tensor(1.0, requires_grad=True)
    with record() as recording:
        y = 3 * x
        z = 2 * y + 5 * y
        z.backward()
    story = recording.story
    assert set(variants(story)) == {"true", "overwrite", "unordered", "tangent:x"}
    assert ends(story, "overwrite", "grad")["x"] == "6."
    assert x.grad.item() == 21


class Square(torch.autograd.Function):
    """A learner's own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.gains, ctx.x = [2], x
        return x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        ctx.seen = ctx.gains.pop() * x
        x.zero_()
        ctx.x.zero_()
        grad.mul_(ctx.seen)
        return grad


class ForgetsUpstream(Square):
    """The same with the commonest mistake."""

    @staticmethod
    def backward(ctx, grad):
        return 2 * ctx.saved_tensors[0]


def recorded(function, x):
    with record() as recording:
        y = function.apply(x)
        z = 2 * y + 5 * y
        z.backward()
    return recording.story


def test_a_learners_own_function_has_the_switches():
    story = recorded(Square, torch.tensor(3.0, requires_grad=True))
    assert set(variants(story)) == {"true", "overwrite", "unordered"}
    found = [ends(story, variant, "grad")["x"] for variant in ("true", "overwrite", "unordered")]
    assert found == ["42.", "12.", "30."]
    assert NO_JVP.format("Square") in story["notes"]


def test_the_switches_show_a_learners_own_backward_as_it_is_not_as_it_should_be():
    story = recorded(ForgetsUpstream, torch.tensor(3.0, requires_grad=True))
    assert ends(story, "true", "grad")["x"] == "6."
    # Whatever arrives, it answers the same: no engine makes a difference.
    assert set(variants(story)) == {"true"}


def test_a_replay_leaves_the_learners_ctx_and_memory_alone():
    x = torch.tensor(3.0, requires_grad=True)
    with record() as recording:
        y = Square.apply(x)
        z = 2 * y + 5 * y
        node = y.grad_fn
        version = x._version
        z.backward()
    # Its own run has changed them, once.
    assert (node.gains, node.seen.item(), x._version) == ([], 6.0, version + 2)
    assert set(variants(recording.story)) == {"true", "overwrite", "unordered"}


count = 0
journal = []


class Notes(Square):
    @staticmethod
    def backward(ctx, grad):
        journal.append(grad)
        return grad * 2


class Counts(Square):
    @staticmethod
    def backward(ctx, grad):
        global count
        count += 1
        return grad * 2


class Gambles(Square):
    @staticmethod
    def backward(ctx, grad):
        return grad * torch.rand(())


class Tells(Square):
    @staticmethod
    def backward(ctx, grad):
        return helper(grad)


def helper(grad):
    Tells.times = getattr(Tells, "times", 0) + 1
    return grad * 2


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (Notes, "uses journal, which may remember it"),
        (Counts, "changes count outside of it"),
        (Gambles, "uses random numbers"),
        (Tells, "uses Tells, which may remember it"),
    ],
)
def test_a_backward_that_would_notice_is_not_run_again_and_the_story_says_why(function, why):
    journal.clear()
    before = count
    story = recorded(function, torch.tensor(3.0, requires_grad=True))
    assert set(variants(story)) == {"true"}
    assert NOT_AGAIN.format(function.__name__, why) in story["notes"]
    assert (len(journal), count - before, getattr(Tells, "times", 0)) == (
        function is Notes,
        function is Counts,
        function is Tells,
    )


def test_saved_tensors_that_may_be_read_once_are_left_for_the_program():
    class Once(Square):
        clear_saved_tensors_on_access = True

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

    x = torch.tensor(3.0, requires_grad=True)
    story = recorded(Once, x)
    assert x.grad.item() == 42
    assert NOT_AGAIN.format("Once", "uses up what it gets") in story["notes"]


def test_forward_mode_passes_a_learners_own_function_that_has_a_jvp():
    class Moving(Square):
        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

        @staticmethod
        def jvp(ctx, tangent):
            raise AssertionError("not run again")

    x = torch.tensor(3.0, requires_grad=True)
    story = recorded(Moving, x)
    assert ends(story, "tangent:x", "tangent")["z"] == "12. + 30. = 42."
    assert BY_BACKWARD.format("Moving") in story["notes"]
    assert BY_BACKWARD.format("Moving") in step(Moving.apply(x) * 2).story["notes"]


def test_where_no_function_is_a_learners_own_nothing_is_said_of_it():
    x1, x2, y, z = document()
    assert step(z, x1=x1, x2=x2, y=y, z=z).story["notes"] == []


def test_leaves_with_several_elements_are_not_moved():
    x = torch.ones(3, requires_grad=True)
    assert set(variants(step((x * 2).sum()).story)) == {"true"}
