"""Dual tensors in operators: in place, through views, beside grad mode and with backward."""

from tests.parity.harness import outcome


def _dual(torch, primal, tangent):
    return torch.autograd.forward_ad.make_dual(torch.tensor(primal), torch.tensor(tangent))


def _unpacked(torch, *tensors):
    return [torch.autograd.forward_ad.unpack_dual(each) for each in tensors]


def arithmetic(torch):
    with torch.autograd.forward_ad.dual_level():
        x, y = _dual(torch, [1.0, 2.0], [3.0, 4.0]), _dual(torch, [5.0, 6.0], [7.0, 8.0])
        number = torch.tensor([1.0, 2.0], dtype=torch.float64)
        return _unpacked(
            torch, x + y, x - y, x * y, x / y, x**2, 2 - x, 1 / x, x + 1, x * _dual(torch, 2.0, 1.0)
        ) + _unpacked(torch, _dual(torch, 1.0, 2.0) * number, torch.tensor([1.0, 2.0]) + x, -x)


def what_has_no_derivative_has_no_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        found = [x.long(), x > 1, x.argmax(), torch.zeros_like(x), x.max(0)[1], x.detach(), x.data]
        return [torch.autograd.forward_ad.unpack_dual(each).tangent for each in found]


def steps_have_a_tangent_of_zero(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.4, 2.6], [3.0, 4.0])
        return _unpacked(torch, x.sign(), x.round(), x.floor(), x.ceil())


def conversions_and_copies(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        copy = x.clone()
        copy.mul_(2)
        return _unpacked(torch, x.double(), x.half(), copy, x)


def a_copy_has_a_tangent_of_its_own(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        y = x + 0
        y.zero_()
        return _unpacked(torch, x, y)


def no_grad_keeps_tangents(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, 2.0, 3.0)
        with torch.no_grad():
            return _unpacked(torch, x * x)


def detach_in_place_takes_the_tangent_away(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, 2.0, 3.0)
        return [_unpacked(torch, (x * 1).detach_()), outcome(x.detach_)]


def data_set_keeps_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        x.data = torch.tensor([5.0, 6.0])
        return _unpacked(torch, x)


def in_place_changes_write_into_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x, given = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
        dual = torch.autograd.forward_ad.make_dual(x, given)
        dual.mul_(2)
        kept = torch.autograd.forward_ad.unpack_dual(dual).tangent
        return [x, given, kept.data_ptr() == given.data_ptr(), dual._version, kept]


def in_place_operators(torch):
    changes = {
        "add_": lambda x, y: x.add_(y),
        "sub_": lambda x, y: x.sub_(y),
        "mul_": lambda x, y: x.mul_(y),
        "div_": lambda x, y: x.div_(y),
        "pow_": lambda x, y: x.pow_(3),
        "exp_": lambda x, y: x.exp_(),
        "sqrt_": lambda x, y: x.sqrt_(),
        "neg_": lambda x, y: x.neg_(),
        "relu_": lambda x, y: x.relu_(),
        "clamp_": lambda x, y: x.clamp_(0.5, 1.5),
        "zero_": lambda x, y: x.zero_(),
        "fill_": lambda x, y: x.fill_(2.0),
        "copy_": lambda x, y: x.copy_(y),
        "masked_fill_": lambda x, y: x.masked_fill_(torch.tensor([True, False]), 7.0),
    }
    found = {}
    with torch.autograd.forward_ad.dual_level():
        for name, change in changes.items():
            x, y = _dual(torch, [1.0, 2.0], [3.0, 4.0]), _dual(torch, [5.0, 6.0], [7.0, 8.0])
            change(x, y)
            found[name] = _unpacked(torch, x, y)
    return found


def a_constant_becomes_dual_in_place(torch):
    with torch.autograd.forward_ad.dual_level():
        x = torch.zeros(2)
        x.add_(_dual(torch, [1.0, 2.0], [3.0, 4.0]))
        y = torch.zeros(2)
        y.copy_(_dual(torch, 1.0, 3.0))
        return _unpacked(torch, x, y)


def views_share_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
        part = x[1:]
        part.mul_(5)
        before = _unpacked(torch, x, part)
        x.mul_(2)
        return [before, _unpacked(torch, x, part)]


def shapes_of_tangents_follow(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]])
        views = [
            x.t(),
            x.view(4),
            x[0],
            x[:, 1],
            x.unsqueeze(0),
            x.permute(1, 0),
            x.expand(2, 2, 2),
        ]
        return _unpacked(torch, *views)


def assignments(torch):
    with torch.autograd.forward_ad.dual_level():
        x = torch.zeros(3)
        before = x[1:]
        x[1] = _dual(torch, 2.0, 7.0)
        y = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        y[0] = 9.0
        z = _dual(torch, [1.0, 2.0], [3.0, 4.0])
        z[torch.tensor([1, 1])] = torch.tensor([5.0, 5.0])
        return _unpacked(torch, x, before, y, z)


def reverse_over_forward(torch):
    forward_ad = torch.autograd.forward_ad
    x = torch.tensor(2.0, requires_grad=True)
    direction = torch.tensor(3.0, requires_grad=True)
    with forward_ad.dual_level():
        primal, tangent = forward_ad.unpack_dual(forward_ad.make_dual(x, direction) ** 3)
        return [
            primal,
            tangent,
            torch.autograd.grad(tangent, [x, direction], retain_graph=True),
            torch.autograd.grad(primal, x),
        ]


def forward_over_reverse(torch):
    forward_ad = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.tensor([1.0, 0.5]))
        y = (dual.exp() * dual.sin()).sum()
        (gradient,) = torch.autograd.grad(y, x)
        return forward_ad.unpack_dual(gradient)


def both_after_changes_in_place(torch):
    forward_ad = torch.autograd.forward_ad
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with forward_ad.dual_level():
        y = (forward_ad.make_dual(x, torch.ones(2)) * 1).exp_() * 3
        tangent = forward_ad.unpack_dual(y).tangent
        first = torch.autograd.grad(tangent.sum(), x, retain_graph=True)
        (second,) = torch.autograd.grad(y.sum(), x)
        return [first[0].tolist(), second.tolist(), forward_ad.unpack_dual(second).tangent]


def duals_of_leaves_are_not_changed_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.ones(2))
        return outcome(lambda: dual.mul_(2))


def numbers_and_arrays_leave_the_tangent(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, 1.0, 2.0)
        return [x.item(), x.tolist(), float(x), x.numpy()]


def reductions_and_products(torch):
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.5], [0.25, 2.0]])
        y = torch.tensor([[1.0, -1.0], [2.0, 0.5]])
        found = [x.sum(), x.mean(1), x.prod(), x.max(), x.cumsum(0), x @ y, y @ x, x.t().mm(x)]
        return _unpacked(torch, *found)


def joining_and_picking(torch):
    with torch.autograd.forward_ad.dual_level():
        x, y = _dual(torch, [1.0, 2.0], [3.0, 4.0]), torch.tensor([5.0, 6.0])
        mask = torch.tensor([True, False])
        found = [
            torch.cat([x, y]),
            torch.stack([y, x]),
            torch.where(mask, x, y),
            x[torch.tensor([1, 1, 0])],
            x[mask],
            x.gather(0, torch.tensor([1, 0])),
            *x.split(1),
            *x.unbind(),
            x.sort(descending=True)[0],
            x.repeat(2),
        ]
        return _unpacked(torch, *found)


def views_of_what_becomes_dual(torch):
    with torch.autograd.forward_ad.dual_level():
        x = torch.zeros(2, 2)
        row = x[0]
        row.add_(_dual(torch, [1.0, 2.0], [3.0, 4.0]))
        return _unpacked(torch, x, row, x[0], x.t())


def duals_of_views(torch):
    forward_ad = torch.autograd.forward_ad
    x = torch.zeros(2, 2)
    row = x[0]
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(row, torch.ones(2))
        dual.add_(3)
        return [_unpacked(torch, dual), _unpacked(torch, x, row)]


def ties_and_kinks(torch):
    with torch.autograd.forward_ad.dual_level():
        x, equal = _dual(torch, [0.0, 2.0], [3.0, 4.0]), _dual(torch, [2.0, 2.0], [3.0, 4.0])
        found = [x.abs(), x.relu(), x.prod(), equal.max(), torch.maximum(x, torch.tensor([0.0, 1]))]
        return _unpacked(torch, *found)


def tangents_that_require_grad(torch):
    forward_ad = torch.autograd.forward_ad
    direction = torch.tensor([1.0, 1.0], requires_grad=True)
    with forward_ad.dual_level():
        leaf = forward_ad.make_dual(torch.tensor([1.0, 2.0]), direction)
        dual = forward_ad.make_dual(torch.tensor([1.0, 2.0]), direction * 1)
        dual.mul_(2)
        tangent = forward_ad.unpack_dual(dual).tangent
        return [
            outcome(lambda: leaf.mul_(2)),
            dual.requires_grad,
            tangent.requires_grad,
            torch.autograd.grad(tangent.sum(), direction),
        ]


def modules_and_losses(torch):
    functional = torch.nn.functional
    with torch.autograd.forward_ad.dual_level():
        x = _dual(torch, [[1.0, 2.0]], [[3.0, 4.0]])
        weight = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
        found = [
            functional.linear(x, weight, torch.ones(2)),
            functional.mse_loss(x, torch.zeros(1, 2)),
        ]
        return _unpacked(torch, *found)


_BY_NUMBERS = {
    "x * 2": lambda x: x * 2,
    "2 * x": lambda x: 2 * x,
    "x / 2": lambda x: x / 2,
    "2 / x": lambda x: 2 / x,
    "x + 2": lambda x: x + 2,
    "2 - x": lambda x: 2 - x,
    "x ** 2": lambda x: x**2,
    "2 ** x": lambda x: 2**x,
    "x.mul_(2)": lambda x: x.clone().mul_(2),
    "x.div_(2)": lambda x: x.clone().div_(2),
    "-x": lambda x: -x,
    "x.clamp(1, 3)": lambda x: x.clamp(1, 3),
}


def tangents_of_what_numbers_are_made_with(torch):
    forward_ad = torch.autograd.forward_ad

    def pushed(function, of_leaf, of_tangent):
        leaf = torch.tensor([1.0, 2.0], requires_grad=of_leaf)
        tangent = torch.tensor([3.0, 4.0], requires_grad=of_tangent)
        with forward_ad.dual_level():
            primal, pushed = forward_ad.unpack_dual(function(forward_ad.make_dual(leaf, tangent)))
        slopes = None
        if pushed.requires_grad and of_leaf:
            (slopes,) = torch.autograd.grad(pushed.sum(), leaf, allow_unused=True)
            # PyTorch's gradient of nothing has no memory that could be read.
            slopes = slopes if slopes is None else (slopes + torch.zeros(2)).tolist()
        return [primal.requires_grad, pushed.requires_grad, pushed.tolist(), slopes]

    return {
        name: [pushed(function, a, b) for a in (False, True) for b in (False, True)]
        for name, function in _BY_NUMBERS.items()
    }


def constants_at_infinity(torch):
    forward_ad = torch.autograd.forward_ad
    infinite, constant = torch.tensor([float("inf"), 0.0]), torch.tensor([2.0, 0.0])
    with forward_ad.dual_level():
        x = forward_ad.make_dual(infinite, torch.tensor([5.0, 6.0]))
        products = x * constant, constant * x, x * 2, torch.ones(2, 2) * x, x * torch.tensor(3)
        quotients = x / constant, constant / x, 2 / x, x / 2, torch.ones(2, 2) / x
        changed = x.clone().mul_(constant), constant.clone().mul_(x), x.clone().div_(constant)
        return [
            [forward_ad.unpack_dual(each).tangent for each in group]
            for group in (products, quotients, changed)
        ]


def tangents_of_what_lies_elsewhere_in_memory_are_copied(torch):
    part, whole = torch.ones(2), torch.ones(3)
    pairs = [(whole[1:], part), (whole[:2], whole[:2]), (part, whole[1:]), (part, part * 1)]
    answers = []
    with torch.autograd.forward_ad.dual_level():
        for primal, tangent in pairs:
            dual = torch.autograd.forward_ad.make_dual(
                primal * 1 if primal is part else primal, tangent
            )
            kept = _unpacked(torch, dual)[0].tangent
            _unpacked(torch, dual.view_as(dual))[0].tangent.add_(1)
            answers.append([kept, kept.data_ptr() == tangent.data_ptr(), kept.storage_offset()])
    return answers


def tangents_in_the_dtype_of_what_is_made(torch):
    with torch.autograd.forward_ad.dual_level():
        d = _dual(torch, [[1.0, 2.0], [4.0, 5.0]], [[1.0, -1.0], [0.5, 3.0]])
        filled = torch.zeros(2, dtype=torch.float64).fill_(d.sum())
        copied = torch.zeros(2, 2, dtype=torch.float64).copy_(d)
        reduced = [d.prod(dtype=torch.float64), d.sum(0, dtype=torch.float64)]
        index = torch.tensor([[0, 1]])
        put = [
            torch.ones(2, 2).scatter_reduce(0, index, d, how, include_self=kept)
            for how in ("sum", "mean")
            for kept in (True, False)
        ]
        return _unpacked(torch, filled, copied, *reduced, *put)
