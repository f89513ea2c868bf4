"""Whether an operator costs the same in a long graph as in a short one.

In a process of its own: Python's cyclic collector goes through all objects there are, and those of
the other contestants are not part of either graph.
"""

from . import one_thread  # isort: skip  # before anything that brings NumPy

import json
import subprocess
import sys
from pathlib import Path

from .small_graphs import chain
from .timing import best_of

SHORT, LONG = 1_000, 100_000
ROUNDS = 9


def seconds_per_operator() -> tuple[float, float]:
    """What one multiplication of a short and of a long chain takes, forward and backward."""
    command = [sys.executable, "-m", __name__]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True)
    short, long = json.loads(done.stdout)
    return short, long


def _measured() -> tuple[float, float]:
    import autograd_core

    # A turn has as many operators for the one as for the other.
    steps = {str(links): chain(autograd_core, links).step for links in (SHORT, LONG)}
    calls = {str(SHORT): LONG // SHORT, str(LONG): 1}
    for step in steps.values():
        step()
    seconds = best_of(steps, calls, ROUNDS)
    return seconds[str(SHORT)] / SHORT, seconds[str(LONG)] / LONG


if __name__ == "__main__":
    assert one_thread.LIMITS
    print(json.dumps(_measured()))
