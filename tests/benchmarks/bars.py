"""A row of the table: our time against another's, and the bar that was set for the ratio."""

from typing import NamedTuple


class Bar(NamedTuple):
    """The largest ratio that is good enough, or the first that is not (`below`)."""

    ratio: float
    below: bool = False

    def holds(self, ratio: float) -> bool:
        """Whether a ratio is good enough."""
        return ratio < self.ratio if self.below else ratio <= self.ratio

    def __str__(self) -> str:
        return f"< {self.ratio:g}" if self.below else f"<= {self.ratio:.2f}"


AHEAD = Bar(1, below=True)


class Row(NamedTuple):
    """One comparison; without a bar it is only told. `unit` is "s", or "MB" for memory."""

    workload: str
    seconds: float
    rival: str
    rival_seconds: float
    bar: Bar | None
    unit: str = "s"

    @property
    def ratio(self) -> float:
        """Our time as a multiple of the other's."""
        return self.seconds / self.rival_seconds

    @property
    def verdict(self) -> str:
        """What became of the bar."""
        if self.bar is None:
            return ""
        return "holds" if self.bar.holds(self.ratio) else "misses"
