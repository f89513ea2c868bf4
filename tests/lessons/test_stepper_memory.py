"""The memory lane: storages with their versions, who points there, what was saved of them."""

import autograd_core as torch
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.still import state_after


def lane(story, upto=None):
    """The lane after some steps: storages by their names, and slots by owner."""
    state = state_after(story["steps"][:upto])
    label = {each["id"]: each["name"] for each in story["memory"]["names"]}
    names: dict = {}
    for key, now in state["names"].items():
        names.setdefault(now["storage"], []).append(label[key])
    storages = {
        ", ".join(names.get(key, ["(no name)"])): (now["values"], now["version"])
        for key, now in state["storages"].items()
    }
    owner = {each["id"]: (each["owner"], each["name"]) for each in story["memory"]["slots"]}
    slots = {
        owner[key]: (
            ", ".join(names.get(now["storage"], [])),
            now["version"],
            "freed" if now["freed"] else "stale" if now["stale"] else "held",
        )
        for key, now in state["slots"].items()
    }
    return storages, slots


def step_that(story, words):
    return next(at for at, each in enumerate(story["steps"]) if words in each["says"])


def test_aliases_point_to_one_storage():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x * 2
        d = y.detach()
        v = y[0]
        z = y.sum()
    storages, _ = lane(recording.story)
    assert storages == {
        "x": (["1.", "2."], "0"),
        "y, d, v": (["2.", "4."], "0"),
        "z": (["6."], "0"),
    }
    assert (d._version, v._version, z._version) == (0, 0, 0)


def test_a_name_tells_the_maker_that_its_tensor_has_after_each_step():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        z = x.exp()
        z.add_(1)
        v = z[0]
        v.mul_(2)
    story = recording.story
    of = {each["name"]: each["id"] for each in story["memory"]["names"]}
    said = [
        state_after(story["steps"][:upto])["names"].get(of["z"], {}).get("says", "")
        for upto in range(2, len(story["steps"]) + 1)
    ]
    told = [each for place, each in enumerate(said) if place == 0 or each != said[place - 1]]
    assert told == ["made by ExpBackward0", "made by AddBackward0", "made by CopySlices"]


def test_a_slot_is_stale_from_the_step_of_the_change_on():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x * 2
        z = y.exp()
        z.add_(1)
        w = z.sum()
    story = recording.story
    change = step_that(story, "AddBackward0")
    slot = ("ExpBackward0", "result")
    assert lane(story, change)[1][slot] == ("z", "0", "held")
    assert lane(story, change + 1)[1][slot] == ("z", "0", "stale")
    storages, _ = lane(story)
    assert storages["z"][1] == str(z._version) == "1"
    assert "Stale from now on: what ExpBackward0 had kept." in story["steps"][change]["says"]
    assert w.grad_fn.next_functions[0][0].next_functions[0][0].saved_slots[0].is_stale


def test_what_is_freed_is_said_where_backward_frees_it():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x.exp()
        z = y.sum()
        z.backward()
    story = recording.story
    visit = step_that(story, "has arrived at y")
    slot = ("ExpBackward0", "result")
    assert lane(story, visit)[1][slot][2] == "held"
    assert lane(story, visit + 1)[1][slot][2] == "freed"


def test_a_change_that_no_operation_made_is_told_too():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    optimiser = torch.optim.SGD([x], lr=0.5)
    with record() as recording:
        z = (x * x).sum()
        z.backward()
        optimiser.step()
    storages, _ = lane(recording.story)
    assert storages["x"] == (["0.", "0."], "1")
    last = recording.story["steps"][-1]
    assert last["says"].startswith("x is changed in place.")
    assert x._version == 1


def test_a_change_through_an_alias_shows_at_the_other_tensors_place():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x * 2
        d = y.detach()
        d.zero_()
    story = recording.story
    name = {node["id"]: node["name"] for node in story["nodes"]}
    last = {name[key]: now for key, now in state_after(story["steps"])["nodes"].items()}
    assert (last["y"]["value"], last["y"]["version"]) == ("[0., 0.]", "1")
    assert (last["d"]["value"], last["d"]["version"]) == ("[0., 0.]", "1")


def test_values_of_a_place_stay_what_they_were_when_its_tensor_moves_on():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x * 2
        y.mul_(10)
    story = recording.story
    name = {node["id"]: node["name"] for node in story["nodes"]}
    last = {name[key]: now for key, now in state_after(story["steps"])["nodes"].items()}
    assert last["y (before)"]["value"] == "[2., 4.]"
    assert last["y"]["value"] == "[20., 40.]"


def test_a_stale_slot_is_found_in_a_graph_that_nobody_watched():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.mul_(2)
    story = step(z).story
    _, slots = lane(story)
    assert slots[("ExpBackward0", "result")][2] == "stale"
    assert "modified by an inplace operation" in story["steps"][-1]["error"]


def test_every_version_in_the_lane_is_the_storages_own():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as recording:
        y = x * 2
        y.add_(1)
        y.mul_(3)
        with torch.no_grad():
            x.sub_(1)
    storages, _ = lane(recording.story)
    assert storages["y"][1] == str(y._version)
    assert storages["x"] == (["0.", "1."], str(x._version))
