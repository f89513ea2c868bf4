"""`Module`: something that holds parameters and computes; `Parameter`: a tensor that learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograd_core.tensor import Tensor


class Parameter(Tensor):
    """A leaf that requires grad and that modules find by itself. Shares the memory of `data`."""

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        self._storage, self._window = data._storage, data._window
        self.requires_grad_(requires_grad)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


class Module:
    """Base class of layers and networks: assign parameters and modules, define `forward`."""

    training = True

    def __init__(self) -> None:
        self._parameters: dict[str, Parameter | None] = {}
        self._modules: dict[str, Module] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        for kind, registry in ((Parameter, "_parameters"), (Module, "_modules")):
            if isinstance(value, kind):
                if registry not in self.__dict__:
                    what = "parameters" if kind is Parameter else "module"
                    raise AttributeError(f"cannot assign {what} before Module.__init__() call")
                self.__dict__[registry][name] = value
        object.__setattr__(self, name, value)

    def forward(self, *args: Any) -> Any:
        """Compute; every subclass defines it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any) -> Any:
        """Compute: `module(x)` is `module.forward(x)`."""
        return self.forward(*args)

    def children(self) -> Iterator[Module]:
        """Yield the modules that this one holds itself."""
        yield from self._modules.values()

    def modules(self) -> Iterator[Module]:
        """Yield this module and all modules below it."""
        yield self
        for child in self.children():
            yield from child.modules()

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Parameter]]:
        """Yield every parameter once, with its dotted name."""
        seen: set[int] = set()
        for name, parameter in self._named(prefix):
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def _named(self, prefix: str) -> Iterator[tuple[str, Parameter]]:
        for name, parameter in self._parameters.items():
            if parameter is not None:
                yield prefix + name, parameter
        for name, module in self._modules.items():
            yield from module._named(f"{prefix}{name}.")

    def parameters(self) -> Iterator[Parameter]:
        """Yield every parameter once."""
        for _, parameter in self.named_parameters():
            yield parameter

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set `requires_grad` of all parameters and return self."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, or set them to zero."""
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad.detach_().zero_()

    def train(self, mode: bool = True) -> Module:
        """Set `training` here and below, and return self."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        """Unset `training` here and below, and return self."""
        return self.train(False)

    def extra_repr(self) -> str:
        """Return what stands between the parentheses of a layer's text."""
        return ""

    def __repr__(self) -> str:
        if not self._modules:
            return f"{type(self).__name__}({self.extra_repr()})"
        lines = [
            f"  ({name}): " + repr(module).replace("\n", "\n  ")
            for name, module in self._modules.items()
        ]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])
