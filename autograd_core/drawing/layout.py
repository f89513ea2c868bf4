"""A layered layout for small acyclic graphs, sources at the top and sinks at the bottom.

The steps are Sugiyama's: layers by longest path, dummy slots where an edge passes a layer, an
order within each layer (`order`), then coordinates (`columns`). All long edges of one source share
one lane of dummy slots and leave it where they are needed, as a bus does. Everything is
deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise

from autograd_core.drawing.columns import place_columns
from autograd_core.drawing.order import neighbours, order_rows

Point = tuple[float, float]
Edges = Sequence[tuple[int, int]]
# Of an edge's other end: where it is, its slot, and which edge it is.
_End = tuple[float, int, int]

PORT_GAP = 16.0


@dataclass(frozen=True)
class Box:
    """Where one node stands: its centre and its size, and so the bounds of what it covers."""

    x: float
    y: float
    width: float
    height: float

    left = property(lambda self: self.x - self.width / 2)
    right = property(lambda self: self.x + self.width / 2)
    top = property(lambda self: self.y - self.height / 2)
    bottom = property(lambda self: self.y + self.height / 2)


Boxes = tuple[Box, ...]


@dataclass(frozen=True)
class Layout:
    """Boxes in the order of the nodes, routes in the order of the edges, and the extent of all.

    A route has an even number of points. Its segments alternate: vertical within a layer, free in
    the gap between two layers, vertical again. So no route can run through a foreign box.
    """

    width: float
    height: float
    boxes: Boxes
    routes: tuple[tuple[Point, ...], ...]


@dataclass
class _Slot:
    """A place in a layer: a node's, or that of a lane which passes through."""

    layer: int
    width: float
    is_lane: bool = False
    x: float = 0.0


def lay_out(
    sizes: Sequence[Point], edges: Edges, gap_x: float = 28.0, gap_y: float = 40.0
) -> Layout:
    """Place nodes of the given (width, height) so that no two overlap and every edge points down.

    `edges` holds (source, target) indices into `sizes`; equal edges are routed side by side.
    Raises ValueError when the edges form a cycle.
    """
    if not sizes:
        return Layout(0.0, 0.0, (), ())
    layer_of = _layers(len(sizes), edges)
    slots, hops = _slots_and_hops(sizes, edges, layer_of)
    links = list(dict.fromkeys(link for hop in hops for link in pairwise(hop)))
    rows = order_rows([slot.layer for slot in slots], links)
    widths, lanes = [slot.width for slot in slots], [slot.is_lane for slot in slots]
    positions = place_columns(rows, widths, lanes, links, gap_x)
    left = min(x - width / 2 for x, width in zip(positions, widths, strict=True))
    for slot, x in zip(slots, positions, strict=True):
        slot.x = x - left
    width = max(slot.x + slot.width / 2 for slot in slots)
    tops, bottoms = _bands(rows, slots, sizes, links, gap_y)
    boxes = tuple(
        Box(slot.x, (tops[slot.layer] + bottoms[slot.layer]) / 2, *sizes[node])
        for node, slot in enumerate(slots[: len(sizes)])
    )
    routes = _routes(slots, hops, boxes, tops, bottoms)
    return Layout(width, bottoms[-1], boxes, routes)


def _layers(count: int, edges: Edges) -> list[int]:
    """Longest-path layers counted from the sinks, so that a source stands next to its use."""
    _, targets_of = neighbours(count, edges)
    height: dict[int, int] = {}
    # Targets first; CycleError, a ValueError, where that cannot be.
    for node in TopologicalSorter(dict(enumerate(targets_of))).static_order():
        height[node] = 1 + max((height[target] for target in targets_of[node]), default=-1)
    top = max(height.values())
    return [top - height[node] for node in range(count)]


def _slots_and_hops(
    sizes: Sequence[Point], edges: Edges, layer_of: list[int]
) -> tuple[list[_Slot], list[list[int]]]:
    """One slot a node, then the lanes; and for each edge the slots that it visits."""
    slots = [_Slot(layer_of[node], width) for node, (width, _) in enumerate(sizes)]
    lanes: dict[tuple[int, int], int] = {}
    hops = []
    for source, target in edges:
        hop = [source]
        for layer in range(layer_of[source] + 1, layer_of[target]):
            if (source, layer) not in lanes:
                lanes[source, layer] = len(slots)
                slots.append(_Slot(layer, 0.0, is_lane=True))
            hop.append(lanes[source, layer])
        hops.append([*hop, target])
    return slots, hops


def _bands(
    rows: list[list[int]], slots: list[_Slot], sizes: Sequence[Point], links: Edges, gap: float
) -> tuple[list[float], list[float]]:
    """Top and bottom of each layer. A gap is higher where edges have far to go sideways."""
    tops, bottoms, y = [], [], 0.0
    for layer, row in enumerate(rows):
        tops.append(y)
        y += max(sizes[node][1] for node in row if node < len(sizes))
        bottoms.append(y)
        reach = [abs(slots[a].x - slots[b].x) for a, b in links if slots[a].layer == layer]
        y += max(gap, min(2.2 * gap, 0.16 * max(reach, default=0.0)))
    return tops, bottoms


def _routes(
    slots: list[_Slot], hops: list[list[int]], boxes: Boxes, tops: list[float], bottoms: list[float]
) -> tuple[tuple[Point, ...], ...]:
    leaving, entering = _ports(slots, hops, boxes)
    routes = []
    for edge, hop in enumerate(hops):
        source, target = boxes[hop[0]], boxes[hop[-1]]
        route = [(leaving[edge], source.bottom), (leaving[edge], bottoms[slots[hop[0]].layer])]
        for index in hop[1:-1]:
            slot = slots[index]
            route += [(slot.x, tops[slot.layer]), (slot.x, bottoms[slot.layer])]
        route += [(entering[edge], tops[slots[hop[-1]].layer]), (entering[edge], target.top)]
        routes.append(tuple(route))
    return tuple(routes)


def _ports(
    slots: list[_Slot], hops: list[list[int]], boxes: Boxes
) -> tuple[list[float], list[float]]:
    """The x at which each edge leaves its source and enters its target.

    Ports of one node stand in the order of the other ends; edges in one lane share their port.
    """

    def ports(at: int, ends: list[_End]) -> list[float]:
        met = [(hop[at], end) for hop, end in zip(hops, ends, strict=True)]
        port = {
            node: _spread(box, sorted({end for other, end in met if other == node}))
            for node, box in enumerate(boxes)
        }
        return [port[node][end] for node, end in met]

    leaving = [(slots[hop[1]].x, hop[1], 0 if len(hop) > 2 else e) for e, hop in enumerate(hops)]
    entering = [(slots[hop[-2]].x, hop[-2], e) for e, hop in enumerate(hops)]
    return ports(0, leaving), ports(-1, entering)


def _spread(box: Box, ends: Sequence[_End]) -> dict[_End, float]:
    """A port for each end, from left to right; a lone end straight above or below keeps x."""
    straight = [rank for rank, end in enumerate(ends) if abs(end[0] - box.x) < 0.5]
    middle = float(straight[0]) if len(straight) == 1 else (len(ends) - 1) / 2
    reach = max(middle, len(ends) - 1 - middle, 1.0)
    pitch = min(PORT_GAP, 0.3 * box.width / reach)
    return {end: box.x + (rank - middle) * pitch for rank, end in enumerate(ends)}
