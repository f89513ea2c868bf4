"""How tensors print."""

import math

from tests.parity.sessions import shown


def _shown(*tensors):
    return [str(tensor) for tensor in tensors]


def scalars(torch):
    t = torch.tensor
    return _shown(
        t(1.0), t(1.5), t(-2.0), t(0.6303), t(0.63034567), t(100000.0), t(1234567.0), t(0.0),
        t(-0.0), t(1e-5), t(1e10), t(3), t(-3), t(True), t(False), t(123456789),
    )  # fmt: skip


def vectors(torch):
    t = torch.tensor
    return _shown(
        t([1.0, 2.0]),
        t([1.0, -2.0]),
        t([0.5, 100.25]),
        t([1.123456, 2.0]),
        t([1, -20, 300]),
        t([True, False]),
        t([0.1]),
        t([1000.0, 0.001]),
    )


def matrices(torch):
    t = torch.tensor
    return _shown(
        t([[1.0, 2.0], [3.0, 4.0]]),
        t([[1.5, -2.0], [3.0, 4.25]]),
        t([[1, 20], [-300, 4]]),
        t([[True, False], [False, True]]),
        t([[1.0]]),
    )


def three_dimensions(torch):
    return _shown(torch.ones(2, 2, 2), torch.arange(8).reshape(2, 2, 2), torch.zeros(1, 2, 1, 2))


def empty(torch):
    t = torch.tensor
    return _shown(
        t([]),
        torch.zeros(0, 3),
        torch.zeros(2, 0),
        t([], dtype=torch.int64),
        torch.zeros(0, dtype=torch.float64),
        torch.zeros(0, requires_grad=True),
    )


def other_dtypes(torch):
    return _shown(
        torch.tensor(1.0, dtype=torch.float64),
        torch.tensor([0.1, 0.2], dtype=torch.float64),
        torch.tensor([1, 2], dtype=torch.int32),
        torch.tensor([[0.5], [0.25]], dtype=torch.float64),
    )


def place_in_the_graph(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    d = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    return _shown(x, x * 2, (x * 2).sum(), d, d * d, x.detach(), torch.log(x), x.view(2, 1), x[0])


def place_in_the_graph_by_a_custom_function(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return _shown(Twice.apply(torch.tensor([1.0, 2.0], requires_grad=True)))


def nan_and_infinity(torch):
    inf, nan = math.inf, math.nan
    t = torch.tensor
    return _shown(
        t(inf), t(-inf), t(nan), t([1.0, inf]), t([nan, 1.0, -inf]), t([nan, 0.25]), t([inf, 1e10])
    )


def scientific_notation(torch):
    t = torch.tensor
    return _shown(
        t([1e-5, 1.0]),
        t([1e8, 1.0]),
        t([1e9]),
        t([1.5e9, 2.0]),
        t([12345678.5, 1.0]),
        t([1e-8, 1e-9]),
        t([1e-10]),
        t([0.00012, 0.5]),
        t([99999.5, 0.25]),
        t([100000000.0, 1.0]),
        t([-1e-20, 1e20]),
    )


def integral_floats(torch):
    t = torch.tensor
    return _shown(t([1.0, 10.0, 100.0]), t([1e5, 1.0]), t([123456.0]), t([-1.0, 0.0]), t([-0.0]))


def long_rows_wrap(torch):
    return _shown(torch.arange(40), torch.arange(30.0) / 7, torch.arange(60).reshape(2, 30))


def large_tensors_are_summarised(torch):
    return _shown(
        torch.arange(1001),
        torch.arange(1000)[-3:],
        torch.zeros(50, 30),
        torch.arange(2000.0).reshape(2, 1000),
        torch.arange(1500.0, requires_grad=True),
    )


def long_rows_with_a_suffix(torch):
    x = torch.tensor([1.23456, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], requires_grad=True)
    return _shown(x * 1, torch.ones(4, 6, requires_grad=True), (x.double() * 1))


def repr_is_str(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return [repr(x), repr([x, torch.tensor(1)])]


def format_of_scalars(torch):
    x = torch.tensor(0.33239537)
    y = torch.tensor(2.5, requires_grad=True)
    return [
        f"{x}",
        f"{x:.4f}",
        f"{x:8.2f}",
        f"{torch.tensor(3)}",
        f"{torch.tensor(3):>4}",
        f"{y}",
        f"{y * 2}",
        f"{torch.tensor([1.0])}",
        f"{torch.tensor(True)}",
    ]


def gradients(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    return _shown(x.grad)


def stale_views(torch):
    return shown(
        torch,
        """
        y = torch.ones(3, requires_grad=True) * 1
        a, b = y.chunk(2)
        with torch.no_grad(): v = y[:2]
        y.mul_(2)
        a
        v.add_(1)
        b.add_(1)
        """,
    )
