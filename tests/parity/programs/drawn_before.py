"""What programs drawn at random came upon: rarely met arguments, numbers and layouts."""

from ..expressions import lines, observed
from ..harness import outcome
from ..sessions import shown


def extremes_along_a_dimension_that_is_a_tensor(torch):
    return observed(
        torch,
        lines("""
        x.max(dim=torch.tensor(1))
        x.max(torch.tensor(1), True)
        x.max(torch.tensor(1.0))
        x.min(dim=torch.tensor(0, dtype=torch.int32), keepdim=True)
        torch.min(x, dim=torch.tensor(-1))
        torch.max(x, torch.tensor(1.0))
        x.max(dim=torch.tensor(1.0))
        x.max(True)
        x.max(keepdim=False)
        x.max(0, dim=1)
        x.max(other=p)
        """),
    )


def whole_numbers_filled_with_what_requires_grad(torch):
    return observed(
        torch,
        lines("""
        i.masked_fill(b, s)
        b.masked_fill(b, s)
        i.index_fill(0, torch.tensor([0]), s)
        i.masked_fill(b, s.detach())
        i.index_fill(0, torch.tensor([0]), s.detach())
        """),
    )


def what_the_kernels_refuse(torch):
    return shown(
        torch,
        """
        nn = torch.nn.functional
        torch.trace(torch.ones(2, 2, dtype=torch.bool))
        nn.nll_loss(torch.ones(2, 2, 2), t([[0, 1], [1, 0]]).byte())
        nn.hardtanh(t([1, 2, -3])), nn.hardtanh(t([1, 2, -3]), -0.5, 1.5), nn.relu6(t([1, -3, 8]))
        nn.hardtanh(t([1, 2]).byte())
        nn.hardtanh(t([True]))
        nn.smooth_l1_loss(t([1, 2]), t([2, 2]))
        nn.huber_loss(t([True]), t([True]))
        nn.smooth_l1_loss(t([1.0]), t([True])), nn.huber_loss(t([0.5]), t([True]))
        nn.mse_loss(t([True]), t([True]))
        torch.cumprod(t([1, 2]), 0, dtype=torch.bool)
        torch.cumprod(t([1.5, 2.0]), 0, dtype=torch.int32)
        torch.cumprod(t([1.5, 2.0], requires_grad=True), 0, dtype=torch.int32)
        """,
    )


def linear_with_unusual_biases(torch):
    linear = torch.nn.functional.linear
    weight = torch.ones(2, 3, requires_grad=True)
    found = []
    for x in (torch.ones(3), torch.ones(1, 2, 3), torch.ones(2, 4, 3).transpose(0, 1)):
        for bias in (torch.tensor(1.0), torch.ones(1), torch.ones(2), torch.ones(4)[::2]):
            z = linear(x, weight, bias)
            found.append([z, z._version])
    return [
        found,
        outcome(lambda: linear(torch.ones(1, 2, 3), torch.ones(3), torch.ones(1))),
        outcome(lambda: linear(torch.ones(2, 3, 0), torch.ones(2, 0), torch.ones(2))),
        outcome(lambda: linear(torch.ones(0), torch.ones(3, 1), torch.ones(3))),
    ]


def products_that_do_not_count(torch):
    nan = torch.tensor([[float("nan"), 1.0], [1.0, float("inf")]])
    ones = torch.ones(2, 2)
    return [
        torch.addmm(ones, nan, ones, alpha=0),
        torch.addmm(ones.half(), nan.half(), ones.half(), alpha=0),
        torch.addmm(nan, ones, ones, beta=0),
        torch.baddbmm(ones[None], nan[None], ones[None], alpha=0),
    ]


def running_products_beside_zeros(torch):
    forward_ad, found = torch.autograd.forward_ad, []
    nan, inf = float("nan"), float("inf")
    for values in ([0.0, nan, 2.0], [2.0, 0.0, inf], [0.0, 3.0, 0.0], [3e38, 5.0, 0.0]):
        x = torch.tensor(values, requires_grad=True)
        z = x.cumprod(0)
        found += torch.autograd.grad(z.sum(), x, retain_graph=True)
        (gradient,) = torch.autograd.grad(z.sum(), x, create_graph=True)
        found += [gradient.detach(), *torch.autograd.grad(gradient.sum(), x)]
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x.detach(), torch.tensor([1.0, -2.0, 0.5]))
            found.append(forward_ad.unpack_dual(dual.cumprod(0)).tangent)
    x = torch.tensor([[float("inf")], [0.0]], requires_grad=True)
    found += torch.autograd.grad(x.cumprod(1).sum(), x)
    x = torch.tensor([1.5, 2.0, 3.0], requires_grad=True)
    z = x.cumprod(0, dtype=torch.float64)
    return [*found, z, *torch.autograd.grad(z.sum(), x)]


def second_gradients_of_losses(torch):
    nn = torch.nn.functional
    nan, inf = float("nan"), float("inf")

    def second(loss, values):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        (gradient,) = torch.autograd.grad(loss(x), x, create_graph=True)
        # With as few digits as PyTorch's own rounding leaves.
        return [round(each, 6) if each < 1e9 else f"{each:.8e}"
                for each in torch.autograd.grad(gradient.sum(), x)[0].tolist()]  # fmt: skip

    about = [nan, 0.5, 2.0, 1.0, -1.0, inf, 0.0]
    zeros = torch.zeros(7, dtype=torch.float64)
    of_bce = []
    for y in (0.0, 1.0, 0.25):
        target = torch.tensor([y] * 3, dtype=torch.float64)
        cross_entropy = lambda x, y=target: nn.binary_cross_entropy(x, y, reduction="sum")  # noqa: E731
        of_bce.append(second(cross_entropy, [0.0, 1.0, 0.3]))
    return [
        str(second(lambda x: nn.smooth_l1_loss(x, zeros, reduction="sum"), about)),
        str(second(lambda x: nn.huber_loss(x, zeros, reduction="sum", delta=1.0), about)),
        str(of_bce),
    ]


def tangents(torch):
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


def what_quotients_keep(torch):
    x, whole = torch.tensor([3.5, -2.0], requires_grad=True), torch.tensor([2, 3])
    modes = [
        torch.div(x, 2, rounding_mode=mode).grad_fn._saved_rounding_mode
        for mode in (None, "floor", "trunc")
    ]
    left = (x % whole).grad_fn
    smooth = torch.nn.functional.logsigmoid(x).grad_fn
    return [modes, left._saved_self, left._saved_other, smooth._saved_buffer.detach()]


def numbers_that_do_not_fit_into_whole_ones(torch):
    return shown(
        torch,
        """
        z = lambda: torch.zeros(3, dtype=torch.int8)
        z().fill_(t(300)), z().copy_(t(300.0)), torch.zeros((), dtype=torch.int8).copy_(t(300))
        x = z(); x[:] = t(nan)
        x
        x[:2] = t(-300)
        x
        x[t([True, False, True])] = t(300)
        x[t([True, False, True])] = t([300.0])
        x[t([0, 1])] = t(300)
        x[t([True, False, True])] = t(100)
        x
        torch.zeros(2).half().index_fill(0, t([0]), t(1e30))
        z().index_fill(0, t([0]), t(300))
        z().index_fill_(0, t([0]), t(300))
        """,
    )


def copies_kept_by_what_changes_transposed_tensors(torch):
    found = []
    for change in (lambda y: y.clamp_(0, 1), lambda y: y.pow_(3), lambda y: y.mul_(y.detach() + 1)):
        x = torch.arange(-3.0, 3.0).view(2, 3).t().requires_grad_()
        y = change(x.clone())
        (gradient,) = torch.autograd.grad(y, x, torch.ones(3, 2), retain_graph=True)
        kept = y.grad_fn._saved_self
        found.append([None if kept is None else kept.stride(), gradient, gradient.stride()])
    x = torch.arange(-3.0, 3.0).view(2, 3).t().requires_grad_()
    (gradient,) = torch.autograd.grad(x.masked_select(x > -1), x, torch.ones(3))
    return [*found, gradient, gradient.stride()]


def targets(torch):
    return shown(
        torch,
        """
        h, w = torch.full((3,), 0.1).half(), torch.full((3,), 1.6)
        torch.sum(h, 0, out=t(0.0)), torch.cumsum(h, 0, out=torch.zeros(3))
        torch.prod(w, 0, out=t(0)), torch.cumprod(w, 0, out=torch.zeros(3).double())
        torch.cumsum(w, 0, out=torch.zeros(3).bool())
        torch.sum(w, 0, out=3)
        a, i = torch.zeros(()), t(0)
        torch.median(w, 0, out=(a, i.int()))
        torch.median(w, 0, out=(a.double(), i.int()))
        torch.median(w, 0, out=(a.double(), i))
        torch.mode(w, 0, out=(a, i.int()))
        torch.kthvalue(w, 1, 0, out=(a, i.int()))
        torch.kthvalue(w, 1, 0, out=(a.double(), i.int()))
        torch.aminmax(w, dim=0, out=(a.double(), a))
        torch.sum(w, 0, out=torch.zeros(1).expand(2, 2))
        torch.max(w, 0, out=(torch.zeros(1).expand(2), torch.zeros(1).long().expand(2)))
        torch.exp(w, out=torch.zeros(1).expand(2, 2))
        torch.amax(w, 0, out=t(0.0))
        g = torch.zeros(3, requires_grad=True)
        torch.softmax(w, 0, out=g)
        torch.multiply(w, 2, out=g)
        torch.clip(w, 0, 1, out=g)
        torch.square(w, out=g)
        torch.concat([w], out=g)
        torch.sub(torch.ones(2), True, alpha=2)
        torch.ones(2).sub_(True, alpha=2)
        torch.zeros(2, 3).masked_scatter_(torch.ones(3, 1).bool(), torch.ones(9))
        torch.zeros(2, 3).masked_scatter(torch.ones(3, 1).bool(), torch.ones(9))
        torch.zeros(2, 3).masked_scatter_(torch.ones(2, 3).byte(), torch.ones(9))
        torch.zeros(2, 3).masked_fill(torch.ones(2), 1)
        """,
    )


def indices_of_another_round(torch):
    return observed(
        torch,
        lines("""
        torch.take_along_dim(x, torch.tensor([[-1]]), 1)
        torch.take_along_dim(x, torch.tensor([[-4, 3]]), 1)
        torch.take_along_dim(x, torch.tensor([-1, 6]))
        torch.take_along_dim(s, torch.tensor(0), -1)
        torch.take_along_dim(x, torch.tensor([[0]]), 0).grad_fn._saved_index.stride()
        """),
    )


def of_a_lone_half(torch):
    torch.manual_seed(0)
    x = torch.zeros((), dtype=torch.float16)
    drawn = [
        x.clone().uniform_(1, 1),
        x.clone().uniform_(0, 3),
        torch.rand((), dtype=torch.float16),
    ]
    return [*drawn, x.clone().normal_(), x.clone().bernoulli_(1.0)]


def tangents_beside_infinities(torch):
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


def what_is_looked_at_first(torch):
    return shown(
        torch,
        """
        x = torch.zeros(2, 3)
        x.masked_fill_(torch.ones(4).bool(), t([1.0]))
        x.index_fill_(5, t([0]), t([1.0]))
        x.masked_fill(torch.ones(4), 1.0)
        x.masked_fill(torch.ones(4).bool(), t([1.0]))
        """,
    )


def closeness(torch):
    inf, nan = float("inf"), float("nan")
    whole = torch.tensor([2**53 + 1, 7])
    x, y = torch.tensor([inf, nan, 1.0, -0.0]), torch.tensor([1.0, nan, 1.0001, 0.0])
    results = (
        torch.isclose(x, y), torch.isclose(x, y, rtol=inf), torch.isclose(x, y, atol=inf),
        torch.isclose(x, y, equal_nan=True), torch.isclose(x, y, rtol=0.0, atol=0.0),
        torch.isclose(whole, whole - 1), torch.isclose(whole, whole - 1, rtol=0.0, atol=0.0),
        torch.isclose(whole, whole - 1, rtol=0.0, atol=1.0), torch.isclose(x > 0, y > 0),
        torch.isclose(x[:, None].requires_grad_(), y),
    )  # fmt: skip
    found = [[each, each._version] for each in results]
    return [found, outcome(lambda: torch.isclose(x, y, atol=nan))]


def tensors_as_dimensions_and_numbers(torch):
    return observed(
        torch,
        lines("""
        x.softmax(dim=torch.tensor([1]))
        x.cumsum(torch.tensor([1]))
        x.unsqueeze(torch.tensor([1]))
        x.transpose(torch.tensor([1]), 0)
        x.cumsum(torch.tensor(1))
        x.unsqueeze(torch.tensor(1))
        x.sum(dim=torch.tensor([1]))
        x.sum(dim=torch.tensor(1.0))
        torch.cat([x, x], torch.tensor([1]))
        x.sort(torch.tensor([1]))
        x.index_select(torch.tensor([1]), torch.tensor([0]))
        x.index_select(torch.tensor(1), torch.tensor([0]))
        F.cross_entropy(x, torch.tensor([0, 1]), ignore_index=torch.tensor(0))
        F.nll_loss(x, torch.tensor([0, 1]), ignore_index=torch.tensor(0))
        F.one_hot(torch.tensor([0, 1]), torch.tensor(3))
        x.var(correction=torch.tensor(0))
        """),
    )
