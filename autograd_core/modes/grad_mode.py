"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`, per thread.

`inference_mode` does more than `no_grad`: tensors made inside have no version counter either, so
that they can never be saved for backward (see `autograd_core.modes.inference`).

The attributes of `mode`, and what sets them:

                                      enabled         fwd_enabled   inference
    at first                          True            True          False
    `no_grad`                         False           as before     as before
    inside of a Function's forward    False           False         as before
    `inference_mode`                  False           False         True
    `enable_grad` inside of that      ONLY_FUNCTIONS  False         True
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any

from autograd_core.messages import check_argument, warn

_CLASSES = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)


# A value of `mode.enabled`. It is false, because operators record nothing in inference mode, but
# custom Functions do if grad mode is on.
ONLY_FUNCTIONS = None


class _Mode(threading.local):
    # Set on each thread's own object, where Python finds them faster than on the class.
    def __init__(self) -> None:
        # Whether operators record.
        self.enabled: bool | None = True
        # Whether operators push tangents forward.
        self.fwd_enabled = True
        self.inference = False
        # What `enforce_grad_layout_policy` and `set_multithreading_enabled` say.
        self.layout_enforced = True
        self.multithreading = True


mode = _Mode()
# Whether any thread has ever entered inference mode; until then, nothing else needs to be checked.
inference_used = False


def is_grad_enabled() -> bool:
    """Return whether operations are recorded in this thread right now."""
    return mode.enabled is not False


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is in inference mode."""
    return mode.inference


def replace(enabled: bool) -> bool:
    """Switch recording on or off, and return the previous mode, to be restored later."""
    before = mode.enabled
    mode.enabled = ONLY_FUNCTIONS if enabled and mode.inference else enabled
    return before is not False


def is_fwd_grad_enabled() -> bool:
    """Return whether operators push tangents forward in this thread right now."""
    return mode.fwd_enabled


def enable_fwd_grad(enabled: bool) -> bool:
    """Switch pushing tangents on or off, but not in inference mode; return what it was before."""
    before = mode.fwd_enabled
    mode.fwd_enabled = bool(enabled) and not mode.inference
    return before


class _GradMode:
    """A context manager and decorator that sets the mode and restores the previous one."""

    # As in PyTorch, an object that is entered twice forgets the mode before the first time.
    prev: bool
    mode: bool

    def __enter__(self) -> None:
        self.prev = replace(self.mode)

    def __exit__(self, *exception: object) -> None:
        replace(self.prev)

    def clone(self) -> Any:
        """Return a new object of this mode, which one call of a decorated function uses."""
        kind: Any = type(self)
        return kind(self.mode)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function or a generator function.

        As in PyTorch, coroutines and asynchronous generators run their lines in the caller's mode.
        """
        if isinstance(function, type):
            warn(_CLASSES, FutureWarning)
            return self._decorate(lambda *args, **kwargs: function(*args, **kwargs))
        return self._decorate(function)

    def _decorate(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):
            return self._decorate_generator(function)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapper

    def _decorate_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        # The mode holds while the generator's own lines run, never while its caller's do.
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            resume, argument = generator.send, None
            while True:
                try:
                    with self.clone():
                        item = resume(argument)
                except StopIteration as stop:
                    return stop.value
                try:
                    argument = yield item
                    resume = generator.send
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    resume, argument = generator.throw, error

        return wrapper


class _FixedMode(_GradMode):
    """A mode that decorates with parentheses or, as PyTorch allows, without."""

    def __new__(cls, orig_func: Callable[..., Any] | None = None) -> Any:
        return super().__new__(cls) if orig_func is None else cls()(orig_func)

    def clone(self) -> Any:
        """Return a new object of this mode, which is that of the class."""
        return type(self)()


class no_grad(_FixedMode):  # noqa: N801 - PyTorch's name
    """Do not record: results do not require grad. Context manager and decorator (`@no_grad()`)."""

    mode = prev = False


class enable_grad(_FixedMode):  # noqa: N801 - PyTorch's name
    """Record, also inside `no_grad`. Context manager and decorator (`@enable_grad()`)."""

    mode = True


class Setting(_GradMode):
    """A setting of this thread, set at once; as a context manager, it restores the previous one."""

    _setting = _called = ""

    def __init__(self, mode: bool) -> None:
        check_argument(self._called, "enabled", mode, bool, 1)
        self.mode = mode
        self.prev: bool = self._set(mode)

    def _set(self, enabled: bool) -> bool:
        """Set it, and return the previous value."""
        before = getattr(mode, self._setting)
        setattr(mode, self._setting, enabled)
        return before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        self._set(self.prev)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function; building the decorator leaves the surrounding mode alone."""
        self.__exit__()
        return super().__call__(function)


class set_grad_enabled(Setting):  # noqa: N801 - PyTorch's name
    """Set the mode at once, as a function; as a context manager, restore the previous one."""

    _called, _set = "set_grad_enabled", staticmethod(replace)

    # Not by calling `_set`: training switches the mode at every step.
    __exit__ = _GradMode.__exit__

    def __init__(self, mode: bool) -> None:
        if mode is not True and mode is not False:
            super().__init__(mode)
        self.mode, self.prev = mode, replace(mode)

    def __enter__(self) -> None:
        replace(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class inference_mode(_GradMode):  # noqa: N801 - PyTorch's name
    """Do not record, and make tensors that can never be recorded. `inference_mode(False)` ends this
    inside another one. Context manager and decorator, without parentheses too.
    """

    _inference_mode_context: tuple[bool | None, bool, bool] | None

    def __new__(cls, mode: Any = True) -> Any:
        """Decorate `mode` if it is a function: `@inference_mode` without parentheses."""
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        global inference_used
        inference_used = True
        before = mode.enabled, mode.fwd_enabled, mode.inference
        mode.enabled = mode.fwd_enabled = not self.mode
        mode.inference = self.mode
        # As in PyTorch, an object that is entered twice ends the first time here.
        if hasattr(self, "_inference_mode_context"):
            self.__exit__()
        self._inference_mode_context = before

    def __exit__(self, *exception: object) -> None:
        if self._inference_mode_context is not None:
            mode.enabled, mode.fwd_enabled, mode.inference = self._inference_mode_context
            self._inference_mode_context = None


class set_multithreading_enabled(Setting):  # noqa: N801 - PyTorch's name
    """Accepted for compatibility: backward always runs in the thread that called it."""

    _setting, _called = "multithreading", "set_multithreading_enabled"


def is_multithreading_enabled() -> bool:
    """Return what `set_multithreading_enabled` has set in this thread."""
    return mode.multithreading


class enforce_grad_layout_policy(Setting):  # noqa: N801 - PyTorch's name
    """Whether an accumulated gradient must have the memory layout of its leaf.

    If not, one that nobody else holds becomes `.grad` in any layout, without a warning.
    """

    _setting, _called = "layout_enforced", "set_grad_layout_enforcement_enabled"

    def __init__(self, enable: bool = True) -> None:
        super().__init__(enable)
