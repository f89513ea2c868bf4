"""What the lessons show: static figures and cards that need neither a kernel nor a server."""

from lessons.widgets.memory import memory
from lessons.widgets.own_function import yours
from lessons.widgets.plot import plot, plots
from lessons.widgets.prediction import reveal
from lessons.widgets.series import line, points
from lessons.widgets.side_by_side import side_by_side

__all__ = ["line", "memory", "plot", "plots", "points", "reveal", "side_by_side", "yours"]
