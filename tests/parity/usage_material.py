"""What the programs of how autograd is used share: data, weights that are no matter of luck."""

from typing import Any

from .harness import Plain


def digits(value: Any) -> Plain:
    """Six digits of every number: sums may be formed in another order."""
    if hasattr(value, "tolist"):
        return digits(value.detach().tolist())
    if isinstance(value, dict):
        return {key: digits(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [digits(each) for each in value]
    return f"{value + 0.0:.6g}" if isinstance(value, float) else value


def waves(torch: Any, *shape: int, step: float = 0.7, **options: Any) -> Any:
    """A float64 tensor of the sines of 0, step, 2 step, …"""
    count = 1
    for size in shape:
        count *= size
    values = torch.arange(count, dtype=torch.float64).mul(step).sin().reshape(shape)
    return values.requires_grad_() if options.get("requires_grad") else values


def settled(torch: Any, module: Any) -> Any:
    """`module` in float64, its parameters overwritten with sines."""
    module.double()
    with torch.no_grad():
        for at, parameter in enumerate(module.parameters()):
            parameter.copy_(waves(torch, *parameter.shape, step=0.5 + at) / 2)
    return module


def gradients(module: Any) -> Plain:
    """The gradients of a module's parameters by name, None where there is none."""
    return {
        name: None if parameter.grad is None else digits(parameter.grad)
        for name, parameter in module.named_parameters()
    }
