"""`plot(...)`: curves and points over axes, as a figure for the light and the dark theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lessons.widgets.plot_svg import draw
from lessons.widgets.series import Panel, Series, line

COLUMNS = 3
VALUES_SAID = 5


class Plot:
    """A figure of one or several panels, with a description for those who cannot see it."""

    def __init__(self, panels: Sequence[Panel], x_label: str, y_label: str) -> None:
        self.panels = tuple(panels)
        self.x_label = x_label
        self.y_label = y_label

    def __repr__(self) -> str:
        return _words(self)

    @property
    def svg(self) -> str:
        """The figure; always the same text, so that outputs of notebooks can be compared."""
        return draw(self.panels, self.x_label, self.y_label, COLUMNS, repr(self))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg, "text/plain": repr(self)}


def plot(
    curves: Mapping[str, Any], title: str = "", x_label: str = "x", y_label: str = "y"
) -> Plot:
    """Draw curves in one panel, each under its name.

    A curve is a list of numbers, drawn over 0, 1, 2, …, or a result of `line` or `points`.
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
            span = f"{plot.x_label} from {np.min(x):.3g} to {np.max(x):.3g}"
            places = np.unique(np.linspace(0, len(x) - 1, VALUES_SAID).round().astype(int))
            pairs = [f"{y[place]:.2f} at {x[place]:.3g}" for place in places]
            lines.append(f"  {series.name} ({series.look}), {span}: {', '.join(pairs)}")
    return "\n".join(lines)
