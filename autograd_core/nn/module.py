"""`Module`: the base class of layers, which hold parameters and compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from autograd_core import creation
from autograd_core.modes.grad_mode import no_grad
from autograd_core.nn import module_hooks
from autograd_core.nn.members import Members
from autograd_core.nn.module_hooks import Hooked, hooks_everywhere
from autograd_core.nn.state_dict import Stateful
from autograd_core.rules.grad_assignment import forget_gradient
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes


class Module(Members, Hooked, Stateful):
    """Base class of layers and networks: assign parameters and modules, define `forward`."""

    training: bool
    # True in a subclass with other base classes, so that these are initialised, too.
    call_super_init = False
    # The attributes that a layer's repr shows, without and with their names.
    _shown_bare: tuple[str, ...] = ()
    _shown: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        name = f"{type(self).__name__}.__init__()"
        if not self.call_super_init and kwargs:
            raise TypeError(f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'")
        if not self.call_super_init and args:
            raise TypeError(f"{name} takes 1 positional argument but {len(args) + 1} were given")
        object.__setattr__(self, "training", True)
        Members.__init__(self)
        Hooked.__init__(self)
        Stateful.__init__(self)
        if self.call_super_init:
            super(Stateful, self).__init__(*args, **kwargs)

    def forward(self, *args: Any) -> Any:
        """Compute the output; every subclass defines it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    # So that errors say what was called.
    forward.__name__ = forward.__qualname__ = "_forward_unimplemented"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute: `module(x)` is `module.forward(x)` with hooks before and after it."""
        if (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or any(hooks_everywhere)
        ):
            return module_hooks.call(self, args, kwargs)
        return self.forward(*args, **kwargs)

    def apply(self, fn: Callable[[Module], object]) -> Self:
        """Call `fn` with every module below, then with this one, and return it."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of all parameters and return self."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set all gradients to None, or without `set_to_none` to zero."""
        for parameter in self.parameters():
            forget_gradient(parameter, set_to_none)

    def train(self, mode: bool = True) -> Self:
        """Set `training` here and below, and return self; ValueError for anything but a bool."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Self:
        """Unset `training` here and below, and return self."""
        return self.train(False)

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Give floating parameters and buffers another dtype, in place, and return self.

        Takes what `Tensor.to` takes; TypeError for an integer dtype.
        """
        dtype = creation.empty(0).to(*args, **kwargs).dtype
        if not dtype.is_floating_point:
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype!r}"
            )
        given = map(dtypes.of_type, (*args, *kwargs.values()))
        if not any(isinstance(arg, dtypes.dtype | Tensor) for arg in given):
            return self
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def cuda(self, device: Any = None) -> Self:
        """Refuse: devices other than the cpu are out of this package's scope."""
        return self._apply(lambda t: t.cuda(device))

    def half(self) -> Self:
        """Make floating parameters and buffers float16 and return self."""
        return self.to(dtypes.float16)

    def float(self) -> Self:
        """Make floating parameters and buffers float32 and return self."""
        return self.to(dtypes.float32)

    def double(self) -> Self:
        """Make floating parameters and buffers float64 and return self."""
        return self.to(dtypes.float64)

    def type(self, dst_type: Any) -> Self:
        """Give all parameters and buffers another dtype and return self."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def cpu(self) -> Self:
        """Return self: the cpu is the only device."""
        return self

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Give all parameters and buffers new memory with arbitrary values; return self."""
        return self._apply(lambda tensor: creation.empty_like(tensor, device=device), recurse)

    def share_memory(self) -> Self:
        """Return self: there is one process."""
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        for child in self.children() if recurse else ():
            child._apply(fn)
        with no_grad():
            for parameter in self.parameters(recurse=False):
                _become(parameter, fn)
                if parameter.grad is not None:
                    _become(parameter.grad, fn)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return the text between the parentheses of a layer's repr."""
        shown = {name: getattr(self, name) for name in self._shown}
        if "bias" in shown:
            shown["bias"] = shown["bias"] is not None
        bare = [str(getattr(self, name)) for name in self._shown_bare]
        return ", ".join(bare + [f"{name}={value}" for name, value in shown.items()])

    def __repr__(self) -> str:
        own = self.extra_repr().split("\n") if self.extra_repr() else []
        below = [f"({name}): {module!r}" for name, module in self._modules.items()]
        if len(own) == 1 and not below:
            return f"{self._get_name()}({own[0]})"
        return listed(self._get_name(), own + below)


for part in (Members, Hooked, Stateful):
    for name, method in vars(part).items():
        if callable(method):
            # So that errors name `Module`, which their readers know.
            method.__qualname__ = f"Module.{name}"


def listed(name: str, entries: list[str]) -> str:
    """Return the repr of a module, with one indented line for each entry."""
    if not entries:
        return f"{name}()"
    lines = ["  " + entry.replace("\n", "\n  ") for entry in entries]
    return "\n".join([f"{name}(", *lines, ")"])


def _become(tensor: Tensor, convert: Callable[[Tensor], Tensor]) -> None:
    converted = convert(tensor)
    if converted is not tensor:
        tensor.data = converted
