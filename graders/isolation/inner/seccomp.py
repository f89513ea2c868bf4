"""A hand-written seccomp filter: which system calls this process may make.

The filter is a program for the kernel's BPF machine. It reads the number of the call (and one
argument, where that decides) and answers allow, an error number, or kill.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct

from graders.isolation.inner.syscalls import (
    ABSENT,
    ALLOWED,
    ARCHITECTURES,
    COLUMN,
    CONDITIONAL,
    YOUNGEST_KNOWN,
    numbers,
)

PR_SET_SECCOMP, MODE_FILTER = 22, 2

LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
REFUSED, NO_SUCH_CALL = ERROR | errno.EPERM, ERROR | errno.ENOSYS

Instruction = tuple[int, int, int, int | None]

HEAD, OPERAND = struct.Struct("=HBB"), struct.Struct("=I")
LIBC = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def supported(machine: str | None = None) -> bool:
    """Whether a filter can be made for `machine`, by default this one."""
    return (machine or os.uname().machine) in ARCHITECTURES


def program(machine: str, process: int | None) -> list[Instruction]:
    """The filter for `machine`, in which signals may be sent to `process` only.

    For a `process` of None the filter is a template: it has None where the process's id belongs.
    """
    column = COLUMN[machine]
    filtered: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, ARCHITECTURES[machine]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    for number in numbers(ALLOWED, machine):
        filtered += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    for number in numbers(ABSENT, machine):
        filtered += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NO_SUCH_CALL)]
    for numbers_of_call, argument, mask, values in CONDITIONAL.values():
        number_or_none = numbers_of_call[column]
        if number_or_none is None:
            continue
        decision: list[Instruction] = [
            # The kernel reads these arguments as 32 bits wide, so only the lower half is compared.
            (LOAD, 0, 0, ARGUMENTS_AT + 8 * argument),
            (AND, 0, 0, mask),
        ]
        for value in values:
            decision += [(EQUAL, 0, 1, process if value is None else value), (RETURN, 0, 0, ALLOW)]
        decision.append((RETURN, 0, 0, REFUSED))
        filtered += [(EQUAL, 0, len(decision), number_or_none), *decision]
    # On x86_64 the x32 calls begin at 2**30: they count as absent, like calls that are too young.
    filtered += [
        (AT_LEAST, 0, 1, YOUNGEST_KNOWN),
        (RETURN, 0, 0, NO_SUCH_CALL),
        (RETURN, 0, 0, REFUSED),
    ]
    return filtered


@functools.cache
def packed_parts(machine: str) -> tuple[bytes, ...]:
    """The filter for `machine` in binary, cut where the process's id goes in."""
    parts = [b""]
    for *head, operand in program(machine, None):
        parts[-1] += HEAD.pack(*head)
        if operand is None:
            parts.append(b"")
        else:
            parts[-1] += OPERAND.pack(operand)
    return tuple(parts)


def install() -> None:
    """Irrevocably put the filter on this thread and its future children.

    The caller has set no_new_privs. Raises OSError when the kernel refuses.
    """
    parts = packed_parts(os.uname().machine)
    packed = OPERAND.pack(os.getpid()).join(parts)
    handed = _Program(len(packed) // (HEAD.size + OPERAND.size), packed)
    if LIBC.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(handed), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
