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
