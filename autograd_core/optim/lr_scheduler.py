"""Learning rates that change from epoch to epoch, under PyTorch's name `torch.optim.lr_scheduler`.

Call `step` after each epoch. A scheduler's formula gives the rate for the epoch `last_epoch`.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Sequence
from functools import wraps
from types import FunctionType
from typing import Any

from autograd_core.messages import warn
from autograd_core.messages.unsupported import refusing
from autograd_core.optim.optimizer import Optimizer
from autograd_core.tensor import Tensor

__getattr__ = refusing(__name__)

_RESUMED = (
    "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler with "
    "last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a "
    "checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0 "
    "for a fresh training run (not recommended)"
)
_TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. "
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
_EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


class LRScheduler:
    """Base class of schedulers: define `get_lr`, which returns a rate for each group."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for position, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(_RESUMED.format(position))
        self.base_lrs = self._rates("initial_lr")
        self.last_epoch = last_epoch
        _watch_steps(optimizer)
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`; every subclass defines it."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """Return the rates that are in force."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Set the rates of the next epoch. Warns if the optimizer has made no step yet."""
        if self._step_count == 1 and not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warn(_OVERRIDDEN)
        elif self._step_count == 1 and not getattr(self.optimizer, "_opt_called", False):
            warn(_TOO_EARLY)
        self._step_count += 1
        if epoch is not None:
            warn(_EPOCH)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        get_lr = self.get_lr if epoch is None else getattr(self, "_get_closed_form_lr", self.get_lr)
        self._get_lr_called_within_step = True
        try:
            rates = get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            if isinstance(group["lr"], Tensor):
                scalar = rate.squeeze() if isinstance(rate, Tensor) else rate
                group["lr"].fill_(scalar)
            else:
                group["lr"] = rate
        self._last_lr = self._rates()

    def state_dict(self) -> dict[str, Any]:
        """Return the attributes of the scheduler, except for the optimizer."""
        hidden = ("optimizer", "lr_lambdas")
        return {name: value for name, value in vars(self).items() if name not in hidden}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        vars(self).update(state_dict)

    def _warn_outside_of_step(self) -> None:
        if not self._get_lr_called_within_step:
            warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`."
            )

    def _rates(self, name: str = "lr") -> list[Any]:
        return [_copied(group[name]) for group in self.optimizer.param_groups]


def _copied(rate: Any) -> Any:
    """Return a rate; cloned if it is a tensor, which is changed in place."""
    return rate.clone() if isinstance(rate, Tensor) else rate


def _watch_steps(optimizer: Any) -> None:
    """Let an optimizer note that `step` was called, in PyTorch's attributes."""
    step = optimizer.step
    if hasattr(step, "_wrapped_by_lr_sched"):
        return
    # Neither holds the optimizer, which holds this function.
    owner, function = weakref.ref(optimizer), step.__func__

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        optimizer: Any = owner()
        optimizer._opt_called = True
        return function(optimizer, *args, **kwargs)

    wrapper._wrapped_by_lr_sched = True  # type: ignore[attr-defined]  # PyTorch's mark
    optimizer.step = wrapper


class LambdaLR(LRScheduler):
    """initial_lr * f(epoch), with one f for all groups or one for each."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        groups = len(optimizer.param_groups)
        lambdas = lr_lambda if isinstance(lr_lambda, list | tuple) else [lr_lambda] * groups
        if len(lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(lambdas)}")
        self.lr_lambdas: list[Any] = list(lambdas)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`."""
        self._warn_outside_of_step()
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]

    def state_dict(self) -> dict[str, Any]:
        """Return the scheduler's attributes; of functions that are objects, their attributes."""
        own = [
            None if isinstance(each, FunctionType) else each.__dict__.copy()
            for each in self.lr_lambdas
        ]
        return super().state_dict() | {"lr_lambdas": own}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        lambdas = state_dict.pop("lr_lambdas")
        super().load_state_dict(state_dict)
        state_dict["lr_lambdas"] = lambdas
        for position, attributes in enumerate(lambdas):
            if attributes is not None:
                vars(self.lr_lambdas[position]).update(attributes)


class StepLR(LRScheduler):
    """The rate times `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`, given those of the one before."""
        self._warn_outside_of_step()
        falls = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return [rate * self.gamma if falls else rate for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The rate times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`, given those of the one before."""
        self._warn_outside_of_step()
        return [rate if self._is_initial else rate * self.gamma for rate in self._rates()]

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """m + (initial_lr - m) (1 + cos(pi epoch / n)) / 2, with m = `eta_min` and n = `T_max`."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,  # noqa: N803 - PyTorch's name
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the rates of epoch `last_epoch`, given those of the one before."""
        self._warn_outside_of_step()
        now, rates, low = self.last_epoch, self._rates(), self.eta_min
        if self._is_initial:
            return rates
        if self._step_count == 1 and now > 0:
            return self._get_closed_form_lr()
        if (now - 1 - self.T_max) % (2 * self.T_max) == 0:
            # The last rate was the lowest, perhaps 0, from which no factor leads up again.
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            pairs = zip(rates, self.base_lrs, strict=True)
            return [rate + (base - low) * rise for rate, base in pairs]
        ratio = self._height(now) / self._height(now - 1)
        return [ratio * (rate - low) + low for rate in rates]

    def _get_closed_form_lr(self) -> list[float]:
        low, height = self.eta_min, self._height(self.last_epoch)
        return [low + (base - low) * height / 2 for base in self.base_lrs]

    def _height(self, epoch: int) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)
