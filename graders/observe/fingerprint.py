"""The fingerprint of what a student defined: equal for equal structure, in whichever module.

A starter keeps its fingerprint when it is only run, reformatted or commented. This distinguishes
an exercise that nobody has touched from a wrong answer.
"""

from __future__ import annotations

import dis
import json
from hashlib import sha256
from types import CodeType, FunctionType
from typing import Any

import autograd_core
from graders.observe import codec

MAX_PARTS = 5_000
UNREADABLE = "unreadable"
"""The fingerprint of an object that cannot be read; it equals no starter's."""

JUMPS = frozenset([*dis.hasjrel, *dis.hasjabs])

NO_STRUCTURE = frozenset(
    {
        "__annotations__",
        "__dict__",
        "__doc__",
        "__firstlineno__",
        "__module__",
        "__qualname__",
        "__static_attributes__",
        "__weakref__",
        "_node_class",
        "_forward_cls",
        "_backward_cls",
    }
)


def fingerprint(solution: object, tensor_type: type = autograd_core.Tensor) -> str:
    """Return 16 hexadecimal digits made from the structure of `solution`. Never raises."""
    try:
        structure = _Structure(tensor_type).of(solution)
        text = json.dumps(structure)
    except Exception:
        return UNREADABLE
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


class _Structure:
    """Turns objects into nested lists, at most MAX_PARTS of them."""

    def __init__(self, tensor_type: type) -> None:
        self._tensor_type = tensor_type
        self._left = MAX_PARTS
        self._seen: set[int] = set()

    def of(self, thing: Any) -> Any:
        self._left -= 1
        if self._left < 0 or id(thing) in self._seen:
            return "…"
        kind = type(thing)
        if kind is FunctionType:
            defaults = [self.of(each) for each in thing.__defaults__ or ()]
            return ["function", self._code(thing.__code__), defaults]
        if kind in (staticmethod, classmethod):
            return [kind.__name__, self.of(thing.__func__)]
        if kind is property:
            return ["property", [self.of(f) for f in (thing.fget, thing.fset) if f is not None]]
        if issubclass(kind, type):
            self._seen.add(id(thing))
            own = type.__getattribute__(thing, "__dict__")
            names = sorted(name for name in own if name not in NO_STRUCTURE)
            bases = [base.__name__ for base in type.__getattribute__(thing, "__bases__")]
            return ["class", bases, [[name, self.of(own[name])] for name in names]]
        return ["value", codec.encode(thing, self._tensor_type)]

    def _code(self, code: CodeType) -> Any:
        # Raw bytecode would differ by a docstring, so compare instructions and their arguments.
        # `torch.zeros` is loaded as a method or an attribute, depending on where torch is imported.
        instructions = [each for each in dis.get_instructions(code) if each.opname != "PUSH_NULL"]
        structure = [
            [each.opname.replace("LOAD_METHOD", "LOAD_ATTR"), self._argument(each, instructions)]
            for each in instructions
        ]
        return [list(code.co_varnames[: code.co_argcount]), structure]

    def _argument(self, instruction: dis.Instruction, instructions: list[dis.Instruction]) -> Any:
        if instruction.opcode in JUMPS:
            # An offset would count the instructions left out above, so count the others instead.
            return sum(each.offset < instruction.argval for each in instructions)
        return self._operand(instruction.argval)

    def _operand(self, operand: Any) -> Any:
        if isinstance(operand, CodeType):
            return self._code(operand)
        if isinstance(operand, frozenset):
            return sorted(map(repr, operand))  # its own order differs from process to process
        return repr(operand)
