"""What a step takes: the best of several rounds, in which the contestants take turns.

Neighbours on the machine disturb everyone alike, and mostly not in the best round. The garbage
collector stays on, as users have it; what a contestant leaves behind is collected off the clock.
"""

import gc
from collections.abc import Callable, Mapping
from time import perf_counter

Step = Callable[[], object]

ROUNDS = 15
TURN = 0.06  # seconds


def best(steps: Mapping[str, Step], rounds: int = ROUNDS, turn: float = TURN) -> dict[str, float]:
    """Seconds for one call of each step, at their best."""
    calls = {name: _calls_in(turn, step) for name, step in steps.items()}
    return best_of(steps, calls, rounds)


def best_of(steps: Mapping[str, Step], calls: Mapping[str, int], rounds: int) -> dict[str, float]:
    """The same for given numbers of calls a turn."""
    seconds = dict.fromkeys(steps, float("inf"))
    for _ in range(rounds):
        for name, step in steps.items():
            seconds[name] = min(seconds[name], _timed(step, calls[name]))
    return seconds


def _timed(step: Step, calls: int) -> float:
    gc.collect()
    start = perf_counter()
    for _ in range(calls):
        step()
    return (perf_counter() - start) / calls


def _calls_in(turn: float, step: Step) -> int:
    step()
    return max(1, round(turn / _timed(step, 3)))
