"""Differences and complex steps are noticed at any step, and no sweep is taken for them."""

import cmath
import math

import numpy as np
import pytest

import autograd_core as torch
from graders.exercise import load
from graders.selftest import SEEDS, judged

EXERCISE = load("graph-reverse")


def z(x1, x2):
    return math.log(x1 * x2) * math.sin(x1 * x2)


def central(step, relative=False):
    def reverse_mode(x1, x2):
        one, other = (step * abs(x) if relative else step for x in (x1, x2))
        to_x1 = (z(x1 + one, x2) - z(x1 - one, x2)) / (2 * one)
        to_x2 = (z(x1, x2 + other) - z(x1, x2 - other)) / (2 * other)
        return z(x1, x2), to_x1, to_x2

    return reverse_mode


def forward(step):
    def reverse_mode(x1, x2):
        here = z(x1, x2)
        return here, (z(x1 + step, x2) - here) / step, (z(x1, x2 + step) - here) / step

    return reverse_mode


def five_points(x1, x2):
    def slope(at, h=1e-3):
        return (at(-2 * h) - 8 * at(-h) + 8 * at(h) - at(2 * h)) / (12 * h)

    return z(x1, x2), slope(lambda h: z(x1 + h, x2)), slope(lambda h: z(x1, x2 + h))


def half_by_differences(x1, x2):
    y1 = x1 * x2
    back = math.sin(y1) / y1 + math.log(y1) * math.cos(y1)
    return z(x1, x2), back * x2, (z(x1, x2 + 1e-6) - z(x1, x2 - 1e-6)) / 2e-6


DIFFERENCES = {
    **{f"central {step:g}": central(step) for step in (1e-3, 1e-5, 1e-6, 1e-7, 2.0**-20)},
    **{f"relative {step:g}": central(step, True) for step in (1e-4, 1e-6, 2e-11, 2.0**-20)},
    **{f"forward {step:g}": forward(step) for step in (1e-6, 1e-8)},
    "five points": five_points,
    "for one of two": half_by_differences,
}


def complex_step(step, log=cmath.log, sin=cmath.sin):
    def reverse_mode(x1, x2):
        def at(x1, x2):
            return log(x1 * x2) * sin(x1 * x2)

        to_x1, to_x2 = at(complex(x1, step), x2), at(x1, complex(x2, step))
        return z(x1, x2), to_x1.imag / step, to_x2.imag / step

    return reverse_mode


def rounded(reverse_mode):
    return lambda x1, x2: tuple(round(number, 8) for number in reverse_mode(x1, x2))


COMPLEX = {
    **{f"{step:g}": complex_step(step) for step in (1e-15, 1e-20, 1e-40, 1e-100, 1e-200)},
    "by NumPy": complex_step(1e-30, np.log, np.sin),
    "rounded": rounded(complex_step(1e-20)),
}


def in_single_precision(x1, x2):
    one, other = torch.tensor(x1, dtype=torch.float32), torch.tensor(x2, dtype=torch.float32)
    y1 = one * other
    back = torch.sin(y1) / y1 + torch.log(y1) * torch.cos(y1)
    return (torch.log(y1) * torch.sin(y1)).item(), (back * other).item(), (back * one).item()


def in_arrays_of_one_element(x1, x2):
    one, other = np.array([x1], np.float32), np.array([x2], np.float32)
    y1 = one * other
    back = np.sin(y1) / y1 + np.log(y1) * np.cos(y1)
    return np.log(y1) * np.sin(y1), back * other, back * one


def with_nodes(x1, x2):
    class Node:
        def __init__(self, value, *edges):
            self.value, self.edges, self.grad = value, edges, 0.0

    one, other = Node(x1), Node(x2)
    y1 = Node(x1 * x2, (one, x2), (other, x1))
    y2 = Node(math.log(y1.value), (y1, 1 / y1.value))
    y3 = Node(math.sin(y1.value), (y1, math.cos(y1.value)))
    end = Node(y2.value * y3.value, (y2, y3.value), (y3, y2.value))
    end.grad = 1.0
    for node in (end, y3, y2, y1):
        for before, slope in node.edges:
            before.grad += node.grad * slope
    return end.value, one.grad, other.grad


def with_bars(x1, x2):
    y1 = x1 * x2
    y2, y3 = math.log(y1), math.sin(y1)
    y2_bar, y3_bar = 1.0 * y3, 1.0 * y2
    y1_bar = 0.0
    y1_bar += y3_bar * math.cos(y1)
    y1_bar += y2_bar * y1**-1
    return tuple(map(float, [y2 * y3, y1_bar * x2, y1_bar * x1]))


def by_the_factors(x1, x2):
    y1 = x1 * x2
    to_log, to_sin = math.sin(y1), math.log(y1)
    shared = to_sin * math.cos(y1)
    return to_log * to_sin, to_log * (1 / x1) + shared * x2, to_log / x2 + x1 * shared


def multiplying_first(x1, x2):
    y1 = x1 * x2
    y2, y3 = math.log(y1), math.sin(y1)
    to_x1 = y3 * x2 / y1 + y2 * math.cos(y1) * x2
    to_x2 = y3 * x1 / y1 + y2 * math.cos(y1) * x1
    return y2 * y3, to_x1, to_x2


def on_one_denominator(x1, x2):
    y1 = x1 * x2
    above = math.sin(y1) + y1 * math.log(y1) * math.cos(y1)
    return math.log(y1) * math.sin(y1), above * x2 / y1, above * x1 / y1


def told_in_single_precision(x1, x2):
    return torch.tensor(with_nodes(x1, x2))


SWEEPS = [in_single_precision, in_arrays_of_one_element, with_nodes, with_bars, by_the_factors]
SWEEPS += [multiplying_first, on_one_denominator, told_in_single_precision, rounded(with_bars)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_steps_are_noticed_however_small(name, seed):
    verdict = judged(EXERCISE, COMPLEX[name], seed)

    assert (verdict.status, verdict.misconception) == ("partial", "complex-step")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_are_noticed_whatever_their_step(name, seed):
    verdict = judged(EXERCISE, DIFFERENCES[name], seed)

    assert verdict.status == "partial"
    if not name.endswith("0.001"):  # which is not even right in five digits
        sides = "one-sided" if name.startswith("forward") else "finite"
        assert verdict.findings == (f"{sides}-differences",)


@pytest.mark.parametrize("seed", [*SEEDS, 17, 18, 19, 20])
@pytest.mark.parametrize("sweep", SWEEPS)
def test_a_sweep_in_any_style_is_none_of_them(sweep, seed):
    assert judged(EXERCISE, sweep, seed).status == "passed"
