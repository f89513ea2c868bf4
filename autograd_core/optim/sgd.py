"""Stochastic gradient descent, with momentum."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from autograd_core import creation
from autograd_core.ops.rounding import EXACT_UP_TO, add_product, plus_product
from autograd_core.optim.optimizer import Optimizer, changing, number, refuse
from autograd_core.tensor import Tensor

# How many elements are changed at a time.
_PART = 1 << 14


class SGD(Optimizer):
    """p <- p - lr * v, where v <- momentum * v + (1 - dampening) * (grad + weight_decay * p).

    The first v is the gradient itself; `nesterov` looks one step of momentum ahead.
    """

    _added_later: ClassVar = {
        "nesterov": False, "maximize": False, "foreach": None, "differentiable": False,
        "fused": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if number(lr) < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        refuse("SGD", differentiable=differentiable, fused=fused)
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; return what `closure` returned, if given."""
        return self._step(closure)

    def _change(self, group: dict[str, Any]) -> None:
        rate = -number(group["lr"])
        plain = not (group["momentum"] or group["weight_decay"] or group["maximize"])
        if plain:
            for param in group["params"]:
                if (grad := param._grad) is not None:
                    _add(changing(param), grad.memory(), rate)
            return
        # All before any is made: a parameter that is given twice has none yet the second time.
        velocities = [self.state.get(param, {}).get("momentum_buffer") for param in group["params"]]
        for param, velocity in zip(group["params"], velocities, strict=True):
            if (grad := param._grad) is not None:
                _add(changing(param), self._direction(param, grad, velocity, group), rate)

    def _direction(
        self, param: Tensor, grad: Tensor, last: Tensor | None, group: dict[str, Any]
    ) -> Any:
        momentum, decay = number(group["momentum"]), number(group["weight_decay"])
        direction = grad.memory()
        if group["maximize"]:
            direction = -direction
        if decay != 0:
            direction = plus_product(direction, param.memory(), direction.dtype.type(decay))
        if momentum == 0:
            return direction
        if last is None:
            first = creation.zeros_like(param)
            self.state[param]["momentum_buffer"] = first
            velocity = first.memory()
            velocity += direction
        else:
            velocity = changing(last, 2)
            velocity *= momentum
            _add(velocity, direction, 1 - number(group["dampening"]))
        if group["nesterov"]:
            return plus_product(direction, velocity, direction.dtype.type(momentum))
        return velocity


def _add(array: Any, direction: Any, scale: float) -> None:
    """Add scale * direction to `array`, if it is large part by part, to stay in the cache."""
    if array.size <= EXACT_UP_TO:
        add_product(array, direction, array.dtype.type(scale))
    elif array.size < 8 * _PART or not (array.flags.c_contiguous and direction.flags.c_contiguous):
        array += scale * direction
    else:
        array, direction = array.reshape(-1), direction.reshape(-1)
        room = np.empty(_PART, array.dtype)
        for start in range(0, array.size, _PART):
            part = array[start : start + _PART]
            part += np.multiply(direction[start : start + _PART], scale, out=room[: part.size])
