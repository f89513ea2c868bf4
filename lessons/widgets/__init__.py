"""The figures and cards of the lessons. All have a static form for pages without a kernel."""

from graders.observe.own_function import yours
from lessons.widgets.memory import memory
from lessons.widgets.plot import plot, plots
from lessons.widgets.prediction import guess, reveal
from lessons.widgets.series import line, points
from lessons.widgets.side_by_side import side_by_side
from lessons.widgets.stepper import record, step

__all__ = [
    "guess",
    "line",
    "memory",
    "plot",
    "plots",
    "points",
    "record",
    "reveal",
    "side_by_side",
    "step",
    "yours",
]
