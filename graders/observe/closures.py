"""What functions refer to: bare names, and variables of the functions in which they stand."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

OF_BARE_NAMES = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
"""Bytecode instructions that look up a bare name, in functions and in classes inside them."""


def bare_names(code: CodeType) -> Iterator[str]:
    """Yield the bare names that `code` looks up: that in `Tanh`, not that in `nn.Tanh`."""
    steps = dis.get_instructions(code)
    yield from (each.argval for each in steps if each.opname in OF_BARE_NAMES)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from bare_names(each)


def named_in(function: FunctionType) -> list[Any]:
    """The values that `function` and the functions in it know by name, None for unknown names."""
    values = [function.__globals__.get(name) for name in bare_names(function.__code__)]
    return values + [cell.cell_contents for cell in full_cells(function)]


def full_cells(function: FunctionType) -> list[CellType]:
    """The closure cells of `function` that hold something other than None."""
    return [cell for cell in function.__closure__ or () if _is_full(cell)]


def _is_full(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
