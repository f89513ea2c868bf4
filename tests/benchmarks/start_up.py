"""What `import autograd_core` takes where NumPy is imported already."""

import subprocess
import sys
from pathlib import Path
from statistics import median

PROCESSES = 15
PROGRAM = """
import numpy, time
start = time.perf_counter()
import autograd_core
print(time.perf_counter() - start)
"""


def seconds() -> float:
    """The median over fresh processes; the first, which may compile the files, does not count."""
    return median([_measured() for _ in range(PROCESSES + 1)][1:])


def _measured() -> float:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PROGRAM]
    return float(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)
