"""`Module`: something that holds parameters and computes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from autograd_core import dtypes
from autograd_core.grad_mode import no_grad
from autograd_core.hooks import RemovableHandle
from autograd_core.nn import forward_hooks
from autograd_core.nn.forward_hooks import ForwardHooks, Hook
from autograd_core.nn.members import Members
from autograd_core.nn.state_dict import IncompatibleKeys, Loading, state_of
from autograd_core.tensor import Tensor

Self = TypeVar("Self", bound="Module")


class Module(Members):
    """Base class of layers and networks: assign parameters and modules, define `forward`."""

    training = True

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "_hooks", ForwardHooks())

    def forward(self, *args: Any) -> Any:
        """Compute; every subclass defines it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute: `module(x)` is `module.forward(x)` with the hooks around it."""
        if self._hooks:
            return self._hooks.run(self, args, kwargs)
        return self.forward(*args, **kwargs)

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` ahead of forward; what it returns replaces the arguments."""
        return forward_hooks.register(self._hooks.before, Hook(hook, with_kwargs), prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after forward; what it returns replaces the output."""
        return forward_hooks.register(
            self._hooks.after, Hook(hook, with_kwargs, always_call), prepend
        )

    def apply(self: Self, fn: Callable[[Module], object]) -> Self:
        """Call `fn` with every module below, then with this one, and return it."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of all parameters and return self."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, or set them to zero."""
        for parameter in self.parameters():
            forget_gradient(parameter, set_to_none)

    def train(self: Self, mode: bool = True) -> Self:
        """Set `training` here and below, and return self; ValueError for anything but a bool."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self: Self) -> Self:
        """Unset `training` here and below, and return self."""
        return self.train(False)

    def state_dict(
        self,
        *,
        destination: dict[str, Tensor] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Tensor]:
        """Return parameters and persistent buffers by name, detached but in the same memory."""
        state = state_of(self, prefix, keep_vars)
        if destination is None:
            return state
        destination.update(state)
        return destination

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy a `state_dict` into this module, or take its tensors over with `assign`.

        Raises RuntimeError for shapes that differ and, when `strict`, for names that do; returns
        those names. TypeError for what is no mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        loading = Loading(OrderedDict(state_dict), assign)
        loading.visit(self)
        return loading.finish(type(self).__name__, strict)

    def to(self: Self, dtype: Any) -> Self:
        """Give floating parameters and buffers another dtype, in place, and return self."""
        if isinstance(dtype, Tensor):
            dtype = dtype.dtype
        if isinstance(dtype, dtypes.dtype) and not dtype.is_floating_point:
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )
        return self._convert(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def half(self: Self) -> Self:
        """Make floating parameters and buffers float16 and return self."""
        return self.to(dtypes.float16)

    def float(self: Self) -> Self:
        """Make floating parameters and buffers float32 and return self."""
        return self.to(dtypes.float32)

    def double(self: Self) -> Self:
        """Make floating parameters and buffers float64 and return self."""
        return self.to(dtypes.float64)

    def type(self: Self, dst_type: Any) -> Self:
        """Give all parameters and buffers another dtype and return self."""
        return self._convert(lambda tensor: tensor.to(dst_type))

    def cpu(self: Self) -> Self:
        """Return self: the processor is the only device."""
        return self

    def _convert(self: Self, convert: Callable[[Tensor], Tensor]) -> Self:
        for module in self.modules():
            with no_grad():
                for parameter in module.parameters(recurse=False):
                    _become(parameter, convert)
                    if parameter.grad is not None:
                        _become(parameter.grad, convert)
            for name, buffer in module.named_buffers(recurse=False):
                module._buffers[name] = convert(buffer)
        return self

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return what stands between the parentheses of a layer's text."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr().split("\n") if self.extra_repr() else []
        below = [f"({name}): {module!r}" for name, module in self._modules.items()]
        if len(own) == 1 and not below:
            return f"{self._get_name()}({own[0]})"
        return listed(self._get_name(), own + below)


def listed(name: str, entries: list[str]) -> str:
    """Return the text of a module with one entry a line, indented."""
    if not entries:
        return f"{name}()"
    lines = ["  " + entry.replace("\n", "\n  ") for entry in entries]
    return "\n".join([f"{name}(", *lines, ")"])


def forget_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Take a parameter's gradient away, or set it to zero where it lies."""
    if set_to_none or parameter.grad is None:
        parameter.grad = None
        return
    if parameter.grad.grad_fn is not None:
        parameter.grad.detach_()
    else:
        parameter.grad.requires_grad_(False)
    parameter.grad.zero_()


def _become(tensor: Tensor, convert: Callable[[Tensor], Tensor]) -> None:
    converted = convert(tensor)
    if converted is not tensor:
        tensor.data = converted
