"""Learning rates that change from epoch to epoch, under PyTorch's name `torch.optim.lr_scheduler`.

Call `step` after each epoch. A scheduler's formula gives the rate for the epoch `last_epoch`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
        for position, (group, rate) in enumerate(
            zip(optimizer.param_groups, self._rates(), strict=True)
        ):
            if last_epoch == -1:
                group.setdefault("initial_lr", rate)
            elif "initial_lr" not in group:
                raise KeyError(_RESUMED.format(position))
        self.base_lrs = self._rates("initial_lr")
        self.last_epoch = last_epoch
        # All schedulers of an optimizer share this list; it is not empty once `step` was called.
        stepped = getattr(optimizer, "_stepped", None)
        if stepped is None:
            stepped = optimizer._stepped = set[str]()  # type: ignore[attr-defined]  # of schedulers
            optimizer.register_step_post_hook(lambda *_: stepped.add("once"))
        self._stepped = stepped
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
        if self._step_count == 1 and not self._stepped:
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
                group["lr"].fill_(rate)
            else:
                group["lr"] = rate
        self._last_lr = self._rates()

    def state_dict(self) -> dict[str, Any]:
        """Return the attributes of the scheduler, except for the optimizer."""
        hidden = ("optimizer", "_stepped", "lr_lambdas")
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
        # Cloned, because rates that are tensors are changed in place.
        rates = [group[name] for group in self.optimizer.param_groups]
        return [rate.clone() if isinstance(rate, Tensor) else rate for rate in rates]


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
        own = [None if isinstance(f, FunctionType) else vars(f).copy() for f in self.lr_lambdas]
        return super().state_dict() | {"lr_lambdas": own}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` returned."""
        state = dict(state_dict)
        for function, attributes in zip(self.lr_lambdas, state.pop("lr_lambdas"), strict=True):
            vars(function).update(attributes or {})
        super().load_state_dict(state)


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
        falls = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
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
