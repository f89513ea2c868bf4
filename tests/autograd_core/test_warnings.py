"""Of what is warned, how often and of which line; infinite numbers and nan come without a word."""

import subprocess
import sys
import warnings

import pytest

import autograd_core as torch
from autograd_core import events, nn

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


def leaf():
    return torch.ones(2, requires_grad=True)


# Each warns, from a shallower or a deeper place in the package.
WARN = {
    "a gradient of no leaf": lambda: (leaf() * 2).grad,
    "a number made of a leaf": lambda: float(leaf().sum()),
    "create_graph": lambda: leaf().sum().backward(create_graph=True),
    "too few numbers": lambda: torch.ones(1).var(),
    "a wrong size": lambda: nn.MSELoss()(torch.ones(2, 1), torch.ones(2)),
    "an `out` that grows": lambda: torch.add(leaf().detach(), 1, out=torch.ones(3)),
    "a mask of bytes": lambda: torch.where(torch.ones(2, dtype=torch.uint8), leaf(), leaf()),
}


def heard(call, times=1):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(times):
            call()
    return caught


@pytest.fixture
def each_time():
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(before)


@pytest.mark.parametrize("call", WARN.values(), ids=WARN)
def test_a_warning_names_the_users_line(call, each_time):
    def listening():
        with events.listening(lambda event: None):
            call()

    assert {each.filename for each in heard(call) + heard(listening)} == {__file__}


def test_some_warnings_are_given_once_a_process(each_time):
    old = lambda: torch.add(torch.ones(2), 2, torch.ones(2))  # noqa: E731
    other = lambda: torch.sub(torch.ones(2), 3, torch.ones(2))  # noqa: E731
    assert len(heard(old, 3)) == 3
    torch.set_warn_always(False)
    assert len(heard(old, 3)) + len(heard(other, 3)) == 1
    assert len(heard(WARN["too few numbers"], 3)) == 3


def test_warn_always_is_yes_or_no():
    with pytest.raises(RuntimeError, match="expects a bool, but got int"):
        torch.set_warn_always(1)
