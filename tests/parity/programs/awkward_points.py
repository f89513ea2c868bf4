"""Where formulas have to be told what to do: nothing to add, bounds, zeros, kinds that clash."""

from ..harness import outcome
from ..sessions import shown


def vectors_of_nothing_joined(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    nothing = torch.tensor([], requires_grad=True)
    rows = torch.zeros(0, 2, requires_grad=True)
    found = []
    for given in ([x, nothing], [nothing, x, rows], [nothing, nothing], [rows, rows]):
        joined = torch.cat(given)
        weights = torch.ones_like(joined).requires_grad_()
        found.append([joined, torch.autograd.grad(joined, given, weights, create_graph=True)])
    return found


def a_product_with_two_zeros_again(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = torch.tensor([0.0, 0.0, 5.0], requires_grad=True)
    product = x.scatter_reduce(0, torch.tensor([0, 0, 1]), y, "prod")
    (slope,) = torch.autograd.grad(product.sum(), y, create_graph=True)
    return slope.detach(), outcome(lambda: torch.autograd.grad(slope.sum(), [x, y]))


def the_bend_of_softplus_at_its_threshold(torch):
    x = torch.tensor([0.5, 0.25, 1.0], requires_grad=True)
    (slope,) = torch.autograd.grad(
        torch.nn.functional.softplus(x, 2, 1).sum(), x, create_graph=True
    )
    return slope.detach(), torch.autograd.grad(slope.sum(), x)


def cosines_of_short_vectors(torch):
    x = torch.tensor([[0.5, -1.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([[1.0, 2.0], [-1.0, 0.5]], dtype=torch.float64, requires_grad=True)
    cosines = torch.nn.functional.cosine_similarity(x, y, 1, 2.0)
    return cosines, torch.autograd.grad(cosines.sum(), [x, y])


def losses_of_nothing(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.zeros(0, 3, requires_grad=True)
        F.cross_entropy(x, torch.zeros(0, 3))
        F.cross_entropy(x, torch.zeros(0, 3), reduction='sum')
        F.cross_entropy(x, torch.zeros(0, 3), label_smoothing=0.1)
        F.cross_entropy(x, torch.zeros(0, dtype=torch.int64))
        """,
    )


def weights_that_would_learn(torch):
    return shown(
        torch,
        """
        F, x, y = torch.nn.functional, t([0.25, 0.5], requires_grad=True), t([0.0, 1.0])
        w = t([1.0, 2.0], requires_grad=True)
        F.binary_cross_entropy(x, y, weight=w)
        F.binary_cross_entropy_with_logits(x, y, weight=w)
        F.binary_cross_entropy_with_logits(x, y, pos_weight=w)
        torch.nn.BCEWithLogitsLoss(pos_weight=torch.nn.Parameter(t(2.0)))(x, y)
        F.binary_cross_entropy_with_logits(x, y, pos_weight=w.detach())
        torch.set_grad_enabled(False) and None
        F.binary_cross_entropy(x, y, weight=w)
        """,
    )


def targets_that_would_learn_at_the_bounds(torch):
    x = torch.tensor([0.0, 1.0, 0.5], requires_grad=True)
    y = torch.tensor([0.0, 1.0, 1.0], requires_grad=True)
    loss = torch.nn.functional.binary_cross_entropy(x, y, reduction="none")
    return loss, torch.autograd.grad(loss.sum(), y)


def targets_of_other_dtypes(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, t([0.25, -0.5], requires_grad=True)
        F.binary_cross_entropy_with_logits(x, t([0, 1]))
        F.binary_cross_entropy_with_logits(x, t([False, True]))
        F.binary_cross_entropy_with_logits(x, t([0.0, 1.0], dtype=torch.float64))
        F.binary_cross_entropy_with_logits(x.double(), t([0.0, 1.0]), reduction='sum')
        F.huber_loss(x, t([0, 1]))
        F.huber_loss(x, t([0, 1])).backward()
        F.huber_loss(x, t([0.0, 1.0], dtype=torch.float64))
        F.huber_loss(x, t([0.0, 1.0], dtype=torch.float64)).backward()
        """,
    )


def tables_that_are_none(torch):
    return shown(
        torch,
        """
        F, i = torch.nn.functional, t([0, 2])
        F.embedding(i, torch.ones(3))
        F.embedding(i, torch.ones(3, 1, 1))
        """,
    )


def laid_in_order_again(torch):
    functional, x = torch.nn.functional, torch.arange(6.0).reshape(3, 2).t()
    given = [
        functional.layer_norm(x, (3,)),
        functional.batch_norm(x, None, None, training=True),
        functional.batch_norm(x, torch.zeros(3), torch.ones(3)),
        functional.pad(x, (1, 1)),
    ]
    return [each.stride() for each in given]


def gradients_of_turned_factors(torch):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(2, 4, requires_grad=True)
    turned = torch.ones(4, 2).t().requires_grad_()
    found = []
    for product, leaves in ((x.t() @ y, [x, y]), (x.t() @ turned, [x, turned])):
        gradients = torch.autograd.grad(product.sum(), leaves)
        found += [(each, each.stride()) for each in gradients]
    return found


def running_through_one(torch):
    x, weights = torch.tensor([2.0], requires_grad=True), torch.ones(1, requires_grad=True)
    return [
        torch.autograd.grad(run(0), x, weights, create_graph=True)[0].grad_fn
        for run in (x.cumsum, x.cumprod)
    ]


def what_has_no_length(torch):
    return shown(
        torch,
        """
        e = torch.zeros(3, 0)
        e.amin(-1)
        e.amax((0, -1))
        e.amax(1)
        e.max(-1)
        e.aminmax(dim=-1)
        e.norm(inf, -1)
        e.norm(-1, 1)
        e.take(t([0]))
        e.take(t([], dtype=torch.int64))
        e.put(t([0]), t([1.0]))
        """,
    )


def tangents_of_one_operand(torch):
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


def weights_of_other_shapes(torch):
    return shown(
        torch,
        """
        F, x, w = torch.nn.functional, t([[0.25, 0.5], [0.5, 0.75]]), torch.ones(3)
        F.cross_entropy(x, x.softmax(1), weight=w)
        F.cross_entropy(x, x.softmax(1), weight=w[:1], label_smoothing=0.1)
        F.cross_entropy(x, x.softmax(1), weight=torch.ones(2, 1))
        F.cross_entropy(x, t([0, 1]), weight=w)
        F.binary_cross_entropy(x, x, weight=w)
        F.binary_cross_entropy(x, x, weight=torch.ones(3, 2, 2))
        F.binary_cross_entropy(x, x, weight=t([[1.0], [2.0]]), reduction='none')
        F.binary_cross_entropy_with_logits(x, x, weight=w)
        F.binary_cross_entropy_with_logits(x, x, weight=torch.ones(3, 2, 2))
        F.binary_cross_entropy_with_logits(x, x, pos_weight=torch.ones(3, 2, 2))
        torch.broadcast_shapes(x.shape, w.shape)
        torch.broadcast_shapes([2, 2], [3])
        """,
    )


def whole_numbers_standardised(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.ones(2, 2, dtype=torch.int64)
        F.layer_norm(x, (2,))
        F.batch_norm(x, None, None, training=True)
        F.batch_norm(x, torch.zeros(2), torch.ones(2))
        """,
    )


def more_cut_than_there_is(torch):
    return shown(
        torch,
        """
        F, x = torch.nn.functional, torch.ones(2)
        F.pad(x, (-1, -1))
        F.pad(x, (-2, -1))
        F.pad(x, (3, -3))
        F.pad(x, (-3, 4))
        F.pad(x, (-1, 2))
        """,
    )


def infinite_means_beside_a_spread(torch):
    """A mean that is found one number after the other leaves infinity again, for nan."""
    inf, found = float("inf"), []
    for rows in ([[1.0, inf], [2.0, 3.0]], [[inf, 1.0], [inf, inf]], [[1.0, -inf], [4.0, inf]]):
        for dim in ((), 0, 1):
            found.append(torch.var_mean(torch.tensor(rows), dim, keepdim=True))
            found.append(torch.std_mean(torch.tensor(rows).double(), dim))
    return str([*found, torch.var_mean(torch.tensor([inf]), correction=0)])


def logarithms_of_sums_over_no_dimensions(torch):
    return shown(
        torch,
        """
        torch.logsumexp(torch.ones(2), ())
        torch.logsumexp(torch.ones(2, 3, requires_grad=True), [])
        torch.logsumexp(torch.ones(2, 3), (), keepdim=True)
        torch.logsumexp(torch.ones(()), ())
        torch.logsumexp(torch.ones(0, 2), ())
        """,
    )


def powers_of_one_half(torch):
    return shown(
        torch,
        """
        x = torch.tensor([-0.0, -inf, 3.0, inf, -2.0, nan])
        x ** 0.5, x.double() ** 0.5, x.half() ** 0.5
        [s ** 0.5 for s in x], [s ** 0.5 for s in x.double()]
        x ** t(0.5), x.double() ** t(0.5), x.half() ** t(0.5), x ** t([[0.5]])
        [s ** t(0.5) for s in x], [s ** t([0.5]) for s in x]
        x.clone().pow_(0.5), x.clone().pow_(t(0.5)), x ** torch.full((6,), 0.5)
        x.unsqueeze(1).expand(6, 200).pow(t(0.5)).t()[0]
        x.repeat(200).pow(t(0.5))[:6], x.repeat(200).pow(0.5)[:6]
        0.5 ** x, (-inf) ** t(0.5), (-0.0) ** t([0.5])
        """,
    )
