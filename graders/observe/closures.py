"""What functions hold in their closures: the variables of the functions in which they stand."""

from __future__ import annotations

from types import CellType, FunctionType


def full_cells(function: FunctionType) -> list[CellType]:
    """The closure cells of `function` that hold something other than None."""
    return [cell for cell in function.__closure__ or () if _is_full(cell)]


def _is_full(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
