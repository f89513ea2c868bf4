"""The stepper without a kernel: a figure of the last state with the steps below it, and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from autograd_core.drawing.svg import (
    ALARM,
    INK,
    LINE,
    MUTED,
    Canvas,
    Figure,
    curve,
    shorten,
    text_width,
    wrap,
)
from lessons.widgets.stepper.drawn import ASIDE_SIZE, FLAGS_SIZE, LABEL_WIDTH, NAME_SIZE, ROW_SIZE

FILLS = {
    "leaf": ("#e6f2e4", "#4b8a45"),
    "function": ("#e9edfb", "#5b6fb5"),
    "output": ("#fdf0d8", "#b07c1e"),
    "constant": ("#f1f2f5", "#7a8294"),
    "absent": ("#ffffff", "#7a8294"),
    "folded": ("#f1f2f5", "#7a8294"),
}
PADDING = 12.0
HEAD, ROW = 17.0, 16.0
CHIP_SIZE, CHIP_HEIGHT = 11.0, 16.0
PLACES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)
LISTED = 40
STEP_SIZE, STEP_HEIGHT = 12.0, 17.0
WIDTH = 640.0
ARROWS = {"forward": "↓", "backward": "↑", "tangent": "⇣", "memory": "•"}

State = dict[str, dict[str, dict[str, Any]]]


def still(story: Mapping[str, Any]) -> Figure:
    """Return the static form of a story: SVG for pages, a table and all steps as plain text."""
    state = state_after(story["steps"])
    return Figure(_svg(story, state), _text(story, state))


def state_after(steps: Sequence[Mapping[str, Any]]) -> State:
    """Return what holds when the changes of all these steps have been made, in order."""
    state: State = {part: {} for part in ("nodes", "edges", "names", "storages", "slots")}
    for step in steps:
        for part, changes in step["changes"].items():
            for key, change in changes.items():
                now = state[part].setdefault(key, {})
                if "grad" in change and "sum" not in change:
                    now.pop("sum", None)
                now.update(change)
    return state


def _text(story: Mapping[str, Any], state: State) -> str:
    head = ("", "function", "value", "grad")
    rows = [head]
    for node in story["nodes"]:
        now = state["nodes"].get(node["id"], {})
        if now.get("shown"):
            value, grad = (str(now.get(key) or "") for key in ("value", "grad"))
            name = node["name"] or node["function"] or node["kind"]
            why = f" ({node['why']})" if node["why"] else ""
            rows.append((name, (node["function"] or node["kind"]) + why, value, grad))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [story["title"]]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.append("")
    lines += _steps(story)
    return "\n".join([*lines, *story["notes"]])


def _steps(story: Mapping[str, Any]) -> list[str]:
    """All steps as lines; of a long story the beginning and the end."""
    lines = []
    for number, step in enumerate(story["steps"], 1):
        says = step["says"]
        if step.get("error"):
            says = f"{says.removesuffix('.')}: {step['error']}"
        lines.append(f"{number:2} {ARROWS[step['phase']]} {says}")
    if len(lines) > LISTED:
        half = LISTED // 2
        lines = [*lines[:half], f"   … {len(lines) - 2 * half} more steps …", *lines[-half:]]
    return lines


def _svg(story: Mapping[str, Any], state: State) -> str:
    canvas = Canvas()
    width, height = story["size"]
    nodes = {node["id"]: node for node in story["nodes"]}
    shown = {key for key, now in state["nodes"].items() if now.get("shown")}
    taken = [_rect(nodes[key]["box"]) for key in shown]
    chips = []
    for edge in story["edges"]:
        if edge["source"] not in shown or edge["target"] not in shown:
            continue
        now = state["edges"].get(edge["id"], {})
        _draw_edge(canvas, edge)
        label = f"✂ {edge['why']}" if edge["why"] else now.get("contribution")
        spare = _room(edge["route"], str(label), taken, width) if label else None
        if spare is not None:
            taken.append(spare)
            chips.append((spare, str(label), bool(edge["why"])))
    for node in story["nodes"]:
        if node["id"] in shown:
            _draw_node(canvas, node, state["nodes"][node["id"]])
    for (left, top, right, bottom), label, cut in chips:
        canvas.text(
            (left + right) / 2,
            (top + bottom) / 2,
            label,
            CHIP_SIZE,
            ALARM if cut else MUTED,
            mono=not cut,
            halo=True,
        )
    total = max(width, WIDTH)
    canvas.shift((total - width) / 2)
    height += 14.0
    for line in _steps(story):
        ink = ALARM if "PyTorch raises" in line else INK
        for place, part in enumerate(wrap(line.lstrip(), total - 24, STEP_SIZE)):
            height += STEP_HEIGHT
            canvas.text(24.0 if place else 0.0, height, part, STEP_SIZE, ink, anchor="start")
    for note in story["notes"]:
        for part in wrap(note, total, STEP_SIZE):
            height += STEP_HEIGHT
            canvas.text(0.0, height, part, STEP_SIZE, MUTED, anchor="start")
    words = " ".join(step["says"] for step in story["steps"][:LISTED])
    return canvas.svg(total, height + 6.0, story["title"] or "Stepper", words)


def _draw_edge(canvas: Canvas, edge: Mapping[str, Any]) -> None:
    route = [(x, y) for x, y in edge["route"]]
    end_x, end_y = route[-1]
    neck = end_y - 7
    route = [*route[:-2], (end_x, min(route[-2][1], neck)), (end_x, neck)]
    canvas.path(curve(route), dash="5 5" if edge["why"] else "")
    canvas.arrowhead(end_x, end_y, color=LINE)


def _draw_node(canvas: Canvas, node: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    x, y, width, height = node["box"]
    left, top = x - width / 2, y - height / 2
    fill, edge = FILLS[node["kind"]]
    radius = 14.0 if node["kind"] in ("function", "folded") else 4.0
    dash = "5 4" if node["kind"] in ("absent", "folded") else ""
    canvas.rect(left, top, width, height, fill=fill, stroke=edge, radius=radius, dash=dash)
    if node["kind"] == "output":
        inner = (left + 3, top + 3, width - 6, height - 6)
        canvas.rect(*inner, stroke=edge, radius=3, weight=0.8)
    left, right, line = left + PADDING, left + width - PADDING, top + HEAD
    name = node["name"] or node["function"] or node["kind"]
    letters = int((right - left) / (NAME_SIZE * 0.61))
    canvas.text(left, line, shorten(name, letters), NAME_SIZE, mono=True, bold=True, anchor="start")
    aside = (node["function"] or node["kind"]) if node["name"] else ""
    space = right - left - text_width(name, NAME_SIZE, mono=True) - 8
    if aside and text_width(aside, ASIDE_SIZE, mono=True) <= space:
        canvas.text(right, line, aside, ASIDE_SIZE, MUTED, mono=True, anchor="end")
    if node["kind"] == "absent":
        for part in wrap(f"∅ {node['why']}", right - left, CHIP_SIZE)[:2]:
            line += 15.0
            canvas.text(left, line, part, CHIP_SIZE, MUTED, anchor="start")
        return
    for label, text in _rows(now):
        line += ROW
        letters = int((right - left - LABEL_WIDTH) / (ROW_SIZE * 0.61))
        canvas.text(left, line, label, FLAGS_SIZE, MUTED, anchor="start")
        words = shorten(text, letters)
        canvas.text(left + LABEL_WIDTH, line, words, ROW_SIZE, mono=True, anchor="start")
    facts = node["facts"]
    requires = {"True": "requires grad", "False": "no grad"}.get(facts.get("requires_grad", ""), "")
    version = f"v{now['version']}" if now.get("version") is not None else ""
    flags = " · ".join(filter(None, [node["shape"], facts.get("leaf", ""), requires, version]))
    canvas.text(left, line + ROW, flags, FLAGS_SIZE, MUTED, anchor="start")


def _rows(now: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = [(key, now.get(key)) for key in ("value", "tangent")]
    if now.get("sum"):
        rows.append(("sum" if now.get("grad") is None else "grad", now["sum"]))
    else:
        rows.append(("grad", now.get("grad")))
    return [(key, str(text)) for key, text in rows if text not in (None, "")]


Rect = tuple[float, float, float, float]


def _rect(box: Sequence[float]) -> Rect:
    x, y, width, height = box
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _room(
    route: Sequence[Sequence[float]], label: str, taken: Sequence[Rect], width: float
) -> Rect | None:
    """A place for a label on its edge, where it covers neither a box nor another label."""
    half = text_width(label, CHIP_SIZE, mono=True) / 2 + 3
    longest = max(pairwise(route), key=lambda pair: abs(pair[1][1] - pair[0][1]))
    for (x0, y0), (x1, y1) in [longest, *pairwise(route)]:
        for share in PLACES:
            # The curve's own middle height is where its straight chord has it.
            x, y = x0 + (x1 - x0) * (3 - 2 * share) * share * share, y0 + (y1 - y0) * share
            place = x - half, y - CHIP_HEIGHT / 2, x + half, y + CHIP_HEIGHT / 2
            inside = place[0] > -8 and place[2] < width + 8
            if inside and not any(_overlap(place, other) for other in taken):
                return place
    return None


def _overlap(one: Rect, other: Rect) -> bool:
    beside = one[2] <= other[0] or other[2] <= one[0]
    return not (beside or one[3] <= other[1] or other[3] <= one[1])
