"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`, per thread."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any


class _Mode(threading.local):
    # True, or False under `no_grad`, or None inside of a Function's forward: off there as well.
    enabled: bool | None = True


mode = _Mode()


def is_grad_enabled() -> bool:
    """Return whether operations are recorded in this thread right now."""
    return bool(mode.enabled)


class _GradMode:
    """A context manager and decorator that sets the mode and puts the former one back."""

    enabled: bool

    # Entered twice, one object forgets the mode before the first time, as PyTorch's does.
    _before: bool | None = True

    def __enter__(self) -> None:
        self._before = mode.enabled
        mode.enabled = self.enabled

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        mode.enabled = self._before

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function or a generator function."""
        if inspect.isgeneratorfunction(function):
            return self._decorate_generator(function)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self._fresh():
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
                    with self._fresh():
                        item = resume(argument)
                except StopIteration as stop:
                    return stop.value
                try:
                    argument = yield item
                    resume = generator.send
                except GeneratorExit:
                    with self._fresh():
                        generator.close()
                    raise
                except BaseException as error:
                    resume, argument = generator.throw, error

        return wrapper

    def _fresh(self) -> _GradMode:
        scope = _GradMode()
        scope.enabled = self.enabled
        return scope


class _FixedMode(_GradMode):
    """A mode that decorates with parentheses or, as PyTorch allows, without."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        return super().__new__(cls) if function is None else cls()(function)


class no_grad(_FixedMode):  # noqa: N801 - PyTorch's name
    """Do not record: results do not require grad. Context manager and decorator (`@no_grad()`)."""

    enabled = False


class enable_grad(_FixedMode):  # noqa: N801 - PyTorch's name
    """Record, also inside `no_grad`. Context manager and decorator (`@enable_grad()`)."""

    enabled = True


class set_grad_enabled(_GradMode):  # noqa: N801 - PyTorch's name
    """Set the mode at once, as a function; as a context manager, put the former one back."""

    def __init__(self, mode: bool) -> None:
        self.enabled = bool(mode)
        self._before = is_grad_enabled()
        _set(self.enabled)

    def __enter__(self) -> None:
        _set(self.enabled)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function; building the decorator leaves the surrounding mode alone."""
        _set(self._before)
        return super().__call__(function)


def _set(enabled: bool | None) -> None:
    mode.enabled = enabled
