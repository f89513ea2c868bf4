"""Where the places and links of a picture are drawn, with room for all that a story shows there.

A box holds a headline, a row for each of value, gradient and tangent, and a line of flags; it is as
wide as the widest text that any step of any variant puts there, within limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograd_core.drawing.layout import lay_out
from autograd_core.drawing.svg import text_width
from lessons.widgets.stepper.acts import Picture, Spot

NAME_SIZE, ASIDE_SIZE, ROW_SIZE, FLAGS_SIZE = 13.0, 10.5, 11.5, 10.0
LABEL_WIDTH, PADDING = 50.0, 24.0
NARROWEST, WIDEST = 150.0, 300.0
HEIGHT, ROW_HEIGHT, ABSENT_HEIGHT = 80.0, 16.0, 64.0
GAP_X, GAP_Y = 36.0, 60.0
BETWEEN = 14.0
ROWS = ("value", "grad", "sum", "tangent")


def place(
    picture: Picture, stories: Iterable[Sequence[Mapping[str, Any]]]
) -> tuple[list[float], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the size of the drawing, and nodes and edges as the story has them."""
    rows: dict[str, float] = {}
    tangents = False
    for steps in stories:
        for step in steps:
            for key, change in step["changes"]["nodes"].items():
                shown = [str(change[row]) for row in ROWS if change.get(row) is not None]
                tangents = tangents or bool(change.get("tangent"))
                widths = [text_width(each, ROW_SIZE, mono=True) for each in shown]
                rows[key] = max([rows.get(key, 0.0), *widths])
    height = HEIGHT + (ROW_HEIGHT if tangents else 0.0)
    sizes = [_size(spot, rows.get(spot.id, 0.0), height) for spot in picture.spots]
    index = {spot: place for place, spot in enumerate(picture.spots)}
    ends = [(index[link.source], index[link.target]) for link in picture.links]
    layout = lay_out(sizes, ends, GAP_X, GAP_Y)
    nodes = [
        {
            "id": spot.id,
            "kind": spot.kind,
            "name": spot.name,
            "function": spot.function,
            "shape": spot.shape,
            "box": [round(each, 1) for each in (box.x, box.y, box.width, box.height)],
            "facts": spot.facts,
            "why": spot.why,
        }
        for spot, box in zip(picture.spots, layout.boxes, strict=True)
    ]
    edges = [
        {
            "id": link.id,
            "source": link.source.id,
            "target": link.target.id,
            "route": [[round(x, 1), round(y, 1)] for x, y in route],
            "why": link.why,
        }
        for link, route in zip(picture.links, layout.routes, strict=True)
    ]
    return [round(layout.width, 1), round(layout.height, 1)], nodes, edges


def _size(spot: Spot, row: float, height: float) -> tuple[float, float]:
    name = text_width(spot.name or spot.function, NAME_SIZE, mono=True)
    if spot.kind == "absent":
        words = text_width(f"∅ {spot.why}", 11.0) / 2 + 30
        return min(max(name, words, 126.0) + PADDING, WIDEST), ABSENT_HEIGHT
    aside = spot.function or spot.kind
    if spot.name:
        name += BETWEEN + text_width(aside, ASIDE_SIZE, mono=True)
    flags = text_width(_flags(spot), FLAGS_SIZE) * 0.9
    widest = max(name, row + LABEL_WIDTH, flags)
    return min(max(widest + PADDING, NARROWEST), WIDEST), height


def _flags(spot: Spot) -> str:
    flags = [spot.shape, spot.facts.get("leaf", ""), "requires grad", "v0"]
    flags += ["retains grad"] if spot.facts.get("retains_grad") == "True" else []
    return " · ".join(filter(None, flags))
