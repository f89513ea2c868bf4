import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograd_core.drawing.layout import lay_out
from autograd_core.drawing.order import count_crossings, neighbours, order_rows

GAP_X, GAP_Y = 28.0, 40.0


@st.composite
def graphs(draw, most=24):
    count = draw(st.integers(1, most))
    sizes = draw(
        st.lists(st.tuples(st.floats(10, 200), st.floats(10, 90)), min_size=count, max_size=count)
    )
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    edges = draw(st.lists(pairs.filter(lambda pair: pair[0] < pair[1]), max_size=2 * count))
    return sizes, edges


def random_graph(count, seed):
    """A graph like a recorded one: every function takes one or two earlier results."""
    rng = random.Random(seed)
    sizes = [
        (rng.choice([110.0, 130.0, 150.0]), rng.choice([31.0, 48.0, 68.0])) for _ in range(count)
    ]
    edges = []
    for target in range(4, count):
        for source in rng.sample(range(max(0, target - 9), target), rng.choice([1, 2])):
            edges.append((source, target))
    return sizes, edges


def assert_no_overlap(layout):
    for one, other in combinations(layout.boxes, 2):
        apart_x = max(one.left, other.left) - min(one.right, other.right)
        apart_y = max(one.top, other.top) - min(one.bottom, other.bottom)
        assert apart_x > GAP_X - 1e-6 or apart_y > GAP_Y - 1e-6


def assert_routes_avoid_boxes(layout, edges):
    for (source, target), route in zip(edges, layout.routes, strict=True):
        for (x0, y0), (x1, y1) in pairwise(route):
            for index, box in enumerate(layout.boxes):
                beside = max(x0, x1) < box.left or min(x0, x1) > box.right
                above_or_below = max(y0, y1) <= box.top + 1e-6 or min(y0, y1) >= box.bottom - 1e-6
                own = index in (source, target) and x0 == x1
                assert beside or above_or_below or own


def assert_within_extent(layout):
    for box in layout.boxes:
        assert box.left >= -1e-6
        assert box.top >= -1e-6
        assert box.right <= layout.width + 1e-6
        assert box.bottom <= layout.height + 1e-6
    for route in layout.routes:
        assert all(-1e-6 <= x <= layout.width + 1e-6 for x, _ in route)


@settings(max_examples=60)
@given(graphs())
def test_any_graph_is_laid_out_without_overlap_and_downwards(graph):
    sizes, edges = graph
    layout = lay_out(sizes, edges, GAP_X, GAP_Y)
    assert_no_overlap(layout)
    assert_routes_avoid_boxes(layout, edges)
    assert_within_extent(layout)
    for source, target in edges:
        assert layout.boxes[source].bottom < layout.boxes[target].top


@pytest.mark.parametrize("seed", range(5))
def test_sixty_nodes_are_laid_out_without_overlap(seed):
    sizes, edges = random_graph(60, seed)
    layout = lay_out(sizes, edges, GAP_X, GAP_Y)
    assert_no_overlap(layout)
    assert_routes_avoid_boxes(layout, edges)
    assert_within_extent(layout)


def test_the_same_graph_is_laid_out_the_same_way():
    assert lay_out(*random_graph(40, 1)) == lay_out(*random_graph(40, 1))


def test_every_route_joins_the_borders_of_its_two_boxes():
    sizes, edges = random_graph(30, 2)
    layout = lay_out(sizes, edges)
    for (source, target), route in zip(edges, layout.routes, strict=True):
        (x0, y0), (x1, y1) = route[0], route[-1]
        assert y0 == layout.boxes[source].bottom
        assert layout.boxes[source].left < x0 < layout.boxes[source].right
        assert y1 == layout.boxes[target].top
        assert layout.boxes[target].left < x1 < layout.boxes[target].right


def test_a_chain_stands_exactly_straight():
    layout = lay_out(
        [(40.0 + 20 * (n % 3), 30.0) for n in range(9)], [(n, n + 1) for n in range(8)]
    )
    assert len({box.x for box in layout.boxes}) == 1
    assert all(len({x for x, _ in route}) == 1 for route in layout.routes)


def test_a_chain_stays_straight_beside_an_input_that_all_of_it_uses():
    chain = [(n, n + 1) for n in range(1, 12)]
    layout = lay_out([(90.0, 30.0)] * 13, [*chain, *((0, n) for n in range(2, 13))])
    assert len({box.x for box in layout.boxes[2:]}) == 1
    assert_no_overlap(layout)


def test_a_diamond_is_symmetric():
    layout = lay_out([(80.0, 30.0)] * 4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    top, left, right, bottom = layout.boxes
    assert top.x == pytest.approx(bottom.x, abs=0.5)
    assert (left.x + right.x) / 2 == pytest.approx(top.x, abs=0.5)
    assert left.x < right.x


def test_two_edges_between_the_same_nodes_are_drawn_apart():
    layout = lay_out([(80.0, 30.0)] * 2, [(0, 1), (0, 1)])
    one, other = layout.routes
    assert abs(one[0][0] - other[0][0]) >= 8
    assert abs(one[-1][0] - other[-1][0]) >= 8


def test_long_edges_of_one_source_share_a_lane():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3), (0, 4)]
    layout = lay_out([(80.0, 30.0)] * 5, edges)
    shorter, longer = layout.routes[4], layout.routes[5]
    assert shorter[:5] == longer[:5]
    assert shorter[-1] != longer[-1]


def test_sources_stand_in_the_layer_next_to_their_use():
    layout = lay_out([(80.0, 30.0)] * 5, [(0, 1), (1, 2), (4, 2), (2, 3)])
    assert layout.boxes[4].y == layout.boxes[1].y


def test_inputs_keep_their_order():
    layout = lay_out([(80.0, 30.0)] * 4, [(0, 3), (1, 3), (2, 3)])
    assert layout.boxes[0].x < layout.boxes[1].x < layout.boxes[2].x


def test_avoidable_crossings_are_avoided():
    # Two layers of three, listed so that the order of the numbers would cross.
    links = [(0, 5), (1, 4), (2, 3)]
    rows = order_rows([0, 0, 0, 1, 1, 1], links)
    assert count_crossings(rows, neighbours(6, links)[1]) == 0


def test_crossings_are_counted_by_pair():
    complete = [(a, b) for a in (0, 1, 2) for b in (3, 4, 5)]
    assert count_crossings([[0, 1, 2], [3, 4, 5]], neighbours(6, complete)[1]) == 9


def test_nothing_takes_no_room():
    layout = lay_out([], [])
    assert (layout.width, layout.height, layout.boxes, layout.routes) == (0.0, 0.0, (), ())


def test_a_single_node_fills_the_figure():
    layout = lay_out([(50.0, 20.0)], [])
    assert (layout.width, layout.height) == (50.0, 20.0)


def test_a_cycle_is_refused():
    with pytest.raises(ValueError, match="cycle"):
        lay_out([(10.0, 10.0)] * 3, [(0, 1), (1, 2), (2, 0)])


def test_a_deep_chain_needs_no_recursion():
    layout = lay_out([(20.0, 10.0)] * 2000, [(n, n + 1) for n in range(1999)])
    assert layout.boxes[1999].top > layout.boxes[0].bottom
