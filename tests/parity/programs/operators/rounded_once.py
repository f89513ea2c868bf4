"""Sums of a number and a product, where rounding the product would leave nothing of the result."""

DTYPES = ("float16", "float32")


def _operands(torch, dtype):
    x = torch.linspace(-3.0, 3.0, 64, dtype=torch.float64).to(getattr(torch, dtype))
    factor = torch.linspace(0.1, 2.3, 64, dtype=torch.float64).to(getattr(torch, dtype))
    # All but what the product loses when it is rounded.
    return x, factor, -(x * factor)


def scaled_additions(torch):
    def of(dtype):
        x, _, _ = _operands(torch, dtype)
        lost = -(x * 0.3)
        return [
            torch.add(lost, x, alpha=0.3),
            torch.sub(lost, x, alpha=-0.3),
            lost.clone().add_(x, alpha=0.3),
            lost.clone().sub_(x, alpha=-0.3),
            torch.add(x, 0.7, alpha=0.3),
            lost[:21].add(x[:21], alpha=0.3),
        ]

    return {dtype: of(dtype) for dtype in DTYPES}


def products_added(torch):
    def of(dtype):
        x, factor, lost = _operands(torch, dtype)
        return [
            torch.addcmul(lost, x, factor),
            torch.addcmul(lost * 0.5, x, factor, value=0.5),
            lost.clone().addcmul_(x, factor),
            torch.addcdiv(lost, x, factor, value=0.7),
        ]

    return {dtype: of(dtype) for dtype in DTYPES}


def ways_between(torch):
    def of(dtype):
        x, factor, lost = _operands(torch, dtype)
        return [
            torch.lerp(x, lost, 0.3),
            torch.lerp(x, lost, 0.7),
            torch.lerp(x, lost, factor),
            x.clone().lerp_(lost, 0.1),
            torch.lerp(x, x * -0.25, 0.8),
        ]

    return {dtype: of(dtype) for dtype in DTYPES}


def numbers_and_whole_numbers(torch):
    whole, bytes_ = torch.tensor([1, 2]), torch.tensor([1, 2], dtype=torch.uint8)
    truth = torch.tensor([True, False])
    x = torch.ones(2, requires_grad=True)
    return [
        bytes_.sub(torch.tensor([3, 4], dtype=torch.uint8), alpha=2),
        bytes_.add(300, alpha=2),
        whole.sub(3, alpha=2),
        whole.add(1.5, alpha=2),
        truth.add(truth, alpha=True),
        truth.add(True, alpha=False),
        torch.addcmul(whole, whole, whole, value=2),
        torch.ones(2, dtype=torch.float16).addcdiv(torch.tensor(2.0), truth),
        [len(each.grad_fn.next_functions) for each in (x.add(2, alpha=3), x.sub(2.5, alpha=2))],
    ]


def what_takes_no_whole_numbers(torch):
    whole, truth = torch.tensor([1, 2]), torch.tensor([True])
    refused = []
    for call in (lambda: torch.addcmul(truth, truth, truth), lambda: whole.lerp_(whole, whole)):
        try:
            call()
        except NotImplementedError as error:
            refused.append(str(error))
    return refused


def scales_that_wrap_around(torch):
    import numpy as np

    bytes_ = torch.tensor([2], dtype=torch.uint8)
    return [
        bytes_.add(torch.tensor([3], dtype=torch.uint8), alpha=-2),
        bytes_.add(3, alpha=-2),
        bytes_.sub(3, alpha=-2),
        bytes_.clone().add_(bytes_, alpha=-1),
        torch.tensor([2.0]).add(3, alpha=np.float32(0.5)),
        torch.tensor([2]).add(3, alpha=np.int32(2)),
    ]


def slopes_where_nothing_rises(torch):
    def of(dtype):
        x = torch.tensor([0.1, -0.99, 3.0, -5.0, 8.0, 9.0], dtype=dtype, requires_grad=True)
        (slope,) = torch.autograd.grad(x.tanh().sum(), x)
        return slope

    return of(torch.float32)


def uniform_doubles(torch):
    torch.manual_seed(0)
    drawn = [torch.empty(20, dtype=torch.float64).uniform_(-bound, bound) for bound in (0.3, 1.7)]
    return [*drawn, torch.nn.Linear(3, 4, dtype=torch.float64).weight]


def steps_of_optimizers(torch):
    def stepped(make, start, *gradients):
        leaf = start.clone().requires_grad_()
        optimizer = make([leaf])
        for gradient in gradients:
            leaf.grad = gradient
            optimizer.step()
        return leaf.detach(), optimizer.state[leaf]

    x, _, _ = _operands(torch, "float32")
    sgd, adam = torch.optim.SGD, torch.optim.Adam
    by_sgd, _ = stepped(lambda leaves: sgd(leaves, lr=0.3), x * 0.3, x)
    damped = {"lr": 1.0, "momentum": 1.0, "dampening": 0.7}
    _, velocity = stepped(lambda leaves: sgd(leaves, **damped), x, x * -0.3, x)
    _, mean = stepped(adam, x, x, x * -0.9)
    return by_sgd, velocity["momentum_buffer"], mean["exp_avg"]
