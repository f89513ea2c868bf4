"""The table of programs: every public function of these modules, as `folder.module.function`."""

import importlib
import pkgutil
from types import FunctionType, ModuleType

from tests.parity.harness import Program

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(__path__, f"{__name__}.")
    if not module.ispkg
]


def _programs_of(module: ModuleType) -> dict[str, Program]:
    place = module.__name__.removeprefix(f"{__name__}.")
    return {
        f"{place}.{name}": function
        for name, function in vars(module).items()
        if isinstance(function, FunctionType)
        and function.__module__ == module.__name__
        and not name.startswith("_")
    }


PROGRAMS: dict[str, Program] = {
    name: program for module in MODULES for name, program in _programs_of(module).items()
}
