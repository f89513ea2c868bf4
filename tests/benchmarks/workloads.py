"""The table of workloads: who runs them and what bars they are held to."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from . import arrays, checks, endurance, grading, growth, small_graphs, start_up, timing
from .bars import AHEAD, Bar, Row
from .contestants import HIPS, NUMPY, OURS, PYTORCH, Maker, field
from .networks import training

LIMIT_OF_IMPORT = 0.050  # seconds
LIMIT_OF_STEPPER = 0.300  # seconds


class Contest(NamedTuple):
    """A workload that contestants run side by side, and the bars against each."""

    title: str
    makers: dict[str, Maker]
    bars: Mapping[str, Bar]

    def rows(self) -> list[Row]:
        """Time all contestants and compare."""
        seconds = timing.best({name: make().step for name, make in self.makers.items()})
        ours = seconds.pop(OURS)
        return [
            Row(self.title, ours, rival, theirs, self.bars.get(rival))
            for rival, theirs in seconds.items()
        ]


SMALL = {PYTORCH: AHEAD, HIPS: AHEAD}
MEDIUM = {PYTORCH: AHEAD, HIPS: AHEAD, NUMPY: Bar(1.25)}
LARGE = {HIPS: AHEAD, NUMPY: Bar(1.10)}

CONTESTS = {
    "log_sin": Contest(
        "log(x1 x2) sin(x1 x2) on scalars",
        field(small_graphs.log_sin, small_graphs.log_sin_in_hips),
        SMALL,
    ),
    "chain": Contest(
        "chain of 1,000 multiplications",
        field(small_graphs.chain, small_graphs.chain_in_hips),
        SMALL,
    ),
    "custom_functions": Contest(
        "10 custom Functions on 16 floats",
        field(small_graphs.custom_functions, small_graphs.custom_functions_in_hips),
        SMALL,
    ),
    "mlp_128_mse": Contest("MLP 784-128-10, batch 64, MSE", training(128, 64, "mse"), MEDIUM),
    "mlp_128_cross_entropy": Contest(
        "MLP 784-128-10, batch 64, cross-entropy", training(128, 64, "cross_entropy"), MEDIUM
    ),
    "mlp_512_mse": Contest("MLP 784-512-10, batch 512, MSE", training(512, 512, "mse"), LARGE),
    "mlp_512_cross_entropy": Contest(
        "MLP 784-512-10, batch 512, cross-entropy", training(512, 512, "cross_entropy"), LARGE
    ),
    "elementwise": Contest(
        "log(ab) sin(ab) on 1e6 float32",
        field(arrays.log_sin, arrays.log_sin_in_hips, arrays.log_sin_in_numpy),
        LARGE,
    ),
}


def _growth() -> list[Row]:
    short, long = growth.seconds_per_operator()
    title = f"one operator of a chain of {growth.LONG:,}"
    return [Row(title, long, f"of {growth.SHORT:,}", short, Bar(1.20))]


def _start_up() -> list[Row]:
    title = "import autograd_core beyond NumPy"
    return [Row(title, start_up.seconds(), "the bar", LIMIT_OF_IMPORT, Bar(1))]


def _stepper() -> list[Row]:
    title = "the first stepper, on log(x1 x2) sin(x1 x2)"
    seconds = start_up.seconds(start_up.STEPPER)
    return [Row(title, seconds, "the bar", LIMIT_OF_STEPPER, Bar(1))]


WORKLOADS: dict[str, Callable[[], list[Row]]] = {
    **{name: contest.rows for name, contest in CONTESTS.items()},
    "growth": _growth,
    "import": _start_up,
    "stepper": _stepper,
    "check": checks.rows,
    "grading": grading.rows,
}

ON_REQUEST: dict[str, Callable[[], list[Row]]] = {"endurance": endurance.rows}
"""What takes so long that it is only run by name."""
