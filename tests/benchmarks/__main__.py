"""Run the benchmarks and print their table; exit status 1 when a bar is missed."""

from . import one_thread  # isort: skip  # before anything that brings NumPy

import argparse
import json
import sys
from pathlib import Path

from . import table
from .workloads import ON_REQUEST, WORKLOADS


def main() -> int:
    """Time the workloads that were asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--workload",
        action="append",
        choices=[*WORKLOADS, *ON_REQUEST],
        help="only this one (may be repeated)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there, too")
    options = parser.parse_args()

    print(table.line(table.HEADER), flush=True)
    workloads = {**WORKLOADS, **ON_REQUEST}
    rows = []
    for name in options.workload or WORKLOADS:
        new = workloads[name]()
        rows += new
        print("\n".join(table.lines(new)), flush=True)
    if options.json:
        plain = [table.plain(row) for row in rows]
        options.json.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    return int(any(row.verdict == "misses" for row in rows))


if __name__ == "__main__":
    assert one_thread.LIMITS
    sys.exit(main())
