"""The table of programs: every public function of these modules, by `module.function`."""

import importlib
import pkgutil
from types import FunctionType, ModuleType

from ..harness import Program

MODULES = [
    importlib.import_module(f"{__name__}.{module.name}")
    for module in pkgutil.iter_modules(__path__)
]


def _programs_of(module: ModuleType) -> dict[str, Program]:
    short = module.__name__.rpartition(".")[2]
    return {
        f"{short}.{name}": function
        for name, function in vars(module).items()
        if isinstance(function, FunctionType)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    }


PROGRAMS: dict[str, Program] = {
    name: program for module in MODULES for name, program in _programs_of(module).items()
}
