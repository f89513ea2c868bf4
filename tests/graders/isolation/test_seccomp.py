import os
import struct

import pytest

from graders.isolation.inner import seccomp, syscalls
from tests.graders.workers import ISOLATING, outcomes

# Arguments do not matter: what is refused is refused before they are looked at.
FORBIDDEN_CALLS = {
    "x86_64": {
        "ptrace": 101,
        "mount": 165,
        "chroot": 161,
        "keyctl": 250,
        "unshare": 272,
        "perf_event_open": 298,
        "open_by_handle_at": 304,
        "setns": 308,
        "process_vm_readv": 310,
        "memfd_create": 319,
        "bpf": 321,
        "execveat": 322,
        "userfaultfd": 323,
        "io_uring_setup": 425,
        "pidfd_open": 434,
    },
    "aarch64": {"ptrace": 117, "mount": 40, "unshare": 97, "bpf": 280, "io_uring_setup": 425},
}


@pytest.mark.parametrize("isolation", ISOLATING)
def test_calls_into_the_kernel_are_refused(isolation):
    calls = FORBIDDEN_CALLS[os.uname().machine]
    cell = (
        "import ctypes, errno\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"for name, number in {calls!r}.items():\n"
        "    result = libc.syscall(number, 0, 0, 0, 0, 0, 0)\n"
        "    print(name, result, errno.errorcode.get(ctypes.get_errno()))"
    )

    ((outcome, printed),) = outcomes(isolation, [cell])

    assert outcome == "ok"
    assert printed.splitlines() == [f"{name} -1 EPERM" for name in calls]


@pytest.mark.parametrize("isolation", ISOLATING)
def test_the_second_table_of_calls_is_closed(isolation):
    cell = "import ctypes; print(ctypes.CDLL(None).syscall(0x40000000 + 39))"

    ((_, printed),) = outcomes(isolation, [cell])

    assert printed == "-1\n"


def run_filter(program, number, arguments=(), architecture=None):
    """What the kernel's packet-filter machine would answer."""
    machine = {value: name for name, value in syscalls.ARCHITECTURES.items()}
    known = architecture or next(iter(machine))
    padded = [*arguments, *[0] * (6 - len(arguments))]
    memory = struct.pack("=IIQ6Q", number, known, 0, *padded)
    value = position = 0
    while True:
        code, yes, no, constant = program[position]
        position += 1
        if code == seccomp.LOAD:
            (value,) = struct.unpack_from("=I", memory, constant)
        elif code == seccomp.AND:
            value &= constant
        elif code == seccomp.RETURN:
            return constant
        else:
            holds = value == constant if code == seccomp.EQUAL else value >= constant
            position += yes if holds else no


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_decides_call_by_call(machine):
    program = seccomp.program(machine, process=4242)
    column = syscalls.COLUMN[machine]
    here = syscalls.ARCHITECTURES[machine]

    def answer(number, *arguments):
        return run_filter(program, number, arguments, here)

    kill = syscalls.CONDITIONAL["kill"][0][column]
    pair = syscalls.CONDITIONAL["socketpair"][0][column]
    assert answer(syscalls.ALLOWED["read"][column]) == seccomp.ALLOW
    assert answer(kill, 4242, 9) == seccomp.ALLOW
    assert answer(kill, 1, 9) == seccomp.REFUSED
    assert answer(kill, 2**32 - 1, 9) == seccomp.REFUSED
    assert answer(pair, 1, 1 | 0o2000000) == seccomp.ALLOW
    assert answer(pair, 1, 2) == seccomp.REFUSED
    assert answer(FORBIDDEN_CALLS[machine]["ptrace"]) == seccomp.REFUSED
    assert answer(435) == seccomp.NO_SUCH_CALL
    assert answer(0x40000000) == seccomp.NO_SUCH_CALL


def test_the_filter_kills_calls_of_another_architecture():
    program = seccomp.program("x86_64", process=1)

    assert run_filter(program, 0, architecture=0x40000003) == seccomp.KILL


def test_dangerous_calls_are_in_no_list_for_any_machine():
    for machine, calls in FORBIDDEN_CALLS.items():
        allowed = set(syscalls.numbers(syscalls.ALLOWED, machine))
        assert allowed.isdisjoint(calls.values())
