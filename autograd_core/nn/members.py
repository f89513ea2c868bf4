"""The members of a module, by name: parameters, buffers and modules, and how to find them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograd_core.messages import unsupported
from autograd_core.nn.parameter import Buffer, Parameter
from autograd_core.tensor import Tensor
from autograd_core.tensors.type_info import typename

if TYPE_CHECKING:
    from autograd_core.nn.module import Module


class Members:
    """The registries behind a module's attributes. Names are dotted from here downwards."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]

    def __init__(self) -> None:
        registries = {registry: dict[str, Any]() for registry in _REGISTRIES}
        vars(self).update(registries, _non_persistent_buffers_set=set())

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Hold `param` under `name`, as assigning it does; errors are PyTorch's."""
        self._register("parameter", name, param, Parameter, "torch.nn.Parameter")

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Hold a tensor that belongs to the state but is not trained.

        A buffer that is not `persistent` is left out of `state_dict`.
        """
        self._register("buffer", name, tensor, Tensor, "torch Tensor")
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def _register(self, kind: str, name: str, value: Any, wanted: type, its_name: str) -> None:
        if kind != "module" and f"_{kind}s" not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if "." in name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in getattr(self, f"_{kind}s"):
            raise KeyError(f"attribute '{name}' already exists")
        if value is not None and not isinstance(value, wanted):
            raise TypeError(
                f"cannot assign '{typename(value)}' object to {kind} '{name}' "
                f"({its_name} or None required)"
            )
        _hold(self, f"_{kind}s", name, value)

    def add_module(self, name: str, module: Module | None) -> None:
        """Hold `module` under `name`, as assigning it does; errors are PyTorch's."""
        if module is not None and not isinstance(module, Members):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._register("module", name, module, Members, "")

    def register_module(self, name: str, module: Module | None) -> None:
        """Do what `add_module` does."""
        self.add_module(name, module)

    def __getattr__(self, name: str) -> Any:
        held = self.__dict__
        for registry in _REGISTRIES:
            members = held.get(registry)
            if members and name in members:
                return members[name]
        if name in unsupported.OF_MODULES:
            raise unsupported.refusal(f"Module.{name}", unsupported.NAMES[name])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        held = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in held:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif name in held.get("_parameters", ()):
            self._set_plain(name, value)
        elif isinstance(value, Members):
            if "_modules" not in held:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, "_buffers")
            _hold(self, "_modules", name, value)
        elif isinstance(value, Buffer) and name not in held.get("_modules", ()):
            buffer: Any = value
            self.register_buffer(name, buffer, buffer.persistent)
        else:
            self._set_plain(name, value)

    def _set_plain(self, name: str, value: Any) -> None:
        for registry, kind, expected in _KINDS:
            if name in self.__dict__.get(registry, ()):
                allowed = registry == "_buffers" and isinstance(value, Tensor)
                if value is not None and not allowed:
                    raise TypeError(
                        f"cannot assign '{typename(value)}' as {kind} '{name}' ({expected})"
                    )
                _hold(self, registry, name, value)
                return
        object.__setattr__(self, name, value)

    def _forget(self, name: str, *registries: str) -> None:
        self.__dict__.pop(name, None)
        for registry in registries:
            self.__dict__[registry].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for registry in _REGISTRIES:
            if name in self.__dict__[registry]:
                del self.__dict__[registry][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        held = [*self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(key for key in [*dir(type(self)), *held] if not key[0].isdigit())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the modules that this one holds itself, each once, with their names."""
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """Yield the modules that this one holds itself, each once."""
        return (module for _, module in self.named_children())

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Yield this module and all below it, each once unless told otherwise, with their names."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, _dotted(prefix, name), remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Yield this module and all modules below it, each once unless told otherwise."""
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield the parameters here and (`recurse`) below, each once, with their names."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield the parameters here and (`recurse`) below, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the buffers here and (`recurse`) below, each once, with their names."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers here and (`recurse`) below, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _named(
        self, registry: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[Any] = set()
        below = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in below if recurse else [(prefix, self)]:
            for name, member in getattr(module, registry).items():
                if member is not None and member not in seen:
                    if remove_duplicate:
                        seen.add(member)
                    yield _dotted(path, name), member

    def get_submodule(self, target: str) -> Any:
        """Return the module of a dotted name; AttributeError if there is none."""
        module: Any = self
        for name in target.split(".") if target else ():
            module = _member(module, name)
            if not isinstance(module, Members):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put `module` under a dotted name; with `strict` it must replace another one."""
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        *path, name = target.split(".")
        if not isinstance(module, Members):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        parent = self.get_submodule(".".join(path))
        if (strict or hasattr(parent, name)) and not isinstance(_member(parent, name), Members):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter of a dotted name; AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        parameter = _member(self.get_submodule(path), name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer of a dotted name; AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        buffer = _member(module, name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer


_REGISTRIES = ("_parameters", "_buffers", "_modules")
_KINDS = (
    ("_parameters", "parameter", "torch.nn.Parameter or None expected"),
    ("_modules", "child module", "torch.nn.Module or None expected"),
    ("_buffers", "buffer", "torch.nn.Buffer, torch.Tensor or None expected"),
)


# Hooks that see, and may replace, each new member of any module.
REGISTRATION_HOOKS = {registry: OrderedDict[int, Any]() for registry in _REGISTRIES}


def _hold(module: Members, registry: str, name: str, value: Any) -> None:
    without = value is None and registry == "_parameters"
    for hook in () if without else REGISTRATION_HOOKS[registry].values():
        replaced = hook(module, name, value)
        value = value if replaced is None else replaced
    getattr(module, registry)[name] = value


def _member(module: Any, name: str) -> Any:
    if not hasattr(module, name):
        raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
    return getattr(module, name)


def _dotted(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
