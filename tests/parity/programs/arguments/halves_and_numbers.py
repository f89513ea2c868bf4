"""Halves beside lone numbers, numbers too large for a dtype, and what else stands there."""

import numpy as np

from tests.parity.harness import outcome

_HALVES = [0.0, 1.5, -2.5, 1000.0, 60000.0, 0.1]


def rounded_to_half_at_the_end(torch):
    x = torch.tensor(_HALVES, dtype=torch.float16)
    found = []
    for number in (0.1, 1e5, 70000, 1e-9, -7.7, 2**40):
        results = [x * number, x / number, number / x, x // number, x.clone().mul_(number)]
        results += [torch.div(x, number, rounding_mode="trunc"), x + number, x - number]
        found += [str(each) for each in (*results, x * torch.tensor(number, dtype=torch.float64))]
    return found


def gradients_of_halves(torch):
    x = torch.tensor(_HALVES, dtype=torch.float16, requires_grad=True)
    (x * 65536 / 65536).sum().backward()
    return str(x.grad)


def too_large_for_the_result(torch):
    halves, whole = torch.tensor(_HALVES, dtype=torch.float16), torch.tensor([1, 2, 3])
    small = whole.to(torch.int8)
    return [
        outcome(call)
        for call in (
            lambda: small**300, lambda: small.clone().pow_(-300.0), lambda: whole**2**63,
            lambda: halves**1e5, lambda: torch.add(small, 1, alpha=300),
            lambda: torch.sub(halves, halves, alpha=1e6), lambda: small.clone().add_(1, alpha=-300),
            lambda: torch.where(halves > 1, halves, 1e6), lambda: torch.where(whole > 1, 1e40, 0),
            lambda: halves.clone().__setitem__(0, 1e6),
        )
    ]  # fmt: skip


def numbers_of_numpy(torch):
    x = torch.tensor([3, -4, 5])
    true, byte, wide = np.bool_(True), np.uint8(200), np.float64(2.5)
    return [
        outcome(call)
        for call in (
            lambda: x + true, lambda: true * x, lambda: x - true, lambda: x**true,
            lambda: x.clone().add_(true), lambda: x & true, lambda: true % x, lambda: wide // x,
            lambda: wide % x, lambda: x // wide, lambda: byte >> (x > 0), lambda: byte // x,
            lambda: byte & x, lambda: torch.isin(x, true), lambda: byte << x.to(torch.int8),
        )
    ]  # fmt: skip


def truth_values_are_in_nothing(torch):
    x = torch.tensor([True, False])
    return [
        outcome(call)
        for call in (
            lambda: torch.isin(x, x), lambda: torch.isin(torch.tensor([1.0, 0.0]), x),
            lambda: torch.isin(x, 1), lambda: torch.isin(torch.tensor([1, 2]), True),
            lambda: torch.isin(torch.tensor([1, 2]), 2.0),
        )
    ]  # fmt: skip


def shapes_come_as_one(torch):
    x = torch.arange(4)
    return [
        outcome(call)
        for call in (
            lambda: torch.reshape(x, -1), lambda: torch.reshape(x, 2, 2), lambda: torch.reshape(x),
            lambda: torch.reshape(x, (2, 2)), lambda: torch.reshape(x, shape=[4, 1]),
            lambda: x.reshape(2, 2), lambda: x.reshape(-1),
        )
    ]  # fmt: skip


def a_number_transposed(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x.T
    (y * 2).backward()
    return y, x.grad


def contents_given(torch):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    return x.__repr__(tensor_contents="..."), x[:0].__repr__(tensor_contents="")


def steps_to_infinity(torch):
    found = []
    for optimizer in (torch.optim.SGD, torch.optim.Adam):
        for slope in (float("inf"), float("nan")):
            x = torch.tensor([1.0], requires_grad=True)
            x.grad = torch.tensor([slope])
            optimizer([x], lr=10.0, weight_decay=0.1).step()
            found.append(str(x))
    return found


def logarithms_of_softmax(torch):
    x = torch.linspace(-4.0, 9.0, 60).reshape(4, 15).half().requires_grad_()
    found = []
    for z in (x.log_softmax(1), x.log_softmax(0), x[0].log_softmax(0), x[0, 0].log_softmax(0)):
        x.grad = None
        (z * z.detach()).sum().backward()
        found += [str(z), str(x.grad)]
    return found


def halves_of_wider_numbers(torch):
    # Nearly halfway between two halves, and wholly so as numbers of 32 bits.
    given = [1.1967773437599867, -1.1987304687311, 1.0004882812600001, 0.914794921860001]
    wide = torch.tensor(given, dtype=torch.float64)
    leaf = torch.zeros(4, dtype=torch.float16, requires_grad=True)
    (leaf.double() * wide).sum().backward()
    written = torch.zeros(4, dtype=torch.float16)
    written[:] = wide
    made = [
        torch.tensor(given, dtype=torch.float16),
        torch.tensor(np.array(given), dtype=torch.float16),
        torch.tensor(given[0], dtype=torch.float16),
        torch.as_tensor(given, dtype=torch.float16),
        torch.from_numpy(np.array(given)).half(),
        wide.to(torch.float16),
        wide.expand(2, 4).half(),
        torch.zeros(4, dtype=torch.float16).copy_(wide),
        torch.cat([written[:1], wide.half()]),
        written,
        leaf.grad,
    ]
    return [each.tolist() for each in made]


def numbers_of_numpy_that_overflow(torch):
    # Without a warning of NumPy's.
    given = np.array([1e300, 70000.0, -65519.99, float("nan")])
    return [
        make(given, dtype=dtype)
        for make in (torch.tensor, torch.as_tensor, lambda a, dtype: torch.from_numpy(a).to(dtype))
        for dtype in (torch.float16, torch.float32)
    ]
