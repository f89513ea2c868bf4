"""Tensors changed in place by an operator whose other operand is the tensor itself, or shows it."""

from tests.parity.harness import outcome, plain

_ALONE = {
    "add_": lambda x, y: x.add_(y),
    "add_ scaled": lambda x, y: x.add_(y, alpha=3),
    "sub_": lambda x, y: x.sub_(y),
    "mul_": lambda x, y: x.mul_(y),
    "div_": lambda x, y: x.div_(y),
    "div_ rounded": lambda x, y: x.div_(y, rounding_mode="floor"),
    "pow_": lambda x, y: x.pow_(y),
    "remainder_": lambda x, y: x.remainder_(y),
    "fmod_": lambda x, y: x.fmod_(y),
    "atan2_": lambda x, y: x.atan2_(y),
    "hypot_": lambda x, y: x.hypot_(y),
    "xlogy_": lambda x, y: x.xlogy_(y),
    "lerp_": lambda x, y: x.lerp_(y, 0.25),
    "lerp_ by a tensor": lambda x, y: x.lerp_(y, y),
    "addcmul_": lambda x, y: x.addcmul_(y, y, value=2),
    "addcdiv_": lambda x, y: x.addcdiv_(y, y, value=2),
    "clamp_": lambda x, y: x.clamp_(y),
    "copy_": lambda x, y: x.copy_(y),
}
_SHOWN = {
    "itself": lambda x: x,
    "all of it": lambda x: x.view(3),
    "an element": lambda x: x[1],
    "turned around": lambda x: x.flip(0),
}


def backward_of_a_change_by_itself(torch):
    seen = {}
    for name, change in _ALONE.items():
        for shown, show in _SHOWN.items():
            leaf = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
            x = leaf * 1
            told = outcome(lambda: change(x, show(x)))  # noqa: B023
            direction = torch.tensor([1.0, 2.0, 3.0])
            gradient = outcome(lambda: torch.autograd.grad(x, leaf, direction))  # noqa: B023
            seen[f"{name} {shown}"] = plain([told, x._version, gradient])
    return seen


def tangents_of_a_change_by_itself(torch):
    forward_ad, seen = torch.autograd.forward_ad, {}
    for name, change in _ALONE.items():
        for shown, show in _SHOWN.items():
            with forward_ad.dual_level():
                primal, tangent = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([1.0, 2.0, 3.0])
                x = forward_ad.make_dual(primal, tangent)
                told = outcome(lambda: change(x, show(x)))  # noqa: B023
                halves = forward_ad.unpack_dual(x)
                seen[f"{name} {shown}"] = plain([told, x._version, halves])
    return seen


def a_part_changed_by_another_part(torch):
    forward_ad, seen = torch.autograd.forward_ad, []
    for change in (
        lambda x: x[0].div_(x[0]),
        lambda x: x[0].div_(x[1]),
        lambda x: x[1:].mul_(x[0]),
        lambda x: x.div_(x[2]),
        lambda x: x[:2].add_(x[1:]),
    ):
        leaf = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
        x = leaf * 1
        told = outcome(lambda: change(x))  # noqa: B023
        seen.append([told, outcome(lambda: torch.autograd.grad(x.sum(), leaf))])  # noqa: B023
        with forward_ad.dual_level():
            x = forward_ad.make_dual(leaf.detach(), torch.tensor([1.0, 2.0, 3.0]))
            seen.append([outcome(lambda: change(x)), forward_ad.unpack_dual(x)])  # noqa: B023
    return seen


def rows_that_read_what_they_write(torch):
    """Long enough for steps of 64 bytes."""

    def written(count, write):
        x = torch.arange(1.0, 2 * count + 1)
        return outcome(lambda: write(x[:count], x.reshape(2, count)))

    return [
        written(count, write)
        for count in (16, 33, 40)
        for write in (
            lambda x, rows: x.div_(x[:1]),
            lambda x, rows: x.addcmul_(x[1], x[2]),
            lambda x, rows: rows.mul_(rows[:1]),
            lambda x, rows: rows.sub_(rows[:, 1:2]),
        )
    ]
