"""Which gradients pass by in the stepper's story, which are kept, and what a learner's own get."""

import autograd_core as torch
from lessons.widgets.stepper import record, step
from lessons.widgets.stepper.still import state_after


def test_a_retained_gradient_is_told():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        y = x * 3
        y.retain_grad()
        (y * y).backward()
    story = recording.story
    assert any(
        "y was asked to keep it: y.grad is 12 now." in each["says"] for each in story["steps"]
    )
    facts = {node["name"]: node["facts"] for node in story["nodes"]}
    assert (facts["y"]["retains_grad"], facts["x"]["leaf"]) == ("True", "leaf")


def test_a_gradient_that_passes_before_anybody_asks_is_not_kept():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        h = 3 * x
        y = h * h
        y.backward(retain_graph=True)
        h.retain_grad()
        y.backward(retain_graph=True)
        y.backward()
    steps = recording.story["steps"]
    told = [each["says"] for each in steps if each["title"] == "Backward: h"]
    assert "h was not asked in time to keep it, so it passes by." in told[0]
    assert "h was asked to keep it: h.grad is 12 now." in told[1]
    assert "h was asked to keep it: h.grad is 24 now." in told[2]
    titles = [each["title"] for each in steps]
    assert titles.index("Backward: h") < titles.index("h is asked")
    assert titles.count("h is asked") == 1
    (h,) = [node["id"] for node in recording.story["nodes"] if node["name"] == "h"]
    assert state_after(steps)["nodes"][h]["kept"] == "24."


def h_kept_in(story):
    states = state_after(story["steps"])["nodes"].values()
    return next((each["kept"] for each in states if "kept" in each), None)


def test_stepping_tells_what_a_result_would_keep_and_changes_nothing():
    x = torch.tensor(2.0, requires_grad=True)
    h = 3 * x
    h.retain_grad()
    y = h * h
    y.backward(retain_graph=True)
    assert h_kept_in(step(y).story) == "24."
    assert h.grad.item() == 12


def test_the_request_to_keep_a_gradient_goes_with_a_tensor_that_is_changed_in_place():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        h = 3 * x
        h.retain_grad()
        h.mul_(2)
        y = h * h
        y.backward()
    story = recording.story
    facts = {node["name"]: node["facts"].get("retains_grad") for node in story["nodes"]}
    assert (facts["h"], facts["h (before)"]) == ("True", "False")
    assert h.grad.item() == 24
    assert h_kept_in(story) == "24."
    titles = [each["title"] for each in story["steps"]]
    assert titles.index("h is asked") == titles.index("Forward: h (before)") + 1
    (question,) = [each["question"] for each in story["steps"] if "question" in each]
    answer = story["answers"][question["token"]]
    assert answer["truth"] == "24"
    assert [each["answer"] for each in answer["wrong"]] == ["48", "72"]


def test_the_learners_own_backward_is_called_by_its_name():
    class Triple(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 3 * x

        @staticmethod
        def backward(ctx, grad_output):
            return 3 * grad_output

    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        y = Triple.apply(x)
        z = 5 * y
        z.backward()
    says = (
        "5 has arrived at y. To your backward that is grad_output. "
        "Triple.backward returns 5 \u00d7 3 = 15 to x."
    )
    assert says in [each["says"] for each in recording.story["steps"]]
    y = Triple.apply(x)
    assert says in [each["says"] for each in step(5 * y, x=x, y=y).story["steps"]]
