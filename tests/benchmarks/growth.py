"""Whether an operator costs the same in a long graph as in a short one."""

import autograd_core

from .small_graphs import chain
from .timing import best_of

SHORT, LONG = 1_000, 100_000
ROUNDS = 9


def seconds_per_operator() -> tuple[float, float]:
    """What one multiplication of a short and of a long chain takes, forward and backward.

    A turn has as many operators for the one as for the other.
    """
    steps = {str(links): chain(autograd_core, links).step for links in (SHORT, LONG)}
    calls = {str(SHORT): LONG // SHORT, str(LONG): 1}
    for step in steps.values():
        step()
    seconds = best_of(steps, calls, ROUNDS)
    return seconds[str(SHORT)] / SHORT, seconds[str(LONG)] / LONG
