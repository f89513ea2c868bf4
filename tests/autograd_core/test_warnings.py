"""Numbers that leave the range become infinite or nan without a word, as in PyTorch."""

import subprocess
import sys

import pytest

PROGRAM = """
import autograd_core as torch
big = torch.tensor({data}, requires_grad=True)
huge = big * 10
results = [huge, big.exp(), (big - big).log(), big / 0, huge - huge, big**9, -big.sqrt()]
sum(each.sum() for each in results).backward()
print([each.isfinite().all().item() for each in results])
"""


@pytest.mark.parametrize("data", ["1e38", "[1e38, -1e38]"], ids=["a number", "a vector"])
def test_nothing_is_said_about_infinities(data):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(data=data)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "False" in done.stdout


def test_warnings_of_the_users_own_numpy_stay():
    program = "import autograd_core, numpy as np; np.float32(1e38) * np.float32(10)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "overflow" in done.stderr
