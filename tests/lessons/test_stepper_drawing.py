"""The stepper's drawing: room for every text, nothing on top of anything, large graphs folded."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograd_core as torch
from autograd_core.drawing.svg import text_width
from lessons.widgets.stepper import step
from lessons.widgets.stepper.drawn import LABEL_WIDTH, PADDING, ROW_SIZE, WIDEST
from lessons.widgets.stepper.fold import KEPT_AT_EACH_END, MOST
from lessons.widgets.stepper.still import state_after

from .test_stepper_truth import document


def grown(choices):
    """A graph in which each operation takes one or two of the latest results."""
    pool = [torch.tensor(0.5, requires_grad=True), torch.tensor(-0.25, requires_grad=True)]
    for kind, back in choices:
        one, other = pool[-1], pool[-1 - back % min(len(pool), 6)]
        made = (one.mul(other), one.add(other), one.sin())
        pool.append(made[kind])
    return pool[-1]


graphs = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=MOST - 2
).map(grown)


def edges_of(box):
    x, y, width, height = box
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def assert_readable(story):
    boxes = {node["id"]: edges_of(node["box"]) for node in story["nodes"]}
    for one, other in combinations(boxes.values(), 2):
        beside = one[2] <= other[0] or other[2] <= one[0]
        assert beside or one[3] <= other[1] or other[3] <= one[1]
    width, height = story["size"]
    for left, top, right, bottom in boxes.values():
        assert left >= -0.1
        assert top >= -0.1
        assert right <= width + 0.1
        assert bottom <= height + 0.1
    for edge in story["edges"]:
        for (x0, y0), (x1, y1) in pairwise(edge["route"]):
            for key, (left, top, right, bottom) in boxes.items():
                if key in (edge["source"], edge["target"]) and x0 == x1:
                    continue
                beside = max(x0, x1) < left + 0.1 or min(x0, x1) > right - 0.1
                assert beside or max(y0, y1) <= top + 0.2 or min(y0, y1) >= bottom - 0.2


@settings(max_examples=15)
@given(graphs)
def test_in_graphs_of_up_to_sixty_places_nothing_covers_anything(z):
    story = step(z).story
    assert len(story["nodes"]) <= MOST
    assert_readable(story)


@pytest.mark.parametrize("count", [MOST - 1, MOST, 150])
def test_larger_graphs_fold_and_tell_the_same_gradient(count):
    x = z = torch.tensor(0.5, requires_grad=True)
    for _ in range(count):
        z = z * 1.01
    story = step(z).story
    folds = count + 1 > MOST
    assert len(story["nodes"]) == (2 * KEPT_AT_EACH_END + 1 if folds else count + 1)
    assert_readable(story)
    known = {node["id"] for node in story["nodes"]}
    ways = {edge["id"] for edge in story["edges"]}
    for steps in [story["steps"], *story["stories"].values()]:
        for each in steps:
            assert known >= {*each["focus"], *each["changes"]["nodes"]}
            assert ways >= {*each["edges"], *each["changes"]["edges"]}
    z.backward()
    (leaf,) = [node["id"] for node in story["nodes"] if node["kind"] == "leaf"]
    assert state_after(story["steps"])["nodes"][leaf]["grad"] == f"{x.grad.item():.4f}"
    assert bool(story["notes"]) == folds or not folds


def test_the_fold_is_one_place_and_one_step_in_each_direction():
    z = torch.tensor(0.5, requires_grad=True)
    for _ in range(100):
        z = z * 1.01
    story = step(z).story
    (folded,) = [node for node in story["nodes"] if node["kind"] == "folded"]
    inside = [each for each in story["steps"] if each["focus"] == [folded["id"]]]
    assert [each["says"] for each in inside] == [
        "77 steps happen in the part that is folded.",
        "77 steps happen in the part that is folded.",
    ]
    assert story["notes"][0] == ("The graph has 101 nodes; the 77 in the middle are drawn as one.")


def test_boxes_have_room_for_the_widest_text_of_any_step():
    story = step(document()[3]).story
    boxes = {node["id"]: node["box"] for node in story["nodes"]}
    for steps in [story["steps"], *story["stories"].values()]:
        for each in steps:
            for key, change in each["changes"]["nodes"].items():
                for row in ("value", "grad", "sum", "tangent"):
                    needed = text_width(str(change.get(row) or ""), ROW_SIZE, mono=True)
                    assert boxes[key][2] >= min(needed + LABEL_WIDTH + PADDING, WIDEST) - 0.1


def test_the_same_graph_is_told_the_same_way():
    assert step(document()[3]).story == step(document()[3]).story
