"""Anomaly mode: nodes remember the lines that made them, and backward says where it went wrong."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_core.graph.running import running
from autograd_core.messages import check_argument, warn

if TYPE_CHECKING:
    from autograd_core.node import Node
    from autograd_core.tensor import Tensor

TRACEBACK, PARENT = "traceback_", "parent_"

HINT = (
    " Hint: enable anomaly detection to find the operation that failed to compute its gradient, "
    "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
HINT_IN_ANOMALY_MODE = (
    " Hint: the backtrace further above shows the operation that failed to compute its gradient. "
    "The variable in question was changed in there or anywhere later. Good luck!"
)
_ERROR = "Error detected in {}. Traceback of forward call that caused the error:\n"
_INDUCED = (
    "\n\nPrevious calculation was induced by {}. Traceback of forward call that induced the "
    "previous calculation:\n"
)
_NO_FORWARD = (
    "Error detected in {}. No forward pass information available. Enable detect anomaly during "
    "forward pass for more information."
)
_PACKAGE = os.path.dirname(os.path.dirname(__file__))


class _Mode:
    """The mode, which all threads share, as in PyTorch."""

    def __init__(self) -> None:
        self.enabled = False
        self.check_nan = True


mode = _Mode()


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly mode on or off; TypeError for anything but bools."""
    check_argument("set_anomaly_enabled", "enabled", enabled, bool, 1)
    check_argument("set_anomaly_enabled", "check_nan", check_nan, bool, 2)
    mode.enabled, mode.check_nan = enabled, check_nan


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on."""
    return mode.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode, when on, looks for nan in every gradient."""
    return mode.check_nan


class set_detect_anomaly:  # noqa: N801 - PyTorch's name
    """Set the mode at once, as a function; as a context manager, restore the previous one."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = is_anomaly_enabled(), is_anomaly_check_nan_enabled()
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        set_anomaly_enabled(*self.prev)


class detect_anomaly(set_detect_anomaly):  # noqa: N801 - PyTorch's name
    """Inside it, a failing backward shows the forward line that made the failing node.

    With `check_nan`, backward fails for a gradient that holds a nan, too. Slow: for debugging.
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__(mode.enabled, mode.check_nan)
        self.check_nan = check_nan
        warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging."
        )

    def __enter__(self) -> None:
        set_anomaly_enabled(True, self.check_nan)


def remember(node: Node) -> None:
    """Note in `node.metadata` the lines of user code that make it, and the backward they run in."""
    from traceback import StackSummary, walk_stack

    summary = StackSummary.extract(walk_stack(sys._getframe(1)))
    summary.reverse()
    # End with the user's own line: the engine's lines below it say nothing new.
    while len(summary) > 1 and summary[-1].filename.startswith(_PACKAGE):
        summary.pop()
    node.metadata[TRACEBACK] = summary.format()
    if running.task is not None and running.task.node is not None:
        node.metadata[PARENT] = running.task.node


def report(node: Node) -> None:
    """Warn that backward failed in `node`: show the lines that made it, and what induced them."""
    _say(_ERROR, node)
    parent: Any = node.metadata.get(PARENT)
    while parent is not None:
        _say(_INDUCED, parent)
        parent = parent.metadata.get(PARENT)


def check_nan(node: Node, results: Sequence[Tensor | None]) -> None:
    """Raise PyTorch's RuntimeError if one of the gradients that `node` returned has a nan."""
    # Arguments that are no tensors do not count.
    of_tensors = itertools.compress(results, node.arguments_that_are_tensors())
    for position, grad in enumerate(of_tensors):
        if grad is not None and np.isnan(grad._array).any():
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {position}th output."
            )


def _say(introduction: str, node: Node) -> None:
    lines: list[str] | None = node.metadata.get(TRACEBACK)
    # As in PyTorch, also for a node that induced another one.
    said = _NO_FORWARD if lines is None else introduction
    warn("".join([said.format(node.name()), *(lines or ())]))
