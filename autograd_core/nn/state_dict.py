"""Saving and loading a module's state, by name."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from autograd_core.hooks.handles import RemovableHandle, add_hook, hook_tables
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import no_grad
from autograd_core.nn.parameter import Parameter
from autograd_core.tensor import Tensor

_EXTRA = "_extra_state"
_POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/"
    "main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details."
)
_RETURNS = (
    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
    "values, if incompatible_keys need to be modified, it should be done inplace."
)
_NEVER_CALLED = (
    "Reached a code path in Module.{}() that should never be called. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
)
_PUBLIC_ALREADY = (
    "Cannot register the same function as the state dict post hook that was previously registered "
    "via register_state_dict_post_hook"
)


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    """The names that a loaded state lacks, and those that the module does not know."""

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class Stateful:
    """The part of a module that returns and loads its state, with hooks before and after."""

    _version: int | None = 1
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: OrderedDict[int, Callable]
    _state_dict_pre_hooks: OrderedDict[int, Callable]
    _load_state_dict_pre_hooks: OrderedDict[int, tuple[Callable, bool]]
    _load_state_dict_post_hooks: OrderedDict[int, Callable]

    def __init__(self) -> None:
        vars(self).update(hook_tables(Stateful))

    def get_extra_state(self) -> Any:
        """Return what else belongs to the state; for subclasses to define."""
        raise RuntimeError(_NEVER_CALLED.format("get_extra_state"))

    def set_extra_state(self, state: Any) -> None:
        """Load what `get_extra_state` returned."""
        raise RuntimeError(_NEVER_CALLED.format("set_extra_state"))

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """Return parameters and persistent buffers by name, detached but in the same memory."""
        if args:
            warn(_POSITIONAL, FutureWarning)
            given: Any = [*args, *(destination, prefix, keep_vars)[len(args) :]]
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            replaced = hook(self, destination, prefix, local)
            if replaced is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = replaced
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, tensor in self._own_state():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not Stateful.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        for name, tensor in (self._parameters | self._buffers).items():
            if tensor is not None and name not in self._non_persistent_buffers_set:
                yield name, tensor

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy a `state_dict` into this module, or take its tensors over with `assign`.

        Raises RuntimeError for shapes that differ and, when `strict`, for names that do; returns
        those names. TypeError for anything but a mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        found = _IncompatibleKeys([], [])
        errors: list[str] = []
        versions = getattr(state_dict, "_metadata", None) or {}
        _load(self, OrderedDict(state_dict), "", versions, assign, found, errors)
        for what, keys in (("Unexpected", found.unexpected_keys), ("Missing", found.missing_keys)):
            if strict and keys:
                quoted = ", ".join(f'"{key}"' for key in keys)
                errors.insert(0, f"{what} key(s) in state_dict: {quoted}. ")
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}"
            )
        return found

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        found = strict, missing_keys, unexpected_keys, error_msgs
        for hook, with_module in self._load_state_dict_pre_hooks.values():
            given = (self,) if with_module else ()
            hook(*given, state_dict, prefix, local_metadata, *found)
        own = dict(self._own_state())
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, tensor in own.items():
            key = prefix + name
            if key in state_dict:
                error_msgs += _errors_of_filling(self, name, tensor, key, state_dict[key], assign)
            elif strict:
                missing_keys.append(key)
        known = {f"{prefix}{name}" for name in own}
        extra = prefix + _EXTRA
        if type(self).set_extra_state is not Stateful.set_extra_state:
            known.add(extra)
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        for key in state_dict if strict else ():
            first, *below = key.removeprefix(prefix).split(".", 1)
            expected = first in self._modules if below else key in known
            if key.startswith(prefix) and not expected:
                unexpected_keys.append(key)

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata)` afterwards; it may change the state."""
        hook._from_public_api = True
        return add_hook(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(_PUBLIC_ALREADY)
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, ...)` before loading, with PyTorch's arguments."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable, with_module: bool = False
    ) -> RemovableHandle:
        return add_hook(self._load_state_dict_pre_hooks, (hook, with_module))

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)`, which may change them, after loading."""
        return add_hook(self._load_state_dict_post_hooks, hook)


def _load(module: Any, state: Any, prefix: str, *about: Any) -> None:
    """Load the state of a module, then of those below it; all report to the same lists."""
    versions, assign, found, errors = about
    local = versions.get(prefix[:-1], {})
    if assign:
        local["assign_to_params_buffers"] = True
    module._load_from_state_dict(state, prefix, local, True, *found, errors)
    for name, child in module._modules.items():
        if child is not None:
            path = f"{prefix}{name}."
            below = {key: value for key, value in state.items() if key.startswith(path)}
            _load(child, below, path, *about)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, found) is not None:
            raise AssertionError(_RETURNS)


def _errors_of_filling(
    module: Any, name: str, tensor: Tensor, key: str, value: Any, assign: bool
) -> list[str]:
    if not isinstance(value, Tensor):
        return [
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(value)}"
        ]
    if not tensor.dim() and tuple(value.shape) == (1,):
        value = value[0]
    if value.shape != tensor.shape:
        return [
            f"size mismatch for {key}: copying a param with shape {value.shape} from "
            f"checkpoint, the shape in current model is {tensor.shape}."
        ]
    try:
        with no_grad():
            if not assign:
                tensor.copy_(value)
            elif not isinstance(tensor, Parameter):
                setattr(module, name, value)
            elif isinstance(value, Parameter):
                setattr(module, name, value.requires_grad_(tensor.requires_grad))
            else:
                setattr(module, name, Parameter(value, tensor.requires_grad))
    except Exception as error:
        return [
            f'While copying the parameter named "{key}", whose dimensions in the model are '
            f"{tensor.size()} and whose dimensions in the checkpoint are {value.size()}, an "
            f"exception occurred : {error.args}."
        ]
    return []
