"""`torch._C`, PyTorch's C++ part: the functions about modes and the running backward."""

from types import SimpleNamespace

from autograd_core.autograd.gradient_checks import _UndefinedGrad
from autograd_core.graph.graph_task import GraphTask
from autograd_core.graph.running import running
from autograd_core.hooks.saved_tensor_hooks import enter, entered, leave
from autograd_core.modes import grad_mode


def _task(function: str) -> GraphTask:
    """Return the running backward; RuntimeError if there is none."""
    if running.task is None:
        raise RuntimeError(f"{function} should only be called during the backward pass")
    return running.task


_C = SimpleNamespace(
    _set_grad_enabled=grad_mode.set_grad_enabled,
    _set_fwd_grad_enabled=grad_mode.enable_fwd_grad,
    _is_fwd_grad_enabled=grad_mode.is_fwd_grad_enabled,
    _is_multithreading_enabled=grad_mode.is_multithreading_enabled,
    _current_graph_task_id=lambda: -1 if running.task is None else running.task.id,
    _current_autograd_node=lambda: getattr(running.task, "node", None),
    _current_graph_task_execution_order=(
        lambda: _task("_current_graph_task_execution_order").execution_order()
    ),
    _will_engine_execute_node=lambda node: _task("_get_should_execute_nodes").will_run(node),
    _functions=SimpleNamespace(UndefinedGrad=lambda: _UndefinedGrad.apply),
    _autograd=SimpleNamespace(
        _push_saved_tensors_default_hooks=lambda *pair: enter(pair),
        _pop_saved_tensors_default_hooks=leave,
        _saved_tensors_hooks_is_enabled=lambda: entered.refusal is None,
        _saved_tensors_hooks_get_disabled_error_message=lambda: entered.refusal,
    ),
)
