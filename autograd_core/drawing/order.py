"""The order within the layers of a layout: few crossings, found by sweeps of barycentres."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise

ORDERING_SWEEPS = 24

Link = tuple[int, int]


def order_rows(layer_of: Sequence[int], links: Sequence[Link]) -> list[list[int]]:
    """Sort slots into layers so that few links cross.

    `layer_of` gives each slot's layer, `links` lead from a slot to one in the next layer. Of all
    arrangements that the sweeps meet, the first with the fewest crossings is returned.
    """
    rows: list[list[int]] = [[] for _ in range(max(layer_of) + 1)]
    above, below = neighbours(len(layer_of), links)
    for slot in _first_order(layer_of, above):
        rows[layer_of[slot]].append(slot)
    best, fewest = [list(row) for row in rows], count_crossings(rows, below)
    for sweep in range(ORDERING_SWEEPS):
        if not fewest:
            break
        downward = sweep % 2 == 0
        towards = above if downward else below
        for layer in range(len(rows)) if downward else reversed(range(len(rows))):
            rank = {slot: r for row in rows for r, slot in enumerate(row)}
            centre = {slot: _barycentre(slot, towards, rank) for slot in rows[layer]}
            rows[layer].sort(key=centre.__getitem__)
        crossings = count_crossings(rows, below)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def neighbours(count: int, links: Sequence[Link]) -> tuple[list[list[int]], list[list[int]]]:
    """For each slot those that it is linked to in the layer above and in the layer below."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def count_crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    """How many pairs of links cross: inversions of their lower ends, row by row."""
    total = 0
    for row, next_row in pairwise(rows):
        rank = {slot: r for r, slot in enumerate(next_row)}
        seen: list[int] = []
        for slot in row:
            ends = sorted(rank[lower] for lower in below[slot])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _first_order(layer_of: Sequence[int], above: list[list[int]]) -> list[int]:
    """Depth first from the sinks: inputs of one node come to stand together, first input first."""
    order: list[int] = []
    seen: set[int] = set()
    for sink in sorted(range(len(layer_of)), key=lambda slot: (-layer_of[slot], slot)):
        stack = [sink]
        while stack:
            slot = stack.pop()
            if slot not in seen:
                seen.add(slot)
                order.append(slot)
                stack.extend(reversed(above[slot]))
    return order


def _barycentre(slot: int, towards: list[list[int]], rank: dict[int, int]) -> float:
    around = towards[slot]
    return sum(rank[other] for other in around) / len(around) if around else float(rank[slot])
