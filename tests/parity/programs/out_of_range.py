"""Numbers leave the range and become nan without a warning, forward and backward, one and many."""


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
