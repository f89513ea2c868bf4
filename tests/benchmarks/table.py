"""Rows as text for people, and as plain data for machines."""

from collections.abc import Iterable, Iterator

from .bars import Row

HEADER = ("workload", "autograd_core", "against", "", "ratio", "bar", "")
WIDTHS = (42, 13, 15, 11, 7, 8, 0)
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def lines(rows: Iterable[Row]) -> Iterator[str]:
    """The rows of some workloads; what neighbours share is said once."""
    said = None
    for row in rows:
        shared = ("", "") if row.workload == said else (row.workload, amount(row.seconds, row.unit))
        said = row.workload
        bar = "" if row.bar is None else str(row.bar)
        theirs = amount(row.rival_seconds, row.unit)
        other = (row.rival, theirs, f"{row.ratio:.2f}", bar, row.verdict)
        yield line((*shared, *other))


def line(cells: Iterable[str]) -> str:
    """One line: names to the left of their columns, numbers to the right."""
    aligned = [
        f"{cell:>{width}}" if column in (1, 3, 4) else f"{cell:<{width}}"
        for column, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    ]
    return "  ".join(aligned).rstrip()


def amount(number: float, unit: str) -> str:
    """A duration, or so many of another unit."""
    return duration(number) if unit == "s" else f"{number:,.0f} {unit}"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them: `12.3 us`."""
    size, unit = next((each for each in _UNITS if seconds >= each[0]), _UNITS[-1])
    return f"{seconds / size:,.3g} {unit}"


def plain(row: Row) -> dict[str, object]:
    """A row as JSON-ready data."""
    return {
        "workload": row.workload,
        "seconds": row.seconds,
        "rival": row.rival,
        "rival_seconds": row.rival_seconds,
        "unit": row.unit,
        "ratio": row.ratio,
        "bar": None if row.bar is None else str(row.bar),
        "verdict": row.verdict,
    }
