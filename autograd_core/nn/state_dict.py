"""A module's state by name, to be kept and to be loaded again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from autograd_core.grad_mode import no_grad
from autograd_core.nn.parameter import Parameter
from autograd_core.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """The names that a loaded state lacks, and those that the module does not know."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )


def state_of(module: Any, prefix: str, keep_vars: bool) -> OrderedDict[str, Tensor]:
    """Return parameters and persistent buffers; detached, they share the module's memory."""
    state: OrderedDict[str, Tensor] = OrderedDict()
    for name, tensor in _own(module):
        state[prefix + name] = tensor if keep_vars else tensor.detach()
    for name, child in module._modules.items():
        if child is not None:
            state |= child.state_dict(prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    return state


class Loading:
    """One `load_state_dict`: what it found on its way through the modules."""

    def __init__(self, state: Mapping[str, Any], assign: bool) -> None:
        self.state, self.assign = state, assign
        self.missing: list[str] = []
        self.unexpected: list[str] = []
        self.errors: list[str] = []

    def visit(self, module: Any, prefix: str = "") -> None:
        """Fill `module` and all below it; note what does not fit."""
        own = dict(_own(module))
        for name, tensor in own.items():
            key = prefix + name
            if key in self.state:
                self._fill(module, name, tensor, key)
            else:
                self.missing.append(key)
        for key in self.state:
            first, *below = key.removeprefix(prefix).split(".", 1)
            known = module._modules if below else own
            if key.startswith(prefix) and first not in known:
                self.unexpected.append(key)
        for name, child in module._modules.items():
            if child is not None:
                self.visit(child, f"{prefix}{name}.")

    def _fill(self, module: Any, name: str, tensor: Tensor, key: str) -> None:
        value = self.state[key]
        if not isinstance(value, Tensor):
            self.errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
                f"object from checkpoint but received {type(value)}"
            )
            return
        if not tensor.dim() and tuple(value.shape) == (1,):
            value = value[0]
        if value.shape != tensor.shape:
            self.errors.append(
                f"size mismatch for {key}: copying a param with shape {value.shape} from "
                f"checkpoint, the shape in current model is {tensor.shape}."
            )
        elif not self.assign:
            with no_grad():
                tensor.copy_(value)
        elif isinstance(tensor, Parameter) and not isinstance(value, Parameter):
            setattr(module, name, Parameter(value, tensor.requires_grad))
        else:
            setattr(module, name, value.requires_grad_(tensor.requires_grad))

    def finish(self, name: str, strict: bool) -> IncompatibleKeys:
        """Return the names that did not match, or raise PyTorch's RuntimeError."""
        errors = []
        if strict and self.missing:
            errors.append(f"Missing key(s) in state_dict: {_quoted(self.missing)}. ")
        if strict and self.unexpected:
            errors.append(f"Unexpected key(s) in state_dict: {_quoted(self.unexpected)}. ")
        errors += self.errors
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {name}:\n\t{listed}")
        return IncompatibleKeys(self.missing, self.unexpected)


def _own(module: Any) -> Iterator[tuple[str, Tensor]]:
    for name, parameter in module._parameters.items():
        if parameter is not None:
            yield name, parameter
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in module._non_persistent:
            yield name, buffer


def _quoted(keys: list[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)
