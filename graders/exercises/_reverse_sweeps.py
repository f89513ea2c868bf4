"""Sweeps through the document's function, right and wrong, for `graph-reverse`."""

from __future__ import annotations

import numpy as np

import autograd_core as torch


def reverse_mode(x1, x2):
    """Return z and its derivatives with respect to x1 and x2."""
    from math import cos, log, sin

    y1 = x1 * x2
    y2 = log(y1)
    y3 = sin(y1)
    dz_dy2 = y3
    dz_dy3 = y2
    dz_dy1 = dz_dy2 / y1 + dz_dy3 * cos(y1)
    return y2 * y3, dz_dy1 * x2, dz_dy1 * x1


def accumulating(a: float, b: float) -> list[float]:
    import math

    grads = dict.fromkeys(["a", "b", "p", "log", "sin"], 0.0)
    p = a * b
    branches = {"log": math.log(p), "sin": math.sin(p)}
    grads["log"] += branches["sin"]
    grads["sin"] += branches["log"]
    grads["p"] += grads["sin"] * math.cos(p)
    grads["p"] += grads["log"] * (1 / p)
    grads["a"] += grads["p"] * b
    grads["b"] += grads["p"] * a
    print(grads)
    return [branches["log"] * branches["sin"], grads["a"], grads["b"]]


def with_numpy(x1, x2):
    y = np.float32(x1 * x2)
    upstream = np.sin(y) / y + np.log(y) * np.cos(y)
    return np.array([np.log(y) * np.sin(y), upstream * x2, upstream * x1])


def with_tensors(x1, x2):
    x1, x2 = torch.tensor(float(x1)), torch.tensor(float(x2))
    y1 = x1 * x2
    g = y1.sin() / y1 + y1.log() * y1.cos()
    return y1.log() * y1.sin(), g * x2, g * x1


def numbers(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 + log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def named(x1, x2):
    from collections import namedtuple

    z, to_x1, to_x2 = numbers(x1, x2)
    return namedtuple("Slopes", "z, x1, x2")(x2=to_x2, x1=to_x1, z=z)


def in_degrees(x1, x2):
    from math import cos, log, radians, sin

    y1 = x1 * x2
    angle = radians(y1)
    back = sin(angle) / y1 + log(y1) * cos(angle)
    return log(y1) * sin(angle), back * x2, back * x1


def only_the_sine(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def only_the_logarithm(x1, x2):
    from math import log, sin

    y1 = x1 * x2
    back = sin(y1) / y1
    return log(y1) * sin(y1), back * x2, back * x1


def swapped(x1, x2):
    z, to_x1, to_x2 = numbers(x1, x2)
    return z, to_x2, to_x1


def slopes_without_the_other_factor(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = 1 / y1 + cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def each_its_own_factor(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = log(y1) / y1 + sin(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def begins_with_the_value(x1, x2):
    z, to_x1, to_x2 = numbers(x1, x2)
    return z, z * to_x1, z * to_x2


def stops_at_the_product(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 + log(y1) * cos(y1)
    return log(y1) * sin(y1), back, back


def stops_at_the_branches(x1, x2):
    from math import log, sin

    y2, y3 = log(x1 * x2), sin(x1 * x2)
    return y2 * y3, y3, y2


def multiplies_the_ways(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = (sin(y1) / y1) * (log(y1) * cos(y1))
    return log(y1) * sin(y1), back * x2, back * x1


def slope_times_slope(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = cos(y1) / y1
    return log(y1) * sin(y1), back * x2, back * x1


def minus_the_cosine(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 - log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def slopes_at_the_outputs(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    y2, y3 = log(y1), sin(y1)
    back = y3 / y2 + y2 * cos(y3)
    return y2 * y3, back * x2, back * x1


def forgets_the_slopes_of_the_branches(x1, x2):
    from math import log, sin

    y1 = x1 * x2
    back = sin(y1) + log(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def adds_at_the_end(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = 1 / y1 + cos(y1)
    return log(y1) + sin(y1), back * x2, back * x1


def value_last(x1, x2):
    z, to_x1, to_x2 = numbers(x1, x2)
    return to_x1, to_x2, z


def gradients_only(x1, x2):
    return numbers(x1, x2)[1:]


def prints_only(x1, x2):
    print(*numbers(x1, x2))


def the_documents_numbers(x1, x2):
    return numbers(1, 2)


def splits_the_logarithm(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    y2 = log(x1) + log(x2)
    back = sin(y1) / y1 + y2 * cos(y1)
    return y2 * sin(y1), back * x2, back * x1


def asks_the_engine(x1, x2):
    x1 = torch.tensor(float(x1), requires_grad=True)
    x2 = torch.tensor(float(x2), requires_grad=True)
    z = torch.log(x1 * x2) * torch.sin(x1 * x2)
    z.backward()
    return z.item(), x1.grad.item(), x2.grad.item()


def by_differences(x1, x2):
    from math import log, sin

    def z(x1, x2):
        return log(x1 * x2) * sin(x1 * x2)

    h = 1e-6
    to_x1 = (z(x1 + h, x2) - z(x1 - h, x2)) / (2 * h)
    to_x2 = (z(x1, x2 + h) - z(x1, x2 - h)) / (2 * h)
    return z(x1, x2), to_x1, to_x2


def by_differences_to_one_side(x1, x2):
    from math import log, sin

    def z(x1, x2):
        return log(x1 * x2) * sin(x1 * x2)

    h = 1e-7
    here = z(x1, x2)
    return here, (z(x1 + h, x2) - here) / h, (z(x1, x2 + h) - here) / h


def by_a_complex_step(x1, x2):
    from cmath import log, sin

    def z(x1, x2):
        return log(x1 * x2) * sin(x1 * x2)

    step = 1e-30
    to_x1, to_x2 = (z(x1 + step * 1j, x2), z(x1, x2 + step * 1j))
    return z(x1, x2).real, to_x1.imag / step, to_x2.imag / step
