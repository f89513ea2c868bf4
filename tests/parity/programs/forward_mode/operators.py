"""Tangents of operators where their formulas need care."""

from tests.parity.harness import graph, outcome


def of_no_dimension_and_without_a_scale(torch):
    """Of a product along no dimension, and of a layer without a scale."""
    forward_ad = torch.autograd.forward_ad
    seen = []
    with forward_ad.dual_level():
        for value in (3.0, 0.0):
            dual = forward_ad.make_dual(torch.tensor(value), torch.tensor(2.0))
            seen.append(forward_ad.unpack_dual(dual.cumprod(0)).tangent)
        rows = torch.tensor([1.0, 2.0, 4.0])
        dual = forward_ad.make_dual(rows, torch.tensor([1.0, 0.5, 2.0]))
        normal = torch.nn.functional.layer_norm(dual, (3,))
        seen.append(forward_ad.unpack_dual(normal).tangent)
        for given in ((torch.ones(2).long(), torch.ones(2)), (torch.ones(2), torch.ones(2).long())):
            seen.append(outcome(lambda given=given: forward_ad.make_dual(*given)))
    return seen


def of_one_operand(torch):
    forward = torch.autograd.forward_ad
    pairs = {
        "xlogy": ([2.0, 0.0, 3.0], [0.0, 0.0, 2.0]),
        "hypot": ([1.0, float("inf"), 3.0], [2.0, 1.0, 4.0]),
        "atan2": ([1.0, float("inf"), 3.0], [2.0, 1.0, 4.0]),
        "remainder": ([5.0, -7.0, 3.0], [2.0, 4.0, 0.0]),
        "fmod": ([5.0, -7.0, 3.0], [2.0, 4.0, 0.0]),
    }
    found = []
    for name, numbers in pairs.items():
        for position in (0, 1):
            given = [torch.tensor(each, requires_grad=True) for each in numbers]
            with forward.dual_level():
                operands = list(given)
                operands[position] = forward.make_dual(given[position], torch.ones(3))
                tangent = forward.unpack_dual(getattr(torch, name)(*operands)).tangent
                found.append([name, tangent.detach(), tangent.requires_grad])
    return found


def of_products_and_losses(torch):
    forward_ad, one = torch.autograd.forward_ad, torch.ones(2, 2)
    calls = (
        lambda d: d @ one,
        lambda d: d @ one[0],
        lambda d: one[0] @ d,
        lambda d: d[None] @ one[None],
        lambda d: d[0] @ one[0],
    )

    def of(call, tangent):
        with forward_ad.dual_level():
            return forward_ad.unpack_dual(call(forward_ad.make_dual(one, tangent))).tangent

    empty, half, whole = torch.zeros(0), torch.ones(2).half(), torch.tensor([1, 2])
    with forward_ad.dual_level():
        loss = torch.nn.functional.mse_loss(forward_ad.make_dual(empty, empty), empty)
        of_nothing = forward_ad.unpack_dual(loss).tangent
        larger = torch.maximum(whole, forward_ad.make_dual(half, half))
        tangent_beside_whole_numbers = forward_ad.unpack_dual(larger).tangent
    return [
        [outcome(lambda call=call, kind=kind: of(call, one.to(kind)))
         for call in calls for kind in (torch.float32, torch.float64)],
        of(lambda d: torch.div(torch.ones(2, 2).long(), d, rounding_mode="floor"), one),
        of_nothing,
        tangent_beside_whole_numbers,
    ]  # fmt: skip


def beside_infinities(torch):
    forward_ad = torch.autograd.forward_ad
    endless, ones = torch.tensor([float("inf"), 2.0]), torch.ones(2)
    calls = (
        lambda d: torch.dot(ones, d),
        lambda d: torch.dot(d, ones),
        lambda d: torch.dot(d, d),
        lambda d: torch.mv(torch.ones(2, 2), d),
        lambda d: torch.lerp(ones, d, float("inf")),
        lambda d: torch.lerp(d, ones, 2.0**40),
        lambda d: torch.nn.functional.binary_cross_entropy_with_logits(d, ones),
    )
    found = []
    for call in calls:
        with forward_ad.dual_level():
            z = call(forward_ad.make_dual(endless, torch.tensor([1.0, 0.5])))
            found.append(forward_ad.unpack_dual(z).tangent)
    return found


_OF_PAIRS = """
d * y
y * d
d * 2
d * e
d + y
d + 1
d - y
d - 1
torch.add(d, y, alpha=2)
torch.sub(y, d, alpha=2)
y / d
d.std()
torch.addmm(y, m, m.detach()) * d
torch.addmm(d, m, m)
(d * 1).fill_(2)
(d * 1).fill_(y[0])
(d * 1).fill_(e[0])
(y * 1).fill_(d[0])
(d * 1).zero_()
(d * 1).copy_(y)
(d * 1).copy_(e)
(y * 1).copy_(d)
(d * 1).expand(2, 2).contiguous()[0].zero_()
"""


def graphs_of_the_tangents_of_pairs(torch):
    forward, seen = torch.autograd.forward_ad, {}
    for expression in _OF_PAIRS.strip().splitlines():
        x, y, t, u = [
            torch.tensor(each, requires_grad=True)
            for each in ([1.0, -2.0], [3.0, 4.0], [0.5, -0.0], [-0.0, 0.25])
        ]
        m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        names = {"torch": torch, "y": y, "m": m}
        with forward.dual_level():
            names |= {"d": forward.make_dual(x * 1, t), "e": forward.make_dual(y * 1, u)}
            tangent = forward.unpack_dual(eval(expression, names)).tangent
        seen[expression] = [str(tangent.detach()), graph(tangent.grad_fn)]
        leaves = x, y, t, u, m
        grads = torch.autograd.grad(tangent.sum(), leaves, allow_unused=True)
        seen[expression].append([str(each) for each in grads])
    return seen
