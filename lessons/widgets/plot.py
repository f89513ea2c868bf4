"""`plot(...)`: curves and points over axes, drawn by matplotlib or, where there is none, by us.

Either way the picture comes with the same words. It brings a light panel of its own, so that it
reads equally well on a white and on a dark page.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import io
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograd_core.drawing.svg import INK, LINE, MUTED, PANEL, PANEL_EDGE
from lessons.widgets.plot_svg import draw
from lessons.widgets.series import COLORS, DASHES, Panel, Series, limits, line

PANEL_WIDTH, PANEL_HEIGHT = 2.9, 2.4
SINGLE_WIDTH, SINGLE_HEIGHT = 5.6, 3.2
COLUMNS = 3
UNITS_PER_INCH = 100
SHARPNESS = 1.5
MATPLOTLIB_DASHES = dict(zip(DASHES, ("-", "--", ":"), strict=True))
VALUES_SAID = 5


class Plot:
    """A picture of one or several panels, with its words for those who do not see it."""

    def __init__(self, panels: Sequence[Panel], x_label: str, y_label: str) -> None:
        self.panels = tuple(panels)
        self.x_label = x_label
        self.y_label = y_label

    def __repr__(self) -> str:
        return _words(self)

    @property
    def svg(self) -> str:
        """The picture as we draw it ourselves.

        Not `_repr_svg_`, which IPython would show beside the pixels.
        """
        return draw(self.panels, self.x_label, self.y_label, COLUMNS, repr(self))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        if importlib.util.find_spec("matplotlib") is None:
            return {"image/svg+xml": self.svg, "text/plain": repr(self)}
        image, width, height = _by_matplotlib(self)
        about = {"alt": repr(self), "width": width, "height": height}
        return {"image/png": image, "text/plain": repr(self)}, {"image/png": about}


def plot(
    curves: Mapping[str, Any], title: str = "", x_label: str = "x", y_label: str = "y"
) -> Plot:
    """Draw curves in one panel, each under its name.

    A curve is a list of numbers, drawn over 0, 1, 2, …, or what `line` and `points` return.
    """
    return Plot([_panel(title, curves)], x_label, y_label)


def plots(panels: Mapping[str, Mapping[str, Any]], x_label: str = "x", y_label: str = "y") -> Plot:
    """Draw several panels with the same axes, each under its title; curves as in `plot`."""
    return Plot([_panel(title, each) for title, each in panels.items()], x_label, y_label)


def _panel(title: str, curves: Mapping[str, Any]) -> Panel:
    series: list[Series] = []
    for name, curve in curves.items():
        found = curve if isinstance(curve, Series) else line(curve)
        lines_before = sum(each.look != "points" for each in series)
        series.append(found.named(name, lines_before))
    return Panel(title, tuple(series))


def _words(plot: Plot) -> str:
    lines = []
    for panel in plot.panels:
        lines.append(panel.title or f"{plot.y_label} over {plot.x_label}")
        for series in panel.series:
            x, y = series.x.round(6) + 0.0, series.y.round(2) + 0.0
            span = f"{plot.x_label} from {x.min():.3g} to {x.max():.3g}"
            places = np.unique(np.linspace(0, len(x) - 1, VALUES_SAID).round().astype(int))
            pairs = [f"{y[place]:.2f} at {x[place]:.3g}" for place in places]
            lines.append(f"  {series.name} ({series.look}), {span}: {', '.join(pairs)}")
    return "\n".join(lines)


def _by_matplotlib(plot: Plot) -> tuple[str, int, int]:
    """Return a PNG in base64, and the size at which it is to be shown."""
    with _quietly():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        count = len(plot.panels)
        columns = min(count, COLUMNS)
        rows = -(-count // columns)
        width, height = (
            (SINGLE_WIDTH, SINGLE_HEIGHT)
            if count == 1
            else (PANEL_WIDTH * columns, PANEL_HEIGHT * rows)
        )
        figure = Figure(
            (width, height),
            dpi=UNITS_PER_INCH * SHARPNESS,
            facecolor=PANEL,
            layout="constrained",
        )
        FigureCanvasAgg(figure)
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
        for axes in grid[count:]:
            axes.set_visible(False)
        for axes, panel in zip(grid, plot.panels, strict=False):
            _fill(axes, panel)
        (left, right), (low, high) = limits(plot.panels)
        grid[0].set_xlim(left, right)
        grid[0].set_ylim(low, high)
        figure.supxlabel(plot.x_label, fontsize=9, color=INK)
        figure.supylabel(plot.y_label, fontsize=9, color=INK)
        if any(len(panel.series) > 1 for panel in plot.panels):
            handles, names = grid[0].get_legend_handles_labels()
            figure.legend(
                handles, names, loc="outside upper right", ncols=3, fontsize=8, frameon=False
            )
        written = io.BytesIO()
        figure.savefig(written, format="png", metadata={"Software": None})
    image = base64.b64encode(written.getvalue()).decode("ascii")
    return image, round(width * UNITS_PER_INCH), round(height * UNITS_PER_INCH)


def _fill(axes: Any, panel: Panel) -> None:
    axes.set_facecolor("#ffffff")
    axes.set_title(panel.title, fontsize=9, loc="left", color=INK)
    axes.tick_params(labelsize=8, colors=MUTED, labelcolor=MUTED)
    axes.grid(True, color=PANEL_EDGE, linewidth=0.6)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_color(LINE)
    for series in panel.series:
        color = COLORS[series.look]
        if series.look == "points":
            axes.plot(series.x, series.y, "o", ms=3, mfc="none", mec=color, label=series.name)
        else:
            dashes = MATPLOTLIB_DASHES[series.look]
            axes.plot(series.x, series.y, dashes, lw=1.8, color=color, label=series.name)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Keep matplotlib from reporting on its caches, which is no concern of a lesson's."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)
