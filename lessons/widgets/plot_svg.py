"""A plot as SVG text: axes, ticks, labels, lines and a legend."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograd_core.drawing.svg import LINE, MUTED, PANEL_EDGE, Canvas, text_width
from lessons.widgets.series import COLORS, DASHES, Panel, Series, limits, ticks

SINGLE = 480.0, 230.0
SMALL = 210.0, 140.0
TITLE_SIZE, SMALL_SIZE = 13.0, 11.0
LEFT, BELOW, ABOVE, BETWEEN = 46.0, 24.0, 24.0, 22.0
LEGEND = 24.0
SAMPLE, AFTER_SAMPLE, AFTER_NAME = 26.0, 8.0, 16.0
TICK_EVERY = 72.0, 36.0
MINUS = "\u2212"

Box = tuple[float, float, float, float]
"""Left, top, width and height of the area in which a panel's series are drawn."""


def draw(panels: Sequence[Panel], x_label: str, y_label: str, columns: int, words: str) -> str:
    """Return the panels as one SVG, all with the same axes; `words` describe it."""
    canvas = Canvas()
    width, height = SINGLE if len(panels) == 1 else SMALL
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    pitch = LEFT + width + BETWEEN, ABOVE + height + BELOW
    total_width = columns * pitch[0] - BETWEEN
    legend = _legend_width(panels[0].series)
    # One panel's title and the legend share a line, if there is room.
    beside = len(panels) == 1 and text_width(panels[0].title, TITLE_SIZE) + legend < width
    header = LEGEND if legend and not beside else 0.0
    total_height = header + rows * pitch[1]
    _draw_legend(canvas, panels[0].series, total_width - legend, header or ABOVE)
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        box = LEFT + column * pitch[0], header + ABOVE + row * pitch[1], width, height
        _draw_axes(canvas, panels, box)
        line = box[1] - 12
        start = box[0] - LEFT
        if column == 0:
            canvas.text(start, line, y_label, SMALL_SIZE, MUTED, anchor="start")
            start += text_width(y_label, SMALL_SIZE) + AFTER_SAMPLE
        title_at = max(box[0], start)
        canvas.text(title_at, line, panel.title, TITLE_SIZE, bold=True, anchor="start")
        for series in panel.series:
            _draw_series(canvas, panels, series, box)
    canvas.text(LEFT + (total_width - LEFT) / 2, total_height + 4, x_label, SMALL_SIZE, MUTED)
    title = "; ".join(panel.title for panel in panels if panel.title) or f"{y_label} over {x_label}"
    return canvas.svg(total_width, total_height + 8, title, " ".join(words.split()))


def _draw_axes(canvas: Canvas, panels: Sequence[Panel], box: Box) -> None:
    left, top, width, height = box
    (x_low, x_high), (y_low, y_high) = limits(panels)
    canvas.rect(left, top, width, height, fill="#ffffff", stroke=LINE, radius=0, weight=1.0)
    for tick in ticks(x_low, x_high, round(width / TICK_EVERY[0])):
        x = left + width * (tick - x_low) / (x_high - x_low)
        canvas.path(f"M{x:.1f} {top:.1f}v{height:.1f}", stroke=PANEL_EDGE, weight=0.7)
        canvas.text(x, top + height + 11, _number(tick), SMALL_SIZE, MUTED)
    for tick in ticks(y_low, y_high, round(height / TICK_EVERY[1])):
        y = top + height * (y_high - tick) / (y_high - y_low)
        canvas.path(f"M{left:.1f} {y:.1f}h{width:.1f}", stroke=PANEL_EDGE, weight=0.7)
        canvas.text(left - 6, y, _number(tick), SMALL_SIZE, MUTED, anchor="end")


def _number(tick: float) -> str:
    return f"{tick:g}".replace("-", MINUS)


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
    """Draw a line with gaps where a number is not finite."""
    data, drawn = "", False
    for x, y in zip(xs, ys, strict=True):
        there = bool(np.isfinite(x) and np.isfinite(y))
        if there:
            data += f"{'L' if drawn else 'M'}{x:.1f} {y:.1f}"
        drawn = there
    canvas.path(data, stroke=color, dash=dash, weight=2.0)


def _draw_point(canvas: Canvas, x: float, y: float, color: str) -> None:
    canvas.rect(x - 3, y - 3, 6, 6, stroke=color, radius=3, weight=1.3)


def _legend_width(every: Sequence[Series]) -> float:
    """Return the width of the legend; a single series needs none."""
    if len(every) < 2:
        return 0.0
    names = [text_width(each.name, SMALL_SIZE) + AFTER_NAME for each in every]
    return sum(SAMPLE + AFTER_SAMPLE + name for name in names) - AFTER_NAME


def _draw_legend(canvas: Canvas, every: Sequence[Series], x: float, below: float) -> None:
    """Draw the names of the series from `x` on, each after a sample of its line or points."""
    if len(every) < 2:
        return
    y = below - 12
    for each in every:
        color = COLORS[each.look]
        if each.look == "points":
            _draw_point(canvas, x + SAMPLE / 2, y, color)
        else:
            ends = np.array([x, x + SAMPLE]), np.array([y, y])
            _draw_line(canvas, *ends, color, DASHES[each.look])
        canvas.text(x + SAMPLE + AFTER_SAMPLE, y, each.name, SMALL_SIZE, anchor="start")
        x += SAMPLE + AFTER_SAMPLE + text_width(each.name, SMALL_SIZE) + AFTER_NAME
