"""`Optimizer`: groups of parameters, the options of each group, the state of each parameter."""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import chain
from typing import Any, ClassVar

from numpy import ndarray

from autograd_core.hooks.handles import (
    RemovableHandle,
    add_hook,
    hook_tables,
    replaced_arguments,
)
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import enable_grad
from autograd_core.ops.quiet import quiet_context
from autograd_core.rules.grad_assignment import forget_gradient
from autograd_core.rules.overlap import check_overlap
from autograd_core.tensor import Tensor
from autograd_core.tensors.type_info import typename

_IN_A_SET = (
    "optimizer parameters need to be organized in ordered collections, but the ordering of tensors "
    "in sets will change between runs. Please use a list instead."
)
_TWICE = (
    "optimizer contains a parameter group with duplicate parameters; in future, this will cause an "
    "error; see github.com/pytorch/pytorch/issues/40967 for more information"
)
_Hook = Callable[..., Any]
_Hooks = OrderedDict[int, _Hook]
# Hooks on the steps of all optimizers.
_PRE_HOOKS: _Hooks = OrderedDict()
_POST_HOOKS: _Hooks = OrderedDict()


def _hooked(step: _Hook) -> _Hook:
    """Return `step` with the hooks, of all optimizers and its own, that run before and after it."""

    @wraps(step)
    def with_hooks(*args: Any, **kwargs: Any) -> Any:
        optimizer = args[0]
        if _PRE_HOOKS or optimizer._optimizer_step_pre_hooks:
            for hook in chain(_PRE_HOOKS.values(), optimizer._optimizer_step_pre_hooks.values()):
                given = hook(optimizer, args, kwargs)
                args, kwargs = replaced_arguments(step, given, args, kwargs)
        result = step(*args, **kwargs)
        if _POST_HOOKS or optimizer._optimizer_step_post_hooks:
            for hook in chain(optimizer._optimizer_step_post_hooks.values(), _POST_HOOKS.values()):
                hook(optimizer, args, kwargs)
        return result

    return with_hooks


def register_optimizer_step_pre_hook(hook: _Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of any optimizer."""
    return add_hook(_PRE_HOOKS, hook)


def register_optimizer_step_post_hook(hook: _Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of any optimizer."""
    return add_hook(_POST_HOOKS, hook)


class Optimizer:
    """Base class of optimizers: define `step`, which changes the parameters of `param_groups`.

    `params` are tensors, (name, tensor) pairs, or dicts with "params" and options of their own;
    `defaults` are the options that a group does not set itself. Raises TypeError and ValueError,
    as PyTorch does, for anything else.
    """

    _optimizer_step_pre_hooks: _Hooks
    _optimizer_step_post_hooks: _Hooks
    _optimizer_state_dict_pre_hooks: _Hooks
    _optimizer_state_dict_post_hooks: _Hooks
    _optimizer_load_state_dict_pre_hooks: _Hooks
    _optimizer_load_state_dict_post_hooks: _Hooks
    # Options that are missing in states saved by earlier versions, and their values then.
    _added_later: ClassVar[dict[str, Any]] = {}

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {typename(params)}"
            )
        self.defaults = defaults
        vars(self).update(hook_tables(Optimizer))
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _hooked(cls.step)  # type: ignore[method-assign]  # the same, hooked

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(_IN_A_SET)
        param_group["params"] = [params] if isinstance(params, Tensor) else list(params)
        names = [param[0] for param in param_group["params"] if isinstance(param, tuple)]
        if names and len(names) != len(param_group["params"]):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        if names:
            param_group["params"] = [param[1] for param in param_group["params"]]
            param_group["param_names"] = names
        for param in param_group["params"]:
            if not isinstance(param, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    + typename(param)
                )
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self._check_apart(param_group)
        self.param_groups.append(param_group)

    def _check_apart(self, new: dict[str, Any]) -> None:
        if len(set(new["params"])) != len(new["params"]):
            warn(_TWICE)
        for group in self.param_groups:
            if ("param_names" in group) != ("param_names" in new):
                kind = "with" if "param_names" in new else "without"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {kind} names to the optimizer"
                )
        if not set(new["params"]).isdisjoint(self._params()):
            raise ValueError("some parameters appear in more than one parameter group")

    def _params(self) -> Iterator[Tensor]:
        return chain.from_iterable(group["params"] for group in self.param_groups)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; every subclass defines it."""
        raise NotImplementedError

    def _step(self, closure: Callable[[], Any] | None) -> Any:
        """Change the parameters group by group; for the `step` of whoever defines `_change`."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            quiet_context().run(self._change, group)
        return loss

    def _change(self, group: dict[str, Any]) -> None:
        """Change the parameters of a group with NumPy alone."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set all gradients to None, or without `set_to_none` to zero."""
        for param in self._params():
            forget_gradient(param, set_to_none)

    def state_dict(self) -> dict[str, Any]:
        """Return state and options as plain containers, with numbers in place of parameters."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers = {id(param): position for position, param in enumerate(self._params())}
        groups = []
        for group in self.param_groups:
            options = {name: value for name, value in group.items() if name != "params"}
            options["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(options)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        packed = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            replaced = hook(self, packed)
            packed = packed if replaced is None else replaced
        return packed

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load state and options from a `state_dict`; ValueError if its groups do not fit."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            replaced = hook(self, state_dict)
            state_dict = state_dict if replaced is None else replaced
        saved = copy.deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        params: dict[Any, Tensor] = {}
        for own, other in zip(self.param_groups, saved, strict=True):
            if len(own["params"]) != len(other["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of "
                    "optimizer's group"
                )
            params.update(zip(other["params"], own["params"], strict=True))
            other["params"] = own["params"]
            if "param_names" in own:
                other.setdefault("param_names", own["param_names"])
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in params:
                state[params[key]] = _like(params[key], value)
            else:
                state[key] = value
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    def register_step_pre_hook(self, hook: _Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; a returned pair replaces both."""
        return add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: _Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: _Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` ahead of `state_dict`."""
        return add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: _Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; a dict replaces the state."""
        return add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: _Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` ahead of loading; a dict replaces the state."""
        return add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: _Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after loading."""
        return add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def __getstate__(self) -> dict[str, Any]:
        # Without the hooks.
        return {name: vars(self)[name] for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(hook_tables(Optimizer) | vars(self) | state)
        for group in self.param_groups:
            group.update(self._added_later | group)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for position, group in enumerate(self.param_groups):
            options = [f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params"]
            text += f"\nParameter Group {position}\n{''.join(options)}"
        return text + ")"


def changing(tensor: Tensor, times: int = 1) -> Any:
    """Return the memory of a tensor for NumPy to change in place, and bump its version.

    Nothing else is needed, because steps are not recorded. RuntimeError for expanded tensors.
    """
    if 0 in tensor._array.strides:
        check_overlap(tensor)
    storage = tensor._shared
    if storage is None:
        storage = tensor._storage
    storage.version += times
    array = tensor._array
    return array if type(array) is ndarray else tensor.memory()


def number(value: Any) -> Any:
    """Return an option, given as a number or as a tensor of one element, as a number."""
    return value.item() if isinstance(value, Tensor) else value


def refuse(name: str, **options: object) -> None:
    """Raise NotImplementedError for options that this package does not have."""
    for option, value in options.items():
        if value:
            raise NotImplementedError(f"{name}({option}={value}) is out of autograd_core's scope")


def _like(param: Tensor, state: Any) -> Any:
    """Return a parameter's loaded state in that parameter's dtype; steps stay as they are."""
    return {
        key: value.to(param.dtype)
        if isinstance(value, Tensor) and key != "step" and param.is_floating_point()
        else value
        for key, value in state.items()
    }
