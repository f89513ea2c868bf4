"""`Module`, and hooks on all modules, under PyTorch's name `torch.nn.modules.module`."""

from functools import partial

from autograd_core.hooks.handles import add_hook
from autograd_core.nn.members import REGISTRATION_HOOKS
from autograd_core.nn.module import Module
from autograd_core.nn.module_hooks import everywhere

register_module_forward_pre_hook = everywhere.register_forward_pre_hook
register_module_forward_hook = everywhere.register_forward_hook
register_module_full_backward_pre_hook = everywhere.register_full_backward_pre_hook
register_module_full_backward_hook = everywhere.register_full_backward_hook
register_module_backward_hook = everywhere.register_backward_hook
register_module_parameter_registration_hook = partial(add_hook, REGISTRATION_HOOKS["_parameters"])
register_module_buffer_registration_hook = partial(add_hook, REGISTRATION_HOOKS["_buffers"])
register_module_module_registration_hook = partial(add_hook, REGISTRATION_HOOKS["_modules"])
