"""Numbers leave the range and become nan without a warning, forward and backward, one and many."""

from tests.parity.sessions import shown


def _results(torch, x):
    huge = x * 1e38 * 10
    other = huge - huge
    return [
        huge, other, huge * 0, huge / huge, x / 0, (x - x) / (x - x), (-x).sqrt(), (-x).log(),
        huge.exp(), huge.sin(), x**400.0, huge % 2, huge.half(), (x.double() * 1e300).float(),
        huge + -huge, other.sum(), torch.stack([huge, -huge]).sum(0), huge.softmax(-1),
        other.maximum(x), torch.addcmul(x, huge, other), huge.reshape(-1, 1) @ other.reshape(1, -1),
        huge.var(correction=0), torch.nn.functional.layer_norm(huge, huge.shape),
    ]  # fmt: skip


def vectors(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [str(each.detach()) for each in _results(torch, x)]


def numbers(torch):
    x = torch.tensor(2.0, requires_grad=True)
    huge = x * 1e38 * 10
    return [str(each.detach()) for each in (huge, huge - huge, huge * 0, huge / huge, x / 0, -huge)]


def backward(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    found = []
    for z in _results(torch, x):
        if z.is_floating_point():
            (slope,) = torch.autograd.grad(z.float().sum() * 1e38, x, retain_graph=True)
            found.append(str(slope.isfinite()))
    return found


def in_place(torch):
    x = torch.full((3,), 3e38)
    return [str(each) for each in (x.clone().mul_(10), x.clone().add_(x), x.clone().mul_(10).sub_(
        x * 10), x.clone().div_(0), x.half(), x.clone().copy_(x.double() * 100))]  # fmt: skip


def gradients_that_meet(torch):
    x = torch.tensor([1.0], requires_grad=True)
    for sign in (1, -1):
        (x * 1e38 * 10 * sign).sum().backward(torch.tensor(10.0))
    return str(x.grad)


def by_lone_numbers_out_of_range(torch):
    x = torch.tensor([1.0, 2.0], dtype=torch.float16)
    return [str(each) for each in (x + 70000, x * 1e6, x == 1e6, x < 1e6, 70000 - x, x / 1e-9)]


def numbers_out_of_a_function_s_domain(torch):
    """Lone numbers, which are computed by Python's functions, where those raise."""
    return shown(
        torch,
        """
        t(-1.).log(), t(0.).log(), t(-1.).log1p(), t(-2.).log1p(), t(0.).log2(), t(-1.).log10()
        t(1000.).exp(), t(1000.).expm1(), t(1e4).exp2(), t(1e4).cosh(), t(-1e4).sinh()
        t(2., dtype=torch.float64).asin(), t(-2.).acos(), t(inf).sin(), t(-inf).cos(), t(inf).tan()
        t(-1.).sqrt(), t(-1.).rsqrt(), t(0.).rsqrt(), t(inf).rsqrt(), t(0.).reciprocal()
        t(nan).exp(), t(nan).log(), t(inf).tanh(), t(-inf).sigmoid(), t(1e6).erf()
        """,
    )


def gradients_beside_what_is_not_finite(torch):
    x = torch.tensor([1.0, float("inf"), 2.0], requires_grad=True)
    y = torch.tensor([float("nan"), 1.0], requires_grad=True)
    places = torch.tensor([0, 0])
    return [
        torch.autograd.grad(x.scatter_reduce(0, places, y, how), [x, y], torch.ones(3))
        for how in ("sum", "mean")
    ]


def infinite_means_beside_a_spread(torch):
    """A mean that is found one number after the other leaves infinity again, for nan."""
    inf, found = float("inf"), []
    for rows in ([[1.0, inf], [2.0, 3.0]], [[inf, 1.0], [inf, inf]], [[1.0, -inf], [4.0, inf]]):
        for dim in ((), 0, 1):
            found.append(torch.var_mean(torch.tensor(rows), dim, keepdim=True))
            found.append(torch.std_mean(torch.tensor(rows).double(), dim))
    return str([*found, torch.var_mean(torch.tensor([inf]), correction=0)])


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


def norms_of_what_is_too_large_to_square(torch):
    return shown(
        torch,
        """
        big, small = torch.full((2, 1), 1e30), torch.full((2, 1), 1e-30)
        big.norm(), big.norm(3), big.norm(1), big.norm(inf), big.norm(-2), big.norm(0.5)
        small.norm(), small.norm(dim=1), big.norm(dim=1), big[0].norm(), big.norm(dim=0)
        big.double().norm(), torch.full((2,), 6e4).half().norm()
        """,
    )
