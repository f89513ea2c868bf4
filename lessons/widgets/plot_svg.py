"""A plot as SVG text, for places without matplotlib: axes, ticks, labels, lines and a legend."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograd_core.drawing.svg import LINE, MUTED, PANEL_EDGE, Canvas, text_width
from lessons.widgets.series import COLORS, DASHES, Panel, Series, limits, ticks

SINGLE = 480.0, 230.0
SMALL = 210.0, 140.0
TITLE_SIZE, SMALL_SIZE = 13.0, 11.0
LEFT, BELOW, ABOVE, BETWEEN = 46.0, 24.0, 26.0, 22.0
LEGEND = 26.0
SAMPLE = 26.0

Box = tuple[float, float, float, float]
"""Left, top, width and height of the area in which a panel's series are drawn."""


def draw(panels: Sequence[Panel], x_label: str, y_label: str, columns: int, words: str) -> str:
    """Return the panels as one SVG, all with the same axes; `words` describe it."""
    canvas = Canvas()
    width, height = SINGLE if len(panels) == 1 else SMALL
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    pitch = LEFT + width + BETWEEN, ABOVE + height + BELOW
    total_width, total_height = columns * pitch[0] - BETWEEN, LEGEND + rows * pitch[1]
    canvas.text(0, 8, y_label, SMALL_SIZE, MUTED, anchor="start")
    _draw_legend(canvas, panels[0].series, total_width)
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        box = LEFT + column * pitch[0], LEGEND + ABOVE + row * pitch[1], width, height
        _draw_axes(canvas, panels, box)
        canvas.text(box[0], box[1] - 12, panel.title, TITLE_SIZE, bold=True, anchor="start")
        for series in panel.series:
            _draw_series(canvas, panels, series, box)
    canvas.text(LEFT + (total_width - LEFT) / 2, total_height + 6, x_label, SMALL_SIZE, MUTED)
    title = "; ".join(panel.title for panel in panels if panel.title) or f"{y_label} over {x_label}"
    return canvas.svg(total_width, total_height + 12, title, " ".join(words.split()))


def _draw_axes(canvas: Canvas, panels: Sequence[Panel], box: Box) -> None:
    left, top, width, height = box
    (x_low, x_high), (y_low, y_high) = limits(panels)
    canvas.rect(left, top, width, height, fill="#ffffff", stroke=LINE, radius=0, weight=1.0)
    for tick in ticks(x_low, x_high):
        x = left + width * (tick - x_low) / (x_high - x_low)
        canvas.path(f"M{x:.1f} {top:.1f}v{height:.1f}", stroke=PANEL_EDGE, weight=0.7)
        canvas.text(x, top + height + 11, f"{tick:g}", SMALL_SIZE, MUTED)
    for tick in ticks(y_low, y_high):
        y = top + height * (y_high - tick) / (y_high - y_low)
        canvas.path(f"M{left:.1f} {y:.1f}h{width:.1f}", stroke=PANEL_EDGE, weight=0.7)
        canvas.text(left - 6, y, f"{tick:g}", SMALL_SIZE, MUTED, anchor="end")


def _draw_series(canvas: Canvas, panels: Sequence[Panel], series: Series, box: Box) -> None:
    left, top, width, height = box
    (x_low, x_high), (y_low, y_high) = limits(panels)
    xs = left + width * (series.x - x_low) / (x_high - x_low)
    ys = top + height * (y_high - series.y) / (y_high - y_low)
    color = COLORS[series.look]
    if series.look == "points":
        for x, y in zip(xs, ys, strict=True):
            if np.isfinite(x) and np.isfinite(y):
                _draw_point(canvas, x, y, color)
        return
    _draw_line(canvas, xs, ys, color, DASHES[series.look])


def _draw_line(canvas: Canvas, xs: np.ndarray, ys: np.ndarray, color: str, dash: str) -> None:
    """Draw a line that pauses where a number is missing."""
    data, drawn = "", False
    for x, y in zip(xs, ys, strict=True):
        there = bool(np.isfinite(x) and np.isfinite(y))
        if there:
            data += f"{'L' if drawn else 'M'}{x:.1f} {y:.1f}"
        drawn = there
    canvas.path(data, stroke=color, dash=dash, weight=2.0)


def _draw_point(canvas: Canvas, x: float, y: float, color: str) -> None:
    canvas.rect(x - 3, y - 3, 6, 6, stroke=color, radius=3, weight=1.3)


def _draw_legend(canvas: Canvas, every: Sequence[Series], right: float) -> None:
    """Name the series at the upper right, each after a sample of how it looks."""
    if len(every) < 2:
        return
    widths = [SAMPLE + 8 + text_width(each.name, SMALL_SIZE) + 16 for each in every]
    starts = [right - sum(widths[place:]) for place in range(len(every))]
    for each, x in zip(every, starts, strict=True):
        color = COLORS[each.look]
        if each.look == "points":
            _draw_point(canvas, x + SAMPLE / 2, 8, color)
        else:
            _draw_line(
                canvas, np.array([x, x + SAMPLE]), np.array([8.0, 8.0]), color, DASHES[each.look]
            )
        canvas.text(x + SAMPLE + 8, 8, each.name, SMALL_SIZE, anchor="start")
