"""`graph-reverse`: the reverse sweep through the document's function, written by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import case, positive


def reverse_mode(x1, x2):
    """Return z and its derivatives towards x1 and x2."""
    from math import cos, log, sin

    y1 = x1 * x2
    y2 = log(y1)
    y3 = sin(y1)
    dz_dy2 = y3
    dz_dy3 = y2
    dz_dy1 = dz_dy2 / y1 + dz_dy3 * cos(y1)
    return y2 * y3, dz_dy1 * x2, dz_dy1 * x1


def _accumulating(a: float, b: float) -> list[float]:
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


def _with_numpy(x1, x2):
    y = np.float32(x1 * x2)
    upstream = np.sin(y) / y + np.log(y) * np.cos(y)
    return np.array([np.log(y) * np.sin(y), upstream * x2, upstream * x1])


def _with_tensors(x1, x2):
    x1, x2 = torch.tensor(float(x1)), torch.tensor(float(x2))
    y1 = x1 * x2
    g = y1.sin() / y1 + y1.log() * y1.cos()
    return y1.log() * y1.sin(), g * x2, g * x1


def _numbers(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 + log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _named(x1, x2):
    from collections import namedtuple

    z, to_x1, to_x2 = _numbers(x1, x2)
    return namedtuple("Slopes", "z, x1, x2")(x2=to_x2, x1=to_x1, z=z)


def _only_the_sine(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _only_the_logarithm(x1, x2):
    from math import log, sin

    y1 = x1 * x2
    back = sin(y1) / y1
    return log(y1) * sin(y1), back * x2, back * x1


def _swapped(x1, x2):
    z, to_x1, to_x2 = _numbers(x1, x2)
    return z, to_x2, to_x1


def _slopes_without_the_other_factor(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = 1 / y1 + cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _each_its_own_factor(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = log(y1) / y1 + sin(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _stops_at_the_product(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 + log(y1) * cos(y1)
    return log(y1) * sin(y1), back, back


def _stops_at_the_branches(x1, x2):
    from math import log, sin

    y2, y3 = log(x1 * x2), sin(x1 * x2)
    return y2 * y3, y3, y2


def _multiplies_the_ways(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = (sin(y1) / y1) * (log(y1) * cos(y1))
    return log(y1) * sin(y1), back * x2, back * x1


def _slope_times_slope(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = cos(y1) / y1
    return log(y1) * sin(y1), back * x2, back * x1


def _minus_the_cosine(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = sin(y1) / y1 - log(y1) * cos(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _slopes_at_the_outputs(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    y2, y3 = log(y1), sin(y1)
    back = y3 / y2 + y2 * cos(y3)
    return y2 * y3, back * x2, back * x1


def _forgets_the_slopes_of_the_branches(x1, x2):
    from math import log, sin

    y1 = x1 * x2
    back = sin(y1) + log(y1)
    return log(y1) * sin(y1), back * x2, back * x1


def _adds_at_the_end(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    back = 1 / y1 + cos(y1)
    return log(y1) + sin(y1), back * x2, back * x1


def _value_last(x1, x2):
    z, to_x1, to_x2 = _numbers(x1, x2)
    return to_x1, to_x2, z


def _gradients_only(x1, x2):
    return _numbers(x1, x2)[1:]


def _prints_only(x1, x2):
    print(*_numbers(x1, x2))


def _the_documents_numbers(x1, x2):
    return _numbers(1, 2)


def _splits_the_logarithm(x1, x2):
    from math import cos, log, sin

    y1 = x1 * x2
    y2 = log(x1) + log(x2)
    back = sin(y1) / y1 + y2 * cos(y1)
    return y2 * sin(y1), back * x2, back * x1


def _asks_the_engine(x1, x2):
    x1 = torch.tensor(float(x1), requires_grad=True)
    x2 = torch.tensor(float(x2), requires_grad=True)
    z = torch.log(x1 * x2) * torch.sin(x1 * x2)
    z.backward()
    return z.item(), x1.grad.item(), x2.grad.item()


def three_numbers(function, lab):
    """Call the function, and look at the parts of what it returns that `parts` names."""
    places = {"value z": 0, "derivative dz_dx1": 1, "derivative dz_dx2": 2}
    for each in lab.cases():
        told = function(*each.arguments().values())
        try:
            # Whatever can be unpacked into three names will do.
            found = [] if issubclass(type(told), (dict, str)) else list(told)
        except TypeError:
            found = []
        counted = {1: "one number", 2: "two numbers", 3: "three numbers"}
        each.record("result", counted.get(len(found), each.kind_of(told)))
        if len(found) == 3:
            for part in lab.value("parts"):
                each.record(part, found[places[part]])


def without_recording(function, lab):
    """Call the function while the engine records nothing: a walk of one's own is not disturbed."""

    def numbers():
        told = function(lab.value("x1"), lab.value("x2"))
        try:
            return [float(each) for each in told]
        except (TypeError, ValueError):
            return []

    recorded = numbers()
    with lab.torch.inference_mode():
        try:
            found = numbers() == recorded
        except RuntimeError as error:
            found = "does not require grad" not in str(error)
            if found:
                raise
    lab.record("it finds its way without the engine's record", found)


def _points(*parts: str) -> Callable[[np.random.Generator], dict[str, object]]:
    def draw(rng: np.random.Generator) -> dict[str, object]:
        numbers = [float(each) for each in positive(rng, 4).astype(float).round(2)]
        cases = [
            case("the document's numbers", x1=1.0, x2=2.0),
            case("two positive numbers", x1=numbers[0], x2=numbers[1] + 2),
            case("two negative numbers", x1=-numbers[2], x2=-numbers[3] - 2),
            case("two whole numbers", x1=int(rng.integers(2, 5)), x2=5),
        ]
        return {"cases": cases, "parts": list(parts)}

    return draw


EXERCISE = Exercise(
    id="graph-reverse",
    lesson="01_computation_graph",
    section="Reverse mode: from the result to the inputs",
    title="The reverse sweep for any x1 and x2",
    symbol="reverse_mode",
    kind="implement",
    points=7,
    difficulty=2,
    minutes=5,
    task=(
        "Write `reverse_mode(x1, x2)`. It returns three numbers, `(z, dz_dx1, dz_dx2)`: the value "
        "of log(x1 x2) · sin(x1 x2) and its derivatives towards both inputs, found by one "
        "reverse sweep in plain Python, without the engine.\n\n"
        "`x1` and `x2` are any two numbers whose product is positive."
    ),
    starter='''\
def reverse_mode(x1, x2):
    """Return z and its derivatives towards x1 and x2."""
    # Forward: y1, y2, y3, z. Then back, one step at a time.
    return ...
''',
    reference=reverse_mode,
    checks=(
        Check(
            "value",
            1,
            three_numbers,
            _points("value z"),
            passes="The value z is right.",
            fails="The value z is not right.",
        ),
        Check(
            "towards x1",
            2,
            three_numbers,
            _points("derivative dz_dx1"),
            passes="The derivative towards x1 is right.",
            fails="The derivative towards x1 is not right.",
        ),
        Check(
            "towards x2",
            2,
            three_numbers,
            _points("derivative dz_dx2"),
            passes="The derivative towards x2 is right.",
            fails="The derivative towards x2 is not right.",
        ),
        Check(
            "by hand",
            2,
            without_recording,
            lambda rng: {"x1": 1.5, "x2": 2.5},
            passes="It is your own sweep that finds them.",
            fails="It is not your own sweep that finds them.",
            after=("towards x1", "towards x2"),
        ),
    ),
    misconceptions=(
        Misconception(
            "loses-the-log-branch",
            "Only what comes back through the sine reaches the inputs. Two ways lead to y1, and "
            "what arrived along the other one is lost, perhaps overwritten.",
            _only_the_sine,
        ),
        Misconception(
            "loses-the-sin-branch",
            "Only what comes back through the logarithm reaches the inputs. Two ways lead to y1, "
            "and what arrived along the other one is lost, perhaps overwritten.",
            _only_the_logarithm,
        ),
        Misconception(
            "swapped",
            "Each input gets the derivative that belongs to the other one. In a product, the "
            "slope towards one factor is the other factor.",
            _swapped,
        ),
        Misconception(
            "forgets-the-other-factor",
            "In the last product, z, you gave both factors the slope one. That is so in a sum; in "
            "a product, how much one factor matters depends on the other.",
            _slopes_without_the_other_factor,
        ),
        Misconception(
            "adds-at-the-end",
            "Your z is the sum of logarithm and sine. In the formula they are the factors of a "
            "product.",
            _adds_at_the_end,
        ),
        Misconception(
            "own-factor",
            "In the last product, z, you gave each factor its own value as slope. Look at the "
            "product rule again: who stands beside whom?",
            _each_its_own_factor,
        ),
        Misconception(
            "stops-at-the-product",
            "Your derivatives stop at y1. One step is left, from the product to its two inputs.",
            _stops_at_the_product,
        ),
        Misconception(
            "stops-at-the-branches",
            "Your derivatives are those towards y2 and y3. The sweep has to go on, through "
            "logarithm and sine to y1 and from there to the inputs.",
            _stops_at_the_branches,
        ),
        Misconception(
            "multiplies-the-ways",
            "At y1 you multiplied what comes along the two ways. Slopes are multiplied along one "
            "way; what arrives side by side is another matter.",
            _multiplies_the_ways,
        ),
        Misconception(
            "multiplies-the-slopes",
            "You multiplied the slope of the logarithm by the slope of the sine. The derivative "
            "of a product is not the product of the derivatives.",
            _slope_times_slope,
        ),
        Misconception(
            "wrong-sign",
            "The two ways are subtracted where they should be added. It is the cosine whose "
            "derivative has a minus; here the sine is differentiated.",
            _minus_the_cosine,
        ),
        Misconception(
            "slopes-at-the-outputs",
            "You took the slopes of logarithm and sine at what came out of them. A slope is taken "
            "where the function was evaluated: at what went in.",
            _slopes_at_the_outputs,
        ),
        Misconception(
            "forgets-the-slopes-of-the-branches",
            "On the way from y2 and y3 to y1 you left out the slopes of logarithm and sine. Each "
            "step back multiplies by the slope of the operation that it passes.",
            _forgets_the_slopes_of_the_branches,
        ),
        Misconception(
            "value-last",
            "The three numbers are right, but in another order than asked for: the value comes "
            "first.",
            _value_last,
        ),
        Misconception(
            "gradients-only",
            "You return two numbers. The value z is asked for too, and you have it anyway.",
            _gradients_only,
        ),
        Misconception(
            "returns-nothing",
            "Your function returns nothing. What is only printed, or only computed, is lost to "
            "the one who called it.",
            _prints_only,
        ),
        Misconception(
            "the-documents-numbers",
            "Your numbers are those for x1 = 1 and x2 = 2, whatever the function is given. Let it "
            "work with its arguments.",
            _the_documents_numbers,
        ),
        Misconception(
            "splits-the-logarithm",
            "You split the logarithm of the product into two. For two negative numbers the "
            "product is positive, but the parts have no logarithm.",
            _splits_the_logarithm,
        ),
        Misconception(
            "asks-the-engine",
            "The numbers come from the engine's backward. Here the walk back is yours: each of "
            "its steps is a line of arithmetic.",
            _asks_the_engine,
        ),
    ),
    hints=(
        "First compute forward and keep every value. Then ask of each of them, from the last to "
        "the first: how much does z move when this one moves?",
        "y2 and y3 each have one way to z, and y1 has two. Where two ways meet, what comes along "
        "them is added.",
        "Write one line for each derivative, in the order y2, y3, y1, x1, x2. Each is made from "
        "derivatives that are already known, times the slope of one operation.",
    ),
    variants=(
        Variant("accumulating in a dict, with prints", _accumulating),
        Variant("NumPy in float32", _with_numpy),
        Variant("tensors without gradients", _with_tensors),
        Variant("a named tuple", _named),
    ),
    place=3,
)
