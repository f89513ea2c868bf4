"""The figure of a recorded graph: as SVG, as plain text and as DOT source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from autograd_core.drawing.layout import Box, Point, lay_out
from autograd_core.drawing.svg import ALARM, MUTED, Canvas, Figure, curve, shorten, text_width, wrap
from autograd_core.drawing.traced_graph import Item, Link, TracedGraph

NAME_SIZE = 14.0
DETAIL_SIZE = 11.5
LINE_HEIGHT = 17.0
STRIP_HEIGHT = 20.0
NOTE_WIDTH = 320.0


class Look(NamedTuple):
    """How items of one kind are drawn: their colours, and what DOT calls their shape."""

    fill: str
    edge: str
    dot: str


LOOKS = {
    "leaf": Look("#e6f2e4", "#4b8a45", "shape=box, style=rounded"),
    "function": Look("#e9edfb", "#5b6fb5", "shape=ellipse"),
    "output": Look("#fdf0d8", "#b07c1e", "shape=box, peripheries=2"),
    "saved": Look("#f4ecf7", "#8b63a0", "shape=note"),
    "folded": Look("#f1f2f5", "#7a8294", "shape=ellipse, style=dashed"),
}


class Graph(Figure):
    """The figure that `make_dot` returns: a notebook shows `svg`, a terminal `text`.

    `source` is the same graph in Graphviz' language, for those who have `dot`. It is the graph as
    it was when this was made, though its picture is drawn when it is first looked at.
    """

    source: str
    _graph: TracedGraph

    def __init__(self, graph: TracedGraph) -> None:
        vars(self).update(text=_listing(graph), source=_dot_source(graph), _graph=graph)

    @cached_property
    def svg(self) -> str:
        """The picture."""
        return _svg(self._graph)


def _label(item: Item) -> list[str]:
    """What an item says, line by line, without any picture."""
    if item.kind == "function":
        return [item.function, *([f"makes {item.name}"] if item.name else [])]
    if item.kind == "folded":
        return [f"… {item.name}", item.detail]
    if item.kind == "saved":
        slot = f"saved {item.function}".strip()
        return [slot, item.detail, *([item.name] if item.stale else [])]
    if item.name:
        return [item.name, f"{item.kind}, {item.detail}"]
    return [item.kind, item.detail]


def _title(graph: TracedGraph) -> str:
    outputs = [item.name for item in graph.items if item.kind == "output" and item.name]
    return f"Computation graph of {', '.join(outputs)}" if outputs else "Computation graph"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _summary(graph: TracedGraph) -> str:
    parts = [_number(graph.count("leaf"), "leaf").replace("leafs", "leaves")]
    parts.append(_number(graph.count("function"), "function"))
    if graph.count("folded"):
        parts.append("1 folded part")
    if graph.count("saved"):
        parts.append(_number(graph.count("saved"), "saved tensor"))
    return ", ".join(parts)


def _description(graph: TracedGraph) -> str:
    """The graph in sentences, for those who hear the figure."""
    sentences = [f"{_summary(graph)}. Data flows downwards."]
    first_lines = [_label(item)[0] for item in graph.items]
    for item, name, links in zip(graph.items, first_lines, graph.inputs(), strict=True):
        if links:
            sources = " and ".join(first_lines[link.source] for link in links)
            sentences.append(f"{name} takes {sources}.")
        elif item.kind == "leaf":
            sentences.append(f"{name}: leaf, {item.detail}.")
    return " ".join(sentences + graph.notes)


def _listing(graph: TracedGraph) -> str:
    """The graph as an indented text: below each line, indented, what it takes."""
    inputs = graph.inputs()
    used = Counter(link.source for link in graph.links)
    lines = [f"{_title(graph)}: {_summary(graph)}. Below each line, indented: what it takes."]
    number: dict[int, int] = {}
    stack = [(root, "", "") for root in reversed(range(len(inputs))) if not used[root]]
    while stack:
        index, lead, below = stack.pop()
        words, *rest = _label(graph.items[index])
        words += f" ({', '.join(rest)})" if rest else ""
        if index in number:
            lines.append(f"{lead}{words} [{number[index]}, as above]")
            continue
        if used[index] > 1 and graph.items[index].kind != "leaf":
            number[index] = len(number) + 1
            words += f" [{number[index]}]"
        lines.append(lead + words)
        children = inputs[index]
        for rank, link in reversed(list(enumerate(children))):
            last = rank == len(children) - 1
            branch, further = ("└─ ", "   ") if last else ("├─ ", "│  ")
            times = f"{link.count:,} edges from " if link.count > 1 else ""
            stack.append((link.source, below + branch + times, below + further))
    return "\n".join(lines + graph.notes)


def _dot_source(graph: TracedGraph) -> str:
    def quoted(lines: Sequence[str]) -> str:
        text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"')
        return '"' + text.replace("\n", "\\n") + '"'

    lines = ["digraph {", "  rankdir=TB;"]
    for index, item in enumerate(graph.items):
        lines.append(f"  n{index} [label={quoted(_label(item))}, {LOOKS[item.kind].dot}];")
    for link in graph.links:
        style = " [style=dashed, dir=none]" if graph.items[link.source].kind == "saved" else ""
        style = f' [label="{link.count} edges"]' if link.count > 1 else style
        lines.append(f"  n{link.source} -> n{link.target}{style};")
    return "\n".join([*lines, "}"]) + "\n"


def _size(item: Item) -> tuple[float, float]:
    name, *details = _drawn_lines(item)
    widths = [text_width(name, NAME_SIZE, mono=True)]
    widths += [text_width(line, DETAIL_SIZE) for line in details]
    if _has_strip(item):
        widths.append(text_width(item.function, DETAIL_SIZE, mono=True))
    padding = 34.0 if item.kind in ("function", "folded") else 24.0
    height = LINE_HEIGHT * (1 + len(details)) + 14.0
    return max(widths) + padding, height + (STRIP_HEIGHT if _has_strip(item) else 0.0)


def _drawn_lines(item: Item) -> list[str]:
    name, *details = _label(item)
    return [shorten(name, 30), *(shorten(line, 48) for line in details)]


def _has_strip(item: Item) -> bool:
    """A leaf that belongs to a graph shows the node which fills its `.grad`."""
    return item.kind == "leaf" and bool(item.function)


def _svg(graph: TracedGraph) -> str:
    layout = lay_out(
        [_size(item) for item in graph.items], [(link.source, link.target) for link in graph.links]
    )
    canvas = Canvas()
    drawn: set[tuple[int, Point]] = set()
    for link, route in zip(graph.links, layout.routes, strict=True):
        shared = sum((link.source, point) in drawn for point in route)
        drawn.update((link.source, point) for point in route)
        _draw_link(canvas, link, route[max(shared - 1, 0) :], graph.items[link.source])
    for item, box in zip(graph.items, layout.boxes, strict=True):
        _draw_item(canvas, item, box)
    width, height = layout.width, layout.height
    if graph.notes:
        width = max(width, NOTE_WIDTH)
        canvas.shift((width - layout.width) / 2)
        lines = [line for note in graph.notes for line in wrap(note, width, DETAIL_SIZE)]
        for rank, line in enumerate(lines):
            y = height + 22.0 + 16.0 * rank
            canvas.text(0, y, line, DETAIL_SIZE, MUTED, anchor="start")
        height += 22.0 + 16.0 * len(lines) - 6.0
    return canvas.svg(width, height, _title(graph), _description(graph))


def _draw_link(canvas: Canvas, link: Link, route: Sequence[Point], item: Item) -> None:
    """Draw an edge, or what of it leaves the lane that an earlier edge has drawn already."""
    if item.kind == "saved":
        canvas.path(curve(route), stroke=ALARM if item.stale else LOOKS["saved"].edge, dash="3 4")
        return
    end_x, end_y = route[-1]
    neck = end_y - 7
    canvas.path(curve([*route[:-2], (end_x, min(route[-2][1], neck)), (end_x, neck)]))
    canvas.arrowhead(end_x, end_y)
    if link.count > 1:
        place = end_x + 9, end_y - 11, f"{link.count:,} edges"
        canvas.text(*place, DETAIL_SIZE, MUTED, halo=True, anchor="start")


def _draw_item(canvas: Canvas, item: Item, box: Box) -> None:
    edge = ALARM if item.stale else LOOKS[item.kind].edge
    _draw_outline(canvas, item, box, edge)
    name, *details = _drawn_lines(item)
    bottom = box.bottom - (STRIP_HEIGHT if _has_strip(item) else 0.0)
    y = (box.top + bottom) / 2 - LINE_HEIGHT * len(details) / 2
    canvas.text(box.x, y, name, NAME_SIZE, mono=True, bold=item.kind in ("leaf", "output"))
    for rank, line in enumerate(details, 1):
        color = ALARM if item.stale and rank == len(details) else MUTED
        canvas.text(box.x, y + LINE_HEIGHT * rank, line, DETAIL_SIZE, color)
    if item.stale:
        canvas.warning_sign(box.left + 15, box.top + 13)
    if _has_strip(item):
        canvas.path(f"M{box.left:.1f} {bottom:.1f}H{box.right:.1f}", stroke=edge, weight=0.8)
        canvas.text(box.x, bottom + STRIP_HEIGHT / 2, item.function, 11.0, MUTED, mono=True)


def _draw_outline(canvas: Canvas, item: Item, box: Box, edge: str) -> None:
    fill, corner = LOOKS[item.kind].fill, (box.left, box.top, box.width, box.height)
    if item.kind == "saved":
        ear = 10.0
        data = (
            f"M{box.left:.1f} {box.top:.1f}H{box.right - ear:.1f}l{ear} {ear}V{box.bottom:.1f}"
            f"H{box.left:.1f}zM{box.right - ear:.1f} {box.top:.1f}v{ear}h{ear}"
        )
        canvas.path(data, stroke=edge, fill=fill, weight=1.2)
    elif item.kind in ("function", "folded"):
        dash = "5 4" if item.kind == "folded" else ""
        canvas.rect(*corner, fill=fill, stroke=edge, radius=box.height / 2, dash=dash)
    else:
        canvas.rect(*corner, fill=fill, stroke=edge, radius=5)
    if item.kind == "output":
        inner = (box.left + 3, box.top + 3, box.width - 6, box.height - 6)
        canvas.rect(*inner, stroke=edge, radius=3, weight=0.8)
