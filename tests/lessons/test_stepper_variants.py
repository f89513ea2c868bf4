"""The same graph told in other ways: a broken engine, and forward mode."""

import pytest

import autograd_core as torch
from autograd_core.autograd import forward_ad
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.still import state_after

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


def test_a_learners_own_function_is_not_run_for_the_sake_of_variants():
    calls = []

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            calls.append(grad)
            return grad * 2

    x = torch.tensor(1.0, requires_grad=True)
    with record() as recording:
        z = Twice.apply(x) * 3
        z.backward()
    assert len(calls) == 1
    assert set(variants(recording.story)) == {"true"}
    local = state_after(recording.story["steps"])["edges"]
    assert [edge["local"] for edge in local.values()] == ["2.", "3."]


def test_leaves_with_several_elements_are_not_moved():
    x = torch.ones(3, requires_grad=True)
    assert set(variants(step((x * 2).sum()).story)) == {"true"}
