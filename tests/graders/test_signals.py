"""Signals that ask a command to end."""

import signal

import pytest

from graders.signals import NUMBERS, ending_at_once, ending_like_ctrl_c

pytestmark = pytest.mark.skipif(
    len(NUMBERS) < 2, reason="closed terminals are not told on this system"
)


@pytest.fixture(autouse=True)
def afterwards_as_before():
    before = {number: signal.getsignal(number) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS)
def test_they_end_a_program_as_ctrl_c_does_and_say_which_it_was(number):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt) as stop, ending_like_ctrl_c():
        signal.raise_signal(number)

    assert stop.value.args == (number,)
    assert signal.getsignal(number) == before


def test_what_nohup_has_ignored_stays_ignored():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with ending_like_ctrl_c():
        signal.raise_signal(signal.SIGHUP)
        ending_at_once()

    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_a_forked_process_ends_at_once():
    with ending_like_ctrl_c():
        ending_at_once()
        assert [signal.getsignal(number) for number in NUMBERS] == [signal.SIG_DFL] * 2
