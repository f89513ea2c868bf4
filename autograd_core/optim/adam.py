"""Adam: the size of each step adapts to the parameter's gradients so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import numpy as np

from autograd_core import creation
from autograd_core.ops.rounding import plus_product
from autograd_core.optim.optimizer import Optimizer, changing, number, refuse
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import of


class Adam(Optimizer):
    """p <- p - lr * m / (sqrt v + eps), m and v being running means of grad and grad^2.

    Both start at 0 and are divided by 1 - beta^step to make up for that. `amsgrad` divides by the
    largest v so far; `weight_decay` adds to the gradient, or if decoupled shrinks the parameter.
    """

    _added_later: ClassVar = {
        "amsgrad": False, "maximize": False, "foreach": None, "capturable": False,
        "differentiable": False, "decoupled_weight_decay": False, "fused": None,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        if isinstance(lr, Tensor):
            _refuse_in_groups("lr", foreach)
            if lr.numel() != 1:
                raise ValueError("Tensor lr must be 1-element")
        # In PyTorch's order, for the errors of what is no number.
        if not 0.0 <= number(lr):  # noqa: SIM300
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:  # noqa: SIM300
            raise ValueError(f"Invalid epsilon value: {eps}")
        for position in (0, 1):
            if not 0.0 <= number(beta := betas[position]) < 1.0:
                raise ValueError(f"Invalid beta parameter at index {position}: {beta}")
        if not 0.0 <= weight_decay:  # noqa: SIM300
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if not any(all(isinstance(beta, kind) for beta in betas) for kind in (float, Tensor)):
            raise ValueError("betas must be either both floats or both Tensors")
        for position in (0, 1):
            if isinstance(betas[position], Tensor):
                _refuse_in_groups(f"betas[{position}]", foreach)
        refused = {"capturable": capturable, "differentiable": differentiable, "fused": fused}
        refuse(type(self).__name__, **refused)
        defaults = {
            "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach, **refused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for param in self._params():
            each = self.state.get(param)
            # States saved by earlier versions of PyTorch count steps in plain numbers.
            if each and not isinstance(each["step"], Tensor):
                each["step"] = creation.tensor(float(each["step"]))

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient; return what `closure` returned, if given."""
        return self._step(closure)

    def _change(self, group: dict[str, Any]) -> None:
        lr, (beta1, beta2) = number(group["lr"]), map(number, group["betas"])
        for param in group["params"]:
            if (grad := param.grad) is not None:
                self._change_one(param, grad.memory(), group, lr, beta1, beta2)

    def _change_one(
        self, param: Tensor, grad: Any, group: dict[str, Any], lr: Any, beta1: Any, beta2: Any
    ) -> None:
        decay = number(group["weight_decay"])
        state = self.state[param]
        if not state:
            state["step"] = creation.tensor(0.0)
            state["exp_avg"] = creation.zeros_like(param)
            state["exp_avg_sq"] = creation.zeros_like(param)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = creation.zeros_like(param)
        step, array = changing(state["step"]), changing(param)
        step += 1
        steps = step.item()
        if group["maximize"]:
            grad = -grad
        if decay != 0 and group["decoupled_weight_decay"]:
            array = changing(param)
            array *= 1 - lr * decay
        elif decay != 0:
            grad = plus_product(grad, array, grad.dtype.type(decay))

        mean, square = changing(state["exp_avg"]), changing(state["exp_avg_sq"], 2)
        kind = grad.dtype.type
        if mean.dtype != grad.dtype:
            raise RuntimeError(
                f"expected dtype {of(mean).in_c} for `end` but got dtype {of(grad).in_c}"
            )
        # Interpolate from the nearer end, as PyTorch does: beta1 = 0 gives exactly the gradient.
        weight = kind(1 - beta1)
        origin, part = (mean, weight) if weight < 0.5 else (grad, weight - 1)
        mean[...] = plus_product(origin, grad - mean, part)
        square *= beta2
        square[...] = plus_product(square, kind(1 - beta2) * grad, grad)
        if group["amsgrad"]:
            largest = changing(state["max_exp_avg_sq"])
            square = np.maximum(largest, square, out=largest)

        scale = np.sqrt(square)
        scale /= math.sqrt(1 - beta2**steps)
        scale += number(group["eps"])
        change = mean * (lr / (1 - beta1**steps))
        change /= scale
        array -= change


class AdamW(Adam):
    """`Adam` whose weight decay shrinks the parameter itself: p <- p - lr * decay * p first."""

    _added_later = Adam._added_later | {"decoupled_weight_decay": True}

    def __init__(
        self,
        params: Iterable[Any],
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            *(params, lr, betas, eps, weight_decay, amsgrad), foreach=foreach, maximize=maximize,
            capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=True,
        )  # fmt: skip


def _refuse_in_groups(option: str, foreach: bool | None) -> None:
    """Raise ValueError for an option that is a tensor if `foreach` is True, as PyTorch does."""
    if foreach:
        raise ValueError(
            f"{option} as a Tensor is not supported for capturable=False and foreach=True"
        )
