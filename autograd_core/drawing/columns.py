"""The x coordinates of a layout: straight columns, pulled towards each other, kept apart.

Slots that continue each other (the stretch of a long edge, a chain of functions) form a rigid
column, so that the main path of a graph is drawn as a straight line. Then columns are relaxed like
beads on springs, and pushed apart wherever they come too close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from autograd_core.drawing.order import Link, neighbours

ROUNDS = 160
PUSHES_PER_ROUND = 4
FINAL_PUSHES = 60
LANE_GAP_RATIO = 0.6

_Rows = Sequence[Sequence[int]]
_Widths = Sequence[float]
_Lanes = Sequence[bool]


class _Space(NamedTuple):
    """The least distance between the centres of two columns; `left` stands left of `right`."""

    left: int
    right: int
    distance: float


def place_columns(
    rows: _Rows, widths: _Widths, lanes: _Lanes, links: Sequence[Link], gap: float
) -> list[float]:
    """The x of each slot's centre: neighbours in a row stand at least `gap` apart.

    `lanes` tells which slots are stretches of long edges; next to those a smaller gap will do.
    """
    column_of = _columns(rows, lanes, links)
    spaces = _spaces(rows, widths, lanes, column_of, gap)
    pulls = [
        (column_of[upper], column_of[lower])
        for upper, lower in links
        if column_of[upper] != column_of[lower]
    ]
    x = _pushed_right([0.0] * len(lanes), spaces)
    for _ in range(ROUNDS):
        x = _pulled(x, pulls)
        _push_apart(x, spaces, PUSHES_PER_ROUND)
    _push_apart(x, spaces, FINAL_PUSHES)
    x = _pushed_right(x, spaces)
    return [x[column] for column in column_of]


def _columns(rows: _Rows, lanes: _Lanes, links: Sequence[Link]) -> list[int]:
    """For each slot the topmost slot of the column that it belongs to."""
    above, _ = neighbours(len(lanes), links)
    main = _main_inputs(rows, lanes, above)
    rank = {slot: r for row in rows for r, slot in enumerate(row)}
    column_of = list(range(len(lanes)))
    for row in rows:
        claimed = Counter(main[slot] for slot in row if not lanes[slot])
        joined: list[Link] = []
        for slot in sorted(row, key=lambda slot: not lanes[slot]):
            upper = main[slot]
            if upper is None or (not lanes[slot] and claimed[upper] > 1):
                continue
            crosses = any((rank[u] < rank[upper]) != (rank[v] < rank[slot]) for u, v in joined)
            if not crosses:
                joined.append((upper, slot))
                column_of[slot] = column_of[upper]
    return column_of


def _main_inputs(rows: _Rows, lanes: _Lanes, above: list[list[int]]) -> list[int | None]:
    """The slot above that each slot continues: of several inputs the one with most behind it.

    Nothing is continued on a tie: a node then stands in the middle of its inputs.
    """
    depth = [0] * len(lanes)
    main: list[int | None] = [None] * len(lanes)
    for row in rows:
        for slot in row:
            depth[slot] = max((depth[upper] + 1 for upper in above[slot]), default=0)
            inputs = [upper for upper in above[slot] if lanes[upper] == lanes[slot]]
            deepest = max((depth[upper] for upper in inputs), default=0)
            candidates = [upper for upper in inputs if depth[upper] == deepest]
            main[slot] = candidates[0] if len(candidates) == 1 else None
    return main


def _spaces(
    rows: _Rows, widths: _Widths, lanes: _Lanes, column_of: Sequence[int], gap: float
) -> list[_Space]:
    """What has to be kept between columns, ordered so that one sweep from the left suffices."""
    distance: dict[tuple[int, int], float] = {}
    for row in rows:
        for left, right in pairwise(row):
            between = gap * LANE_GAP_RATIO if lanes[left] or lanes[right] else gap
            key = column_of[left], column_of[right]
            needed = (widths[left] + widths[right]) / 2 + between
            distance[key] = max(needed, distance.get(key, 0.0))
    order = TopologicalSorter[int](dict.fromkeys(sorted(set(column_of)), ()))
    for left, right in distance:
        order.add(right, left)
    rank = {column: r for r, column in enumerate(order.static_order())}
    spaces = [_Space(left, right, needed) for (left, right), needed in distance.items()]
    return sorted(spaces, key=lambda space: rank[space.left])


def _pulled(x: list[float], pulls: Sequence[Link]) -> list[float]:
    """Every column half the way to the middle of those that it is linked to."""
    total, count = [0.0] * len(x), [0] * len(x)
    for one, other in pulls:
        total[one] += x[other]
        total[other] += x[one]
        count[one] += 1
        count[other] += 1
    return [
        (position + total[column] / count[column]) / 2 if count[column] else position
        for column, position in enumerate(x)
    ]


def _push_apart(x: list[float], spaces: Sequence[_Space], pushes: int) -> None:
    """Columns that are too close move apart, both by the same amount (in place)."""
    for _ in range(pushes):
        for space in spaces:
            lacking = space.distance - (x[space.right] - x[space.left])
            if lacking > 0:
                x[space.left] -= lacking / 2
                x[space.right] += lacking / 2


def _pushed_right(x: list[float], spaces: Sequence[_Space]) -> list[float]:
    """Every column at least as far right as the spaces demand."""
    x = list(x)
    for space in spaces:
        x[space.right] = max(x[space.right], x[space.left] + space.distance)
    return x
