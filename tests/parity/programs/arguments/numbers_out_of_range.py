"""Numbers that a dtype cannot hold: wrapped around, infinite, or refused."""

from tests.parity.expressions import lines, observed
from tests.parity.harness import outcome
from tests.parity.sessions import shown


def filled_in(torch):
    return observed(
        torch,
        lines("""
        torch.full((2,), 1e40)
        torch.full((2,), 1e40, dtype=torch.float64)
        torch.full((2,), float("inf"))
        torch.full((2,), 1e6, dtype=torch.float16)
        torch.full_like(torch.zeros(2), 1e300)
        torch.zeros(2).new_full((2,), -1e300)
        torch.zeros(2).fill_(1e300)
        torch.zeros(2).masked_fill(torch.tensor([True, False]), 1e300)
        torch.zeros(2).index_fill(0, torch.tensor([0]), 1e300)
        torch.zeros(2).scatter(0, torch.tensor([0]), 1e300)
        torch.where(torch.tensor([True, False]), torch.zeros(2), 1e300)
        torch.zeros(2).__setitem__(0, 1e300)
        torch.tensor(1e300)
        torch.zeros(2) * 1e300
        torch.zeros(2) < 1e300
    """),
    )


def bounds(torch):
    return observed(
        torch,
        lines("""
        u.clamp(-1, 300)
        u.clamp(-1, 3)
        u.clamp(-1)
        u.clamp(max=3.5)
        j.clamp(2**40)
        b.clamp(0, 1)
        i.clamp(-2, 2.5)
        x.clamp(0, 1e40)
    """),
    )


def of_sixty_four_bits(torch):
    return observed(
        torch,
        lines("""
        i + 2**63
        i * (2**63 + 1)
        i - 2**64
        i == 2**63
        i < 2**70
        2**63 - i
        u + 2**63
        torch.tensor([0, 1, -1, 7, -7]) ** 63
        0 ** torch.tensor([0, 1, -1, 7, -(2**63)])
        1 ** torch.tensor([0, 1, -1, 7, -(2**63)])
        (-1) ** torch.tensor([0, 1, -1, 7, -(2**63)])
        b ** True
        b ** False
        b ** -1
        torch.arange(0, 10, 2.5, dtype=torch.int32)
        torch.arange(0, 10, 2.5, dtype=torch.int64)
        torch.arange(1e20)
        torch.scalar_tensor(2**63)
        torch.scalar_tensor(2**70)
        torch.scalar_tensor(-(2**70), dtype=torch.float64)
    """),
    )


def of_too_many_halves(torch):
    many = torch.ones(100_000, dtype=torch.float16)
    return [
        many.mean(),
        many.sum(),
        many.reshape(2, -1).mean(1),
        torch.mean(many, dtype=many.dtype),
    ]


def arguments_of_the_wrong_kind(torch):
    return observed(
        torch,
        lines("""
        torch.eq(1, x)
        torch.lt(1, x)
        torch.fmod(1, x)
        torch.maximum(1, x)
        torch.bitwise_and(1, x)
        torch.bitwise_and(1, i)
        torch.bitwise_and("a", i)
        torch.sub(True, x)
        torch.rsub(i, 5, alpha=2)
        torch.rsub(i, i, alpha=2)
        b << 1
        torch.sum(x, keepdim=True)
        torch.mean(x, keepdim=True)
        torch.prod(x, keepdim=True)
        torch.max(x, keepdim=True)
        torch.median(x, keepdim=True)
        torch.argmax(x, (0, 1))
        torch.argmax(x, dim="a")
        torch.argmax(x, torch.tensor(0))
        torch.median(x, torch.tensor(0))
        torch.sum(x, torch.tensor(0))
        torch.logsumexp(x)
        torch.softmax(x, 0, True)
        torch.all(x, [])
        torch.mean(i, dtype=torch.int64)
        torch.mean(i, 5)
        torch.cumsum(i, 0, dtype=torch.int8)
        torch.cumsum(i, 0, dtype=torch.bool)
        torch.topk(b, 1)
        torch.linspace(0, 1, 3, dtype=torch.bool)
        torch.linspace(w, 1, 3)
        F.linear("a", x)
        F.relu([1.0])
        F.dropout(5)
        F.cross_entropy("a", x)
        F.cross_entropy(x, torch.tensor(0))
        F.cross_entropy(x, at[:2], weight=w.double().detach())
        F.nll_loss(i, at[:2])
    """),
    )


def outputs_of_other_dtypes(torch):
    calls = [
        f"torch.{call}, out=torch.empty(0, dtype=torch.{dtype}))"
        for call in (
            "mean(x.detach(), 0",
            "amax(x.detach(), 0",
            "log_softmax(x.detach(), 0",
            "norm(x.detach()",
            "dot(w.detach(), w.detach()",
            "masked_select(i, b",
            "nonzero(i",
            "scatter(i, 0, grid, 5",
        )
        for dtype in ("int64", "float64", "float32")
    ]
    return observed(torch, [*calls, "torch.topk(i, 1, out=torch.empty(0, dtype=torch.int64))"])


def evenly_spaced(torch):
    return observed(
        torch,
        lines("""
        torch.arange(0, 1e300, 5e299)
        torch.arange(0, 1e5, 5e4, dtype=torch.float16)
        torch.linspace(0, 1e300, 3)
        torch.linspace(-3e38, 3e38, 3)
        torch.linspace(0, 1e5, 3, dtype=torch.float16)
        torch.linspace(0, float("inf"), 4)
        torch.logspace(0, 300, 3)
    """),
    )


def drawn(torch):
    torch.manual_seed(0)
    drawn = [torch.empty(2).normal_(0, 1e300), torch.empty(20).normal_(0, 1e38)]
    return [str(each) for each in (*drawn, torch.normal(torch.zeros(2), torch.full((2,), 3e38)))]


def running_statistics(torch):
    layer = torch.nn.BatchNorm1d(1)
    layer(torch.tensor([[3e38], [-3e38]]))
    return [str(layer.running_mean), str(layer.running_var)]


def beyond_sixty_four_bits(torch):
    return observed(
        torch,
        lines("""
        torch.add(torch.ones(2), 2**70)
        torch.ones(2).mul(-(2**63) - 1)
        torch.ones(2) == 2**70
        torch.ones(2) < 2**64
        2**70 - torch.ones(2)
        torch.ones(2) ** 2**70
        torch.ones(2) // 2**64
        2**70 % torch.ones(2)
        torch.ones(2).add_(2**70)
        torch.ones(2).lerp(torch.ones(2), 2**70)
        torch.ones(2).addcmul(torch.ones(2), torch.ones(2), value=2**70)
        torch.ones(2).fill_(-(2**63) - 1)
        torch.ones(2).clamp(min=-(2**70))
        torch.rsub(torch.ones(2), 1, alpha=2**70)
        torch.ones(2).copy_(2**70)
        torch.ones(2).copy_(-(2**63) - 1)
        torch.ones(2).copy_(2**63)
        torch.ones(2).long().copy_(2**64 - 1)
        torch.ones(2).bool().copy_(2**63)
        torch.addmm(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2), alpha=2**70)
        torch.ones(2, 2).addmm_(torch.ones(2, 2), torch.ones(2, 2), beta=-(2**70))
        torch.addmm(i, i[:, :2], i, beta=2**63)
        torch.addmm(j, j[:, :2], j, alpha=2**40)
        torch.addmm(u, u[:, :2], u, alpha=-1)
        torch.addmm(torch.ones(2, 2), torch.ones(2, 2), torch.ones(2, 2), beta=1e300)
        torch.addmm(h, h[:, :2], h, alpha=1e10).isfinite()
        torch.addmm(x, x[:, :2], x, alpha=torch.tensor(2.0))
        torch.baddbmm(k, k[:, :, :2], k, beta=2**70)
        torch.baddbmm(k, k[:, :, :2], k, alpha=1e300)
        torch.ones(2).index_add(0, at[1:2], torch.ones(1), alpha=2**70)
        torch.ones(2).index_add_(0, at[1:2], torch.ones(1), alpha=1e300)
        torch.tensor([1, 2]).index_add_(0, at[1:2], torch.tensor([1]), alpha=2**63)
        torch.norm(torch.ones(2), 2**70)
        torch.linalg.vector_norm(torch.ones(2), -(2**70))
        F.leaky_relu(torch.ones(2), 2**70)
        F.leaky_relu(torch.ones(2), -(2**70))
        F.leaky_relu(torch.ones(2), 1e300)
        F.elu(torch.ones(2), 2**70)
        F.celu(torch.ones(2), 2**70)
        F.softplus(torch.ones(2), 1, 2**70)
        torch.tensor([1]) + (-(2**63) - 1)
        torch.tensor([1, 2**63])
        torch.tensor([1.0, 2**63])
        torch.tensor([[1, 2], [3, 2**64]])
        torch.tensor([1.5, 2.0**40], dtype=torch.int64)
        torch.ones(2) + (2**64 - 1)
        torch.ones(2) == 2**63
        """),
    )


def bordered_and_weighed(torch):
    """What surrounds a tensor, and what products are multiplied by."""
    inf, seen, pad = float("inf"), {}, torch.nn.functional.pad
    for name in ("uint8", "int8", "int32", "int64", "float16", "float32", "bool"):
        x = torch.ones(2, dtype=getattr(torch, name))
        for number in (inf, 1e300, 1e10, 300, -1, 2.7, 2**40):
            seen[f"{name} {number}"] = [
                str(outcome(lambda: pad(x, (1, 0), value=number))),  # noqa: B023
                str(outcome(lambda: torch.addcmul(x, x, x, value=number))),  # noqa: B023
                str(outcome(lambda: torch.addcdiv(x, x, x, value=number))),  # noqa: B023
            ]
    return seen


def copied(torch):
    numbers = 1e10, -1e10, float("nan"), 1e300, -1.5, 300, 2**40, 2**63, True
    dtypes = torch.int32, torch.int64, torch.float16, torch.float32, torch.bool
    return [str(torch.ones(1, dtype=dtype).copy_(each)) for dtype in dtypes for each in numbers]


def too_large_numbers(torch):
    return shown(
        torch,
        """
        X.sum(2**63)
        X.sum(-2**63 - 1)
        X.transpose(2**64, 0)
        X.unsqueeze(2**63)
        torch.zeros(3).random_(2**63)
        torch.zeros(3).random_(0, 2**63)
        torch.zeros(3).random_(-2**63 - 1, 3)
        torch.zeros(3).resize_(-1)
        torch.zeros(3).resize_(2, -1)
        torch.zeros(3).resize_(-2, -3)
        torch.zeros(3).resize_(2**40, 2**40)
        """,
    )


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
