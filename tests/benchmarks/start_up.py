"""What `import autograd_core` takes where NumPy is imported already."""

import os
import subprocess
import sys
import tempfile
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
    """The median over fresh processes that find compiled files, as after any installation."""
    with tempfile.TemporaryDirectory() as compiled:
        # Even where the environment says that Python is not to keep what it compiles.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return median([_measured(environment) for _ in range(PROCESSES + 1)][1:])


def _measured(environment: dict[str, str]) -> float:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return float(done.stdout)
