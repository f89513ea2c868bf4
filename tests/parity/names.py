"""The names that PyTorch has and autograd_core has not: `python -m tests.parity.names` writes them.

Where they are written, autograd_core finds those that it refuses without saying what it lacks.
"""

import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import autograd_core
from autograd_core.messages import names_of_pytorch, unsupported

from . import pytorch

PLACES = ("torch", "torch.Tensor", "torch.autograd", "torch.linalg", "torch.nn")
PLACES += ("torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.optim")
PLACES += ("torch.optim.lr_scheduler", "torch.utils")
_ABOUT = '"""Names that PyTorch has, and this package has not; `tests.parity.names` writes them."""'


def missing() -> dict[str, list[str]]:
    """Return for each place in PyTorch the public names that are lacking here without a reason."""
    torch = pytorch.load()
    return {place: _missing(found(torch, place), found(autograd_core, place)) for place in PLACES}


def found(package: ModuleType, place: str) -> Any:
    """Return what is in a place of PyTorch, or in the same place of this package."""
    for name in place.split(".")[1:]:
        package = getattr(package, name)
    return package


def _missing(theirs: Any, ours: Any) -> list[str]:
    return [
        name
        for name in dir(theirs)
        if not (name.startswith("_") or name in unsupported.NAMES or hasattr(ours, name))
        and _is_of_pytorch(getattr(theirs, name))
    ]


def _is_of_pytorch(value: Any) -> bool:
    """Return whether a value is neither imported from elsewhere nor of use to PyTorch alone."""
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch.")
    home = getattr(value, "__module__", None) or "torch"
    kind = value if isinstance(value, type) else type(value)
    is_bound_from_cpp = type(kind).__name__ == "pybind11_type"
    is_constant = isinstance(value, bool | float | str | tuple | dict)
    return home.partition(".")[0] == "torch" and not (is_bound_from_cpp or is_constant)


def write() -> None:
    """Write the names anew, a text for each place."""
    lines = [_ABOUT, "", "NAMES = {"]
    for place, names in missing().items():
        lines.append(f'    "{place}": """')
        lines += textwrap.wrap(" ".join(names), 96, initial_indent="    ", subsequent_indent="    ")
        lines.append('    """,')
    Path(names_of_pytorch.__file__).write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


if __name__ == "__main__":
    write()
