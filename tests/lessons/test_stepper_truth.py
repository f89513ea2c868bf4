"""What the stepper tells is what the engine does, and it changes nothing of it."""

import gc
import json
import warnings
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings

import autograd_core as torch
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.acts import Collect, Visit
from lessons.widgets.stepper.frames import Names
from lessons.widgets.stepper.looking import grad_of, maker_of, version_of
from lessons.widgets.stepper.reading import read
from lessons.widgets.stepper.recording import LOST
from lessons.widgets.stepper.replay import replay
from lessons.widgets.stepper.still import state_after, still

from .drawn_programs import leaves_of, programs, run

many = settings(max_examples=25, suppress_health_check=list(HealthCheck))


def document():
    x1 = torch.tensor(1.0, requires_grad=True)
    x2 = torch.tensor(2.0, requires_grad=True)
    y = x1 * x2
    return x1, x2, y, torch.log(y) * torch.sin(y)


def state(tensors):
    """All that can be seen of tensors and their graph."""
    seen = []
    for tensor in tensors:
        grad, maker = grad_of(tensor), maker_of(tensor)
        slots = maker.saved_slots if maker is not None else ()
        seen.append(
            (
                tensor.tolist(),
                version_of(tensor),
                tensor.requires_grad,
                None if grad is None else (id(grad), grad.tolist(), grad._version),
                [(slot.name, slot.version, slot.freed, slot.is_stale) for slot in slots],
            )
        )
    return seen


# A view whose base is changed in place, and then cut off before the view is asked for its maker.
LATE_RENEWAL = (
    (),
    [("neg", 0, 0)] * 3
    + [("view", 28, 0), ("inplace_add", 32, 0)]
    + [("neg", 0, 0)] * 4
    + [("detach_", 7, 0), ("neg", 45, 0)],
    ["backward"],
)


@many
@given(programs)
@example(LATE_RENEWAL)
def test_a_recorded_program_ends_as_it_does_without(program):
    plain, recorded = leaves_of(program[0]), leaves_of(program[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = state([*plain, *run(program, plain)])
        with record() as recording:
            results = run(program, recorded)

    def without_ids(seen):
        return [(*each[:3], each[3] and each[3][1:], *each[4:]) for each in seen]

    found = without_ids(state([*recorded, *results]))
    assert json.dumps(found) == json.dumps(without_ids(expected))
    json.dumps(recording.story, allow_nan=False)
    assert LOST not in recording.story["notes"]
    assert still(recording.story).svg.startswith("<svg")


@many
@given(programs)
def test_stepping_through_any_graph_disturbs_nothing(program):
    tensors = leaves_of(program[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = run(program, tensors)
        before = state([*tensors, *results])
        for z in [*results[-2:], tensors[2]]:
            story = step(z).story
            json.dumps(story, allow_nan=False)
            assert story["steps"]
        assert state([*tensors, *results]) == before


def consistent(acts):
    """Whether what arrives is the sum of what was sent there, at every visit."""
    sums = {}
    for act in acts:
        if isinstance(act, Visit | Collect):
            expected = sums.pop(act.spot, None)
            if expected is not None:
                np.testing.assert_allclose(act.arrived, expected, rtol=1e-5)
        if isinstance(act, Visit):
            for sent in act.sent:
                if sent.contribution is not None:
                    source = sent.link.source
                    sums[source] = sums.get(source, 0) + sent.contribution
    return not sums


@many
@given(programs)
def test_contributions_sum_to_the_gradients_that_backward_leaves(program):
    tensors = leaves_of(program[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = run((*program[:2], ()), tensors)
    if not results or any(name == "hook" for name, _, _ in program[1]):
        # Hooks are run by backward alone.
        return
    z = results[-1].sum()
    atlas, _ = read(z, z.grad_fn, Names({}))
    acts = replay(atlas, [(z.grad_fn, 0, torch.ones_like(z.detach()))])
    raised = ""
    try:
        z.backward()
    except RuntimeError as error:
        raised = str(error).partition(" Hint: ")[0]
    if raised:
        assert acts[-1].error == raised
        return
    assert consistent(acts)
    collected = {act.spot: act.after for act in acts if isinstance(act, Collect)}
    for leaf in tensors[:2]:
        spot = atlas.of_tensor(leaf)
        assert (leaf.grad is None) == (spot is None or collected.get(spot) is None)
        if leaf.grad is not None:
            np.testing.assert_array_equal(collected[spot], leaf.grad.numpy())


def test_the_documents_numbers():
    x1, x2, y, z = document()
    with record() as recording:
        y = x1 * x2
        z = torch.log(y) * torch.sin(y)
        z.backward()
    story = recording.story
    names = {node["id"]: node["name"] for node in story["nodes"]}
    last = state_after(story["steps"])
    grads = {names[key]: now["grad"] for key, now in last["nodes"].items()}
    assert grads == {
        "x1": "0.3324",
        "x2": "0.1662",
        "y": "0.1662",
        "log(y)": "0.9093",
        "sin(y)": "0.6931",
        "z": "1.",
    }
    edges = {
        (names[edge["source"]], names[edge["target"]]): last["edges"][edge["id"]]
        for edge in story["edges"]
    }
    carried = {
        ends: f"{now['upstream']} * {now['local']} = {now['contribution']}"
        for ends, now in edges.items()
    }
    assert carried == {
        ("x1", "y"): "0.1662 * 2. = 0.3324",
        ("x2", "y"): "0.1662 * 1. = 0.1662",
        ("y", "log(y)"): "0.9093 * 0.5000 = 0.4546",
        ("y", "sin(y)"): "0.6931 * -0.4161 = -0.2885",
        ("log(y)", "z"): "1. * 0.9093 = 0.9093",
        ("sin(y)", "z"): "1. * 0.6931 = 0.6931",
    }
    assert z.grad_fn.saved_slots[0].freed


def test_where_paths_meet_the_sum_runs():
    x = torch.tensor(2.0, requires_grad=True)
    y = 3 * x
    z = 2 * y + 5 * y
    story = step(z).story
    (at_y,) = [node["id"] for node in story["nodes"] if node["name"] == "y"]
    sums = [change["changes"]["nodes"].get(at_y, {}).get("sum") for change in story["steps"]]
    assert [each for each in sums if each] == ["5. + …", "5. + 2. = 7.", "5. + 2. = 7."]


def test_a_gradient_that_is_there_is_added_to():
    x = torch.tensor(3.0, requires_grad=True)
    with record() as recording:
        z = x**2
        z.backward(retain_graph=True)
        z.backward()
    last = recording.story["steps"][-1]
    assert last["says"] == "x.grad was 6. What arrives is added: 6 + 6 = 12."
    assert [each["sweeps"]["reverse"] for each in recording.story["steps"]][-1] == 2


def test_lines_are_those_that_made_the_nodes():
    x = torch.tensor(3.0, requires_grad=True)
    with record() as recording:
        y = x * 2
        y.backward()
    story = recording.story
    text = {line["number"]: line["text"].strip() for line in story["source"]}
    made = {node["name"]: text.get(node["line"]) for node in story["nodes"]}
    assert made == {"x": None, "y": "y = x * 2"}
    walk = [each for each in story["steps"] if each["phase"] == "backward"]
    assert [each["title"] for each in walk] == ["Backward begins", "Backward: y", "x.grad"]
    assert [text[each["line"]] for each in walk] == ["y.backward()"] * 3


def test_what_is_not_in_the_graph_says_why():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        d = x.detach()
        with torch.no_grad():
            n = x * 10
        z = x * d + n
        z.backward()
    story = recording.story
    names = {node["id"]: node["name"] or node["function"] for node in story["nodes"]}
    whys = {(names[e["source"]], names[e["target"]]): e["why"] for e in story["edges"]}
    assert whys == {
        ("x", "d"): "cut by detach",
        ("x", "n"): "not recorded: no_grad",
        ("x", "x * d"): "",
        ("d", "x * d"): "does not require grad",
        ("x * d", "z"): "",
        ("n", "z"): "does not require grad",
    }
    assert {n["name"]: n["kind"] for n in story["nodes"]}["n"] == "absent"


def test_an_error_is_told_in_pytorchs_words_where_it_happens():
    x = torch.ones(2, requires_grad=True)
    with record() as recording:
        y = x.exp()
        z = y.sum()
        y.add_(1)
        with pytest.raises(RuntimeError) as error:
            z.backward()
    *_, last = recording.story["steps"]
    assert last["error"] == str(error.value).partition(" Hint: ")[0]
    assert last["says"].endswith("From here it cannot go on, and PyTorch raises.")
    assert [n["name"] for n in recording.story["nodes"] if n["id"] in last["focus"]] == [
        "y (before)"
    ]


def test_an_error_that_nobody_catches_goes_on_and_is_told():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    recording = record()
    with pytest.raises(RuntimeError, match="leaf"), recording:
        x.add_(y)
    last = recording.story["steps"][-1]
    assert last["error"].startswith("a leaf Variable that requires grad")
    text = {line["number"]: line["text"].strip() for line in recording.story["source"]}
    assert text[last["line"]] == "x.add_(y)"


def test_a_graph_that_was_freed_says_so():
    _, _, _, z = document()
    z.backward()
    last = step(z).story["steps"][-1]
    assert last["error"].startswith("Trying to backward through the graph a second time")


def test_a_tensor_without_a_graph_says_what_backward_would():
    last = step(torch.tensor(1.0)).story["steps"][-1]
    assert last["error"] == (
        "element 0 of tensors does not require grad and does not have a grad_fn"
    )


def test_what_nobody_holds_any_more_is_not_made_up():
    x = torch.tensor(2.0, requires_grad=True)
    z = (x + 1) + 2
    values = [
        change.get("value")
        for each in step(z).story["steps"]
        for change in each["changes"]["nodes"].values()
    ]
    assert "not kept" in values


@pytest.mark.parametrize("call", [step, record])
def test_only_tensors_are_taken(call):
    x = torch.tensor(1.0, requires_grad=True)
    with pytest.raises(TypeError, match="y is a float"):
        call(x, y=1.0) if call is step else call(y=1.0)


def test_step_needs_a_tensor():
    with pytest.raises(TypeError, match="z is a list"):
        step([1.0])


def test_a_recording_inside_a_recording_is_refused():
    with record(), pytest.raises(RuntimeError, match="already"), record():
        pass


def test_a_story_holds_no_tensor():
    def program():
        x = torch.tensor(2.0, requires_grad=True)
        with record() as recording:
            y = x * 3
            y.backward()
        return recording, weakref.ref(x), weakref.ref(y), weakref.ref(y.grad_fn)

    recording, *references = program()
    gc.collect()
    assert [reference() for reference in references] == [None, None, None]
    assert recording.story["steps"]


def test_arithmetic_on_data_alone_is_left_out():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        data = torch.ones(3) * 2
        scale = data.sum()
        z = x * 3
        z.backward()
    assert [node["name"] for node in recording.story["nodes"]] == ["z", "x"]
    assert scale.item() == 6


def test_a_hook_that_replaces_a_gradient_is_told():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        y = x * 3
        y.register_hook(lambda grad: grad * 10)
        z = y * 1
        z.backward()
    says = [each["says"] for each in recording.story["steps"]]
    assert any(
        each.startswith("10 has arrived at y. A hook has made that of what was sent.")
        for each in says
    )
    assert x.grad.item() == 30


def test_stepping_runs_no_hooks_and_says_so():
    calls = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.register_hook(calls.append)
    story = step(y * 1).story
    assert calls == []
    assert story["notes"] == ["Hooks are not run here; in backward they would be."]


def test_only_what_was_asked_for_is_walked():
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(5.0, requires_grad=True)
    with record() as recording:
        z = x * w
        torch.autograd.grad(z, x)
    story = recording.story
    name = {node["id"]: node["name"] for node in story["nodes"]}
    carried = state_after(story["steps"])["edges"]
    sent = {
        name[edge["source"]]: carried[edge["id"]].get("contribution") for edge in story["edges"]
    }
    assert sent == {"x": "5.", "w": "None"}
    assert story["steps"][-1]["says"] == "What was asked for is returned; no .grad has changed."
    assert x.grad is None
