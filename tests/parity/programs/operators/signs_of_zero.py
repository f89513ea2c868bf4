"""Which zero comes out, as its reciprocal tells, and what zeros and infinities do to gradients."""

from tests.parity.sessions import shown

_VALUES = [0.0, -0.0, 1.0, -1.0, 3.5]


def of_what_is_kept_or_bounded(torch):
    x = torch.tensor(_VALUES)
    bounded = x.relu(), x.clamp(min=0), x.clamp(max=0), x.clamp(0, 1), x.clamp(-1, 0)
    return [1 / each for each in (*bounded, torch.tensor(-0.0).relu())]


def of_remainders(torch):
    x, y = torch.tensor(_VALUES)[:, None], torch.tensor([1.0, -1.0, 0.5, -0.5])
    return [
        1 / torch.remainder(x, y),
        1 / torch.remainder(x, -0.5),
        1 / torch.remainder(-2.0, y),
        1 / (torch.tensor(-0.0) % 2),
        torch.tensor([-4, 4, 5]) % torch.tensor([2, -2, -2]),
    ]


def gradients_of_products_with_zeros(torch):
    def gradient(values, create_graph=False):
        x = torch.tensor(values, requires_grad=True)
        return torch.autograd.grad(x.prod(), x, create_graph=create_graph)[0].detach()

    infinite = [0.0, 0.0, 2.0, float("inf")]
    return [
        gradient(infinite),
        gradient(infinite, create_graph=True),
        gradient([0.0, 2.0, float("inf")]),
        gradient([0.0, 3.0, 0.0]),
    ]


def gradients_of_infinite_bounds(torch):
    x = torch.tensor([0.0, float("inf"), -float("inf")], requires_grad=True)
    y = torch.tensor([float("inf"), float("inf"), 0.0], requires_grad=True)
    bounds = {"min": y}, {"max": -y}, {"min": y, "max": y + 1}, {"min": -y, "max": y}
    return [torch.autograd.grad(x.clamp(**each).sum(), (x, y)) for each in bounds]


def roots_in_denominators(torch):
    zeros = [-0.0, 0.0]
    dtypes = torch.float16, torch.float32, torch.float64
    return [
        [torch.tensor(zeros, dtype=d).rsqrt(), *[torch.tensor(z, dtype=d).rsqrt() for z in zeros]]
        for d in dtypes
    ]


def of_extremes_of_few(torch):
    """The first of equals; many are compared several at once, in which it may be the second."""
    found = []
    for dtype in (torch.float16, torch.float32, torch.float64):
        x, y = torch.tensor([0.0, -0.0], dtype=dtype), torch.tensor([-0.0, 0.0], dtype=dtype)
        extremes = (
            torch.maximum(x, y), torch.minimum(x, y), torch.maximum(x[0], y[0]), torch.max(y, x),
            torch.fmax(x, y), torch.fmin(y, x), x.clamp(y, y), x.clamp(min=y), y.clamp(max=x),
            torch.maximum(x / 0, y), torch.fmin(x / 0, y),
        )  # fmt: skip
        found.append([1 / each for each in extremes])
    return [*found, 1 / torch.tensor([-0.0, -0.0, 1.0]).cumsum(0)]


def of_extremes_over_dimensions(torch):
    """The first of equals, in whatever order dimensions are reduced."""
    x = torch.tensor(
        [[[-0.0, 0.0], [0.0, -0.0], [-1.0, 0.0]], [[0.0, -0.0], [-0.0, 1.0], [2.0, 0.0]]]
    )
    found = []
    for extreme in (torch.amax, torch.amin):
        for dims in ((), 0, 1, (0, 2), (1, 2)):
            for keepdim in (False, True):
                found.append(1 / extreme(x, dims, keepdim))
                found.append(1 / extreme(-x.half(), dims, keepdim))
    for dim in (0, 1, 2):
        found.extend(1 / each for each in torch.aminmax(x, dim=dim))
    return [*found, 1 / torch.amax(torch.tensor(-0.0), 0)]


def of_tangents_beside_constants(torch):
    forward_ad = torch.autograd.forward_ad
    c = torch.tensor([2.0, -3.0, 4.0])
    wanted = torch.tensor([0.0, -0.0, 1.0], requires_grad=True)
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(3), wanted.detach())
        y = forward_ad.make_dual(torch.ones(3), wanted)
        sums = (c + x, x + c, c.double() + x, torch.add(c, x, alpha=-2.0), c.clone().add_(x))
        differences = (c - x, x - c, 2 - x, x - 2, torch.rsub(c, x), torch.rsub(x, c, alpha=2.0))
        more = (torch.sub(c, x, alpha=2.0), c.clone().sub_(x), x.clone().sub_(c), (c - x).abs())
        tangents = [forward_ad.unpack_dual(each).tangent for each in (*sums, *differences, *more)]
        recorded = [forward_ad.unpack_dual(each).tangent for each in (c - y, y - c, y - y, c + y)]
        return [str(each) for each in tangents], [str(each) for each in recorded]


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
