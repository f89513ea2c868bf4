"""Hooks around a module's call: they see, and may replace, its arguments and its output.

`everywhere` holds the hooks on all modules; they run before a module's own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from autograd_core.hooks.handles import (
    RemovableHandle,
    add_hook,
    hook_tables,
    replaced_arguments,
)
from autograd_core.messages import warn
from autograd_core.nn.backward_hooks import GradientsOfCall, register_on_maker

Hook = Callable[..., Any]
_Args = tuple[Any, ...]
_Options = dict[str, Any]


class Hooked:
    """The part of a module that holds its hooks, in PyTorch's attributes and in running order."""

    _forward_pre_hooks: OrderedDict[int, Hook]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks: OrderedDict[int, Hook]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _backward_pre_hooks: OrderedDict[int, Hook]
    _backward_hooks: OrderedDict[int, Hook]
    _is_full_backward_hook: bool | None

    def __init__(self) -> None:
        vars(self).update(hook_tables(Hooked), _is_full_backward_hook=None)

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before forward; what it returns replaces the arguments."""
        flag = self._forward_pre_hooks_with_kwargs, with_kwargs
        return add_hook(self._forward_pre_hooks, hook, prepend, flag)

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after forward; what it returns replaces the output.

        `always_call` calls it, with None, even when forward raises.
        """
        flag = self._forward_hooks_with_kwargs, with_kwargs
        other = self._forward_hooks_always_called, always_call
        return add_hook(self._forward_hooks, hook, prepend, flag, other)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward; it may replace that."""
        return add_hook(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` after the module's backward.

        What it returns replaces `grad_input`. If no input requires grad, it is called with None for
        each input as soon as `grad_output` has arrived.
        """
        self._use_backward_hooks(full=True)
        return add_hook(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """PyTorch's old hook: call `hook` after the `grad_fn` of the output has run."""
        self._use_backward_hooks(full=False)
        return add_hook(self._backward_hooks, hook)

    def _use_backward_hooks(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            where = "as a global Module hook" if self is everywhere else "on a single Module"
            raise RuntimeError(
                f"Cannot use both regular backward hooks and full backward hooks {where}. "
                "Please use only one of them."
            )
        object.__setattr__(self, "_is_full_backward_hook", full)


# Holds the hooks on all modules.
everywhere = Hooked()
# The tables of these hooks because of which a call is more than `forward`.
hooks_everywhere = (
    everywhere._forward_hooks,
    everywhere._forward_pre_hooks,
    everywhere._backward_hooks,
    everywhere._backward_pre_hooks,
)


def _hooks_of(module: Any, table: str) -> Iterator[tuple[Hooked, int, Hook]]:
    """Yield (holder, key, hook) for the hooks on all modules, then for the module's own."""
    for owner in (everywhere, module):
        for key, hook in list(getattr(owner, table).items()):
            yield owner, key, hook


def call(module: Any, args: _Args, kwargs: _Options) -> Any:
    """Call `module.forward`, with the hooks before and after it."""
    result, called = None, set()
    try:
        for owner, key, hook in _hooks_of(module, "_forward_pre_hooks"):
            if key in owner._forward_pre_hooks_with_kwargs:
                replaced = hook(module, args, kwargs)
                args, kwargs = replaced_arguments("forward pre-hook", replaced, args, kwargs)
            elif (replaced := hook(module, args)) is not None:
                args = replaced if isinstance(replaced, tuple) else (replaced,)
        gradients = _gradients_of(module)
        if gradients:
            args = gradients.watch_inputs(args)
        result = module.forward(*args, **kwargs)
        for owner, key, hook in _hooks_of(module, "_forward_hooks"):
            called.add(key)
            result = _behind(owner, key, hook, module, args, kwargs, result)
        if gradients:
            result = gradients.watch_outputs(result)
        for owner in (everywhere, module):
            if owner._is_full_backward_hook is False and owner._backward_hooks:
                register_on_maker(module, owner._backward_hooks.values(), args, result)
        return result
    except Exception:
        _call_the_rest(module, args, kwargs, result, called)
        raise


def _call_the_rest(
    module: Any, args: _Args, kwargs: _Options, result: Any, called: set[int]
) -> None:
    """Call the hooks with `always_call` that have not been called; errors become warnings."""
    for owner, key, hook in _hooks_of(module, "_forward_hooks"):
        if key not in owner._forward_hooks_always_called or key in called:
            continue
        try:
            result = _behind(owner, key, hook, module, args, kwargs, result)
        except Exception as error:
            kind = "global module" if owner is everywhere else "module"
            warn(
                f"{kind} forward hook with ``always_call=True`` raised an exception that was "
                f"silenced as another error was raised in forward: {error}"
            )


def _gradients_of(module: Any) -> GradientsOfCall | None:
    before = [hook for _, _, hook in _hooks_of(module, "_backward_pre_hooks")]
    behind = _hooks_of(module, "_backward_hooks")
    after = [hook for owner, _, hook in behind if owner._is_full_backward_hook]
    return GradientsOfCall(module, before, after) if before or after else None


def _behind(
    owner: Hooked, key: int, hook: Hook, module: Any, args: _Args, kwargs: _Options, result: Any
) -> Any:
    given = (args, kwargs) if key in owner._forward_hooks_with_kwargs else (args,)
    replaced = hook(module, *given, result)
    return result if replaced is None else replaced
