"""What is waited for once: `import autograd_core` where NumPy is there, and the first stepper."""

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


STEPPER = """
import time
import autograd_core as torch
from lessons.widgets import step
x1 = torch.tensor(1.0, requires_grad=True)
x2 = torch.tensor(2.0, requires_grad=True)
y = x1 * x2
z = torch.log(y) * torch.sin(y)
start = time.perf_counter()
step(z)._repr_mimebundle_()
print(time.perf_counter() - start)
"""


def seconds(program: str = PROGRAM) -> float:
    """The median over fresh processes that find compiled files, as after any installation."""
    with tempfile.TemporaryDirectory() as compiled:
        # Even where the environment says that Python is not to keep what it compiles.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return median([_measured(program, environment) for _ in range(PROCESSES + 1)][1:])


def _measured(program: str, environment: dict[str, str]) -> float:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True)
    return float(done.stdout)
