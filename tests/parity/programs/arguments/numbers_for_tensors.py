"""Numbers where tensors are usual, and tensors of one element where numbers are."""

import numpy as np

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome


def first_operands(torch):
    return observed(
        torch,
        lines("""
        torch.add(1, 2.5, alpha=2)
        torch.add(1.5, w, alpha=2)
        torch.sub(1.5, w, alpha=2)
        torch.add(1, i, alpha=3)
        torch.sub(1, 2.0)
        torch.sub(True, 1)
        torch.mul(True, False)
        torch.multiply(2, 1.5)
        torch.div(3, 2)
        torch.div(3, 2, rounding_mode="floor")
        torch.true_divide(7, 2)
        torch.floor_divide(7, 2)
        torch.rsub(1, 2)
        torch.rsub(1, w)
        torch.remainder(5, 3)
        torch.remainder(5, i)
        torch.bitwise_and(3, 2)
        torch.bitwise_left_shift(3, 1)
        torch.logical_and(1, b)
        torch.logical_xor(b, 1)
        torch.add(None, 1)
        torch.mul("2", w)
    """),
    )


def numbers_of_numpy(torch):
    import numpy as np

    half, two, condition = np.float64(0.5), np.float32(2), torch.tensor([True, False])
    whole = torch.tensor([1, 2])
    return [
        torch.add(half, 2),
        torch.mul(half, whole),
        torch.div(half, whole),
        torch.sub(two, 1),
        torch.where(condition, half, two),
        torch.where(condition, whole, half),
        whole.where(condition, two),
        whole.clamp(half, 3),
        torch.clamp_min(whole, np.float64(1.5)),
        torch.result_type(whole, half),
        torch.result_type(two, torch.tensor(1, dtype=torch.int8)),
    ]


def bounds(torch):
    return observed(
        torch,
        lines("""
        torch.clamp(x, torch.tensor(0.5), 1)
        torch.clamp(i, torch.tensor(1.5), 3)
        torch.clamp(s, 1, torch.tensor(2))
        torch.clamp(x, torch.tensor([0.5]), 1)
        torch.clamp(x, min=0, max=torch.ones(3))
        x.clamp(torch.tensor(0.5, requires_grad=True), 1)
        x.detach().clamp_(torch.tensor([0.5]), 3)
        x.detach().clip_(torch.tensor(0.25), 1.5)
        x.clamp("0", torch.tensor(2.0))
    """),
    )


def values_that_fill(torch):
    return observed(
        torch,
        lines("""
        u.masked_fill(b, torch.tensor(-1.5))
        u.masked_fill(~b, torch.tensor(300))
        u.clone().masked_fill_(b, torch.tensor(300))
        h.masked_fill(x > 100, torch.tensor(1e10))
        i.masked_fill(b, torch.tensor(1.75))
        x.masked_fill(b, torch.tensor(1.75, dtype=torch.float64))
        torch.full((2,), torch.tensor(2.0))
        torch.full((2,), torch.tensor(2.0, requires_grad=True))
    """),
    )


def what_is_no_dimension(torch):
    return observed(
        torch,
        lines("""
        x.squeeze(None)
        torch.squeeze(x, dim=None)
        x.detach().squeeze_(None)
        torch.min(x, other=0)
        x.max(other=2.0)
        torch.max(x, other=w)
        torch.var(x, 0, True, correction=1)
        x.std(1, unbiased=False, correction=0)
    """),
    )


def numbers_of_numpy_in_rarer_places(torch):
    x = torch.tensor([[1.0, 5.0], [3.0, 2.0]])
    return {
        "copied": [torch.ones(2).copy_(each) for each in (np.int64(2), np.float32(2.5), np.True_)],
        "lerp": [torch.lerp(x, x * 2, each) for each in (np.int64(2), np.float32(0.5))],
        "lerp_": x.clone().lerp_(x * 2, np.float64(0.25)),
        "lerp wrongly": [outcome(lambda e=each: torch.lerp(x, x, e)) for each in ("a", None)],
        "topk": x.topk(np.int64(1)),
        "flags": [
            outcome(lambda: x.sum(0, np.True_)),
            outcome(lambda: x.sort(descending=np.True_)),
            outcome(lambda: x.copy_(x, np.True_)),
            outcome(lambda: torch.zeros(2, requires_grad=np.True_)),
            outcome(lambda: torch.tensor(1.0, requires_grad=np.False_)),
        ],
    }


def nothing_divided_by_zero(torch):
    none, some = torch.zeros(0, 2, dtype=torch.int64), torch.ones(3, dtype=torch.int64)
    zeros = torch.zeros(2, dtype=torch.int64)
    return [
        [none // 0, none % zeros, none.fmod(0), none.div(0, rounding_mode="floor")],
        [outcome(lambda f=f: f(some, zeros)) for f in (torch.floor_divide, torch.remainder)],
        outcome(lambda: some // 0),
        outcome(lambda: some.mean(None)),
    ]


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


_WITH_A_NUMBER = """
F.elu(x, {0})
F.celu(x, {0})
F.leaky_relu(x, negative_slope={0})
F.softplus(x, {0})
F.softplus(x, 1, {0})
F.hardtanh(x, -1, {0})
torch.add(x, w, alpha={0})
torch.sub(x, w, alpha={0})
torch.rsub(x, w, alpha={0})
x.detach().add_(w.detach(), alpha={0})
torch.addcmul(x, x, w, value={0})
torch.addcdiv(x, x, w, value={0})
x.detach().addcmul_(p.detach(), p.detach(), value={0})
x.detach().addcdiv_(p.detach(), p.detach(), value={0})
torch.addmm(q, q, q[:2], beta={0})
torch.addmm(q, q, q[:2], alpha={0})
torch.baddbmm(k, k, torch.ones(2, 3, 3), beta={0})
torch.index_add(x, 0, at[1:2], x[:1], alpha={0})
x.var(correction={0})
torch.dist(x, p, {0})
torch.isclose(x.detach(), p.detach(), {0})
torch.allclose(x.detach(), p.detach(), atol={0})
F.huber_loss(x, p, delta={0})
F.smooth_l1_loss(x, p, beta={0})
F.cross_entropy(x, at[:2], label_smoothing={0})
F.cosine_similarity(x, p, eps={0})
F.layer_norm(torch.tensor([1.0, 3.0]), (2,), eps={0})
F.batch_norm(x.detach(), None, None, training=True, eps={0})
F.batch_norm(x.detach(), torch.zeros(3), torch.ones(3), None, None, True, {0})
F.pad(x, (1, 0), "constant", {0})
F.dropout(x, {0}, False)
torch.ones(2).normal_({0}, 0)
torch.ones(2).uniform_({0}, 0.75)
torch.ones(2).exponential_({0}).shape
torch.bernoulli(x.detach(), {0}).shape
torch.normal({0}, 0.0, (2,))
"""


def lone_tensors_for_numbers(torch):
    return observed(torch, lines(_WITH_A_NUMBER.format("torch.tensor(0.75)")))


def what_requires_grad_is_no_number(torch):
    """Its gradient would be lost."""
    return observed(torch, lines(_WITH_A_NUMBER.format("s"))) | observed(
        torch,
        lines("""
        torch.add(x, w, alpha=torch.tensor(1.0, requires_grad=True))
        torch.sub(x, w, alpha=torch.tensor(1.0, requires_grad=True))
        F.leaky_relu(x, torch.nn.Parameter(torch.tensor(0.25)))
        """),
    )


def vectors_are_no_numbers(torch):
    vector = "torch.tensor([0.75])"
    taken = ("add", "sub", "isclose", "allclose", "huber", "smooth", "dropout", "normal_")
    wanted = [
        each for each in lines(_WITH_A_NUMBER.format(vector)) if any(t in each for t in taken)
    ]
    return observed(torch, wanted)


def truths_and_numbers_of_numpy(torch):
    x = torch.tensor([[1.0, 5.0], [3.0, 2.0]])
    functional, target = torch.nn.functional, torch.tensor([1, 0])
    return [
        [functional.leaky_relu(-x, each) for each in (np.True_, np.float64(0.5), np.int32(2))],
        [x.clone().fill_(np.True_), x.masked_fill(x > 2, np.False_), x.clamp(max=np.True_)],
        [torch.full((2,), np.True_), torch.full_like(target, np.True_)],
        functional.cross_entropy(x, target, label_smoothing=np.float64(0.5)),
    ]


def size_with_means_and_deviations(torch):
    mean, std = torch.zeros(2), torch.ones(2)
    return [
        outcome(lambda: torch.normal(mean, std, (2,))),
        outcome(lambda: torch.normal(mean, 1.0, (2,))),
        outcome(lambda: torch.normal(mean, std, foo=1)),
    ]
