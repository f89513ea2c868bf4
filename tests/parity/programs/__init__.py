"""The table of programs: every public function of these modules, by `module.function`."""

from types import FunctionType, ModuleType

from ..harness import Program
from . import (
    autograd_grad,
    backward,
    conversion,
    creation,
    double_backward,
    function_contract,
    function_dirty,
    function_gradients,
    function_outputs,
    grad_mode,
    hooks,
    inplace,
    leaves,
    losses,
    module_members,
    module_state,
    modules,
    operators,
    optimizers,
    printing,
    promotion,
    retain_grad,
    saved_tensors,
    shape_errors,
    sharing,
    view_history,
    views,
)

MODULES = (
    creation,
    promotion,
    printing,
    conversion,
    operators,
    shape_errors,
    leaves,
    grad_mode,
    sharing,
    inplace,
    views,
    view_history,
    retain_grad,
    backward,
    autograd_grad,
    saved_tensors,
    double_backward,
    function_contract,
    function_outputs,
    function_gradients,
    function_dirty,
    hooks,
    losses,
    modules,
    module_members,
    module_state,
    optimizers,
)


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
