"""`graph-reverse`: the reverse sweep through the document's function, written by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _reverse_sweeps as sweeps
from graders.inputs import case, positive


def three_numbers(function, lab):
    """Call the function, and look at the parts of what it returns that `parts` names."""

    def is_number(part):
        try:
            float(part)
        except (TypeError, ValueError, RuntimeError):
            return False
        return True

    places = {"value z": 0, "derivative dz_dx1": 1, "derivative dz_dx2": 2}
    for each in lab.cases():
        told = function(*each.arguments().values())
        try:
            # Whatever can be unpacked into three names will do, if it keeps an order.
            is_other = issubclass(type(told), (dict, set, frozenset, str))
            found = [] if is_other else list(told)
        except TypeError:
            found = []
        inside = [part for part in found if not is_number(part)]
        words = {1: "one number", 2: "two numbers", 3: "three numbers"}
        counted = words.get(len(found), f"{len(found)} numbers") if found else each.kind_of(told)
        if inside and len(found) != 3:
            counted = f"{each.kind_of(told)} with {each.kind_of(inside[0])} in it"
        each.record("result", counted)
        if len(found) == 3:
            for part in lab.value("parts"):
                each.record(part, found[places[part]])


def by_hand(function, lab):
    """Call the function while the engine records nothing, and where neighbours are worthless.

    A walk of one's own is disturbed by neither. With large factors z goes up and down many times
    between one number that a float can be and the next: differences say that it is nearly flat.
    A factor may also be far smaller than any step beside it, one into the complex numbers too; as
    z depends on the product alone, each slope times its factor is the same. Where z is rounded to
    zero, in single precision or by hand, one slope is left: it still grows as the factor shrinks.
    """
    from math import isclose, isfinite

    def numbers(x1, x2):
        told = function(x1, x2)
        if issubclass(type(told), (set, frozenset)):
            return []
        try:
            return [float(each) for each in told]
        except (TypeError, ValueError):
            return []

    x1, x2 = lab.value("x1"), lab.value("x2")
    recorded = numbers(x1, x2)
    stopped = None
    with lab.torch.inference_mode():
        try:
            found = numbers(x1, x2) == recorded
        except Exception as error:
            found, stopped = False, error
    if stopped is not None and numbers(x1, x2) != recorded:
        raise stopped
    lab.record("it works without the engine's record", found)

    step, steep, alike, left = 0.01, True, True, []
    nearby = [numbers(*at) for at in ((x1 - step, x2), (x1 + step, x2))]
    if all(len(each) == 3 for each in (recorded, *nearby)):
        slope = (nearby[1][0] - nearby[0][0]) / (2 * step)
        # Slopes that are wrong already here, and a z that never moves, are another matter.
        fitting = isclose(recorded[1] * x1, recorded[2] * x2, rel_tol=1e-3)
        if slope and abs(slope - recorded[1]) < 0.01 and fitting:
            large = lab.value("large")
            found = [numbers(*pair) for pair in large]
            height = max(abs(z) for z, _, _ in found)
            for place in (0, 1):
                # As if z were a function of the factor's logarithm: then all are of one size.
                pairs = zip(large, found, strict=True)
                most = max(abs(told[1 + place] / pair[1 - place]) for pair, told in pairs)
                steep &= most > 0.01 * height
            for tiny in lab.value("tiny"):
                try:
                    told = numbers(x1, tiny)
                except (ArithmeticError, ValueError):
                    continue  # in single precision there may be no such number
                if len(told) != 3 or not all(map(isfinite, told)):
                    continue
                if told[0] or told[1]:
                    # What is multiplied before it is divided may vanish: all of a slope, which
                    # is z by the factor in nearly two digits, or the sine's part of it.
                    alike &= isclose(told[1] * x1 or told[0], told[2] * tiny, rel_tol=0.02)
                else:
                    left.append(told[2])
            alike &= len(left) < 2 or abs(left[1]) > 1.1 * abs(left[0])
    lab.record("its slopes are steep where z goes up and down quickly", steep)
    lab.record("its slopes fit each other where a factor is tiny", alike)


def _at_two_places(rng: np.random.Generator) -> dict[str, object]:
    # Odd numbers times powers of two: their product is exact in single precision, too.
    large = [[float(n) * 2**30 for n in pair] for pair in rng.integers(5, 40, (4, 2)) * 2 + 1]
    return {"x1": 1.5, "x2": 2.5, "large": large, "tiny": [2.0**-118, 1e-250]}


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
        "of log(x1 x2) · sin(x1 x2) and its derivatives with respect to both inputs, found by "
        "one reverse sweep in plain Python, without the engine.\n\n"
        "`x1` and `x2` are any two numbers whose product is positive."
    ),
    starter='''\
def reverse_mode(x1, x2):
    """Return z and its derivatives with respect to x1 and x2."""
    # Forward: y1, y2, y3, z. Then back, one step at a time.
    return ...
''',
    reference=sweeps.reverse_mode,
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
            passes="The derivative with respect to x1 is right.",
            fails="The derivative with respect to x1 is not right.",
        ),
        Check(
            "towards x2",
            2,
            three_numbers,
            _points("derivative dz_dx2"),
            passes="The derivative with respect to x2 is right.",
            fails="The derivative with respect to x2 is not right.",
        ),
        Check(
            "by hand",
            2,
            by_hand,
            _at_two_places,
            passes="Your own sweep finds the derivatives.",
            fails="The derivatives are not found by a sweep of your own.",
            after=("towards x1", "towards x2"),
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "loses-the-log-branch",
            "Only what comes back through the sine reaches the inputs. Two paths lead to y1, and "
            "what arrived along the other one is lost, perhaps overwritten.",
            sweeps.only_the_sine,
        ),
        Misconception(
            "loses-the-sin-branch",
            "Only what comes back through the logarithm reaches the inputs. Two paths lead to y1, "
            "and what arrived along the other one is lost, perhaps overwritten.",
            sweeps.only_the_logarithm,
        ),
        Misconception(
            "swapped",
            "You give each input the derivative that belongs to the other one. In a product, the "
            "derivative with respect to one factor is the other factor.",
            sweeps.swapped,
        ),
        Misconception(
            "forgets-the-other-factor",
            "In the last product, z, you gave both factors the slope one. That is so in a sum; in "
            "a product, how much one factor matters depends on the other.",
            sweeps.slopes_without_the_other_factor,
        ),
        Misconception(
            "adds-at-the-end",
            "Your z is the sum of logarithm and sine. In the formula they are the factors of a "
            "product.",
            sweeps.adds_at_the_end,
        ),
        Misconception(
            "own-factor",
            "In the last product, z, you gave each factor its own value as slope. Look at the "
            "product rule again: how much does z move when only one of the factors moves?",
            sweeps.each_its_own_factor,
        ),
        Misconception(
            "begins-with-the-value",
            "Your derivatives are those of z, times z itself. A sweep back begins at z; ask how "
            "much z moves there when z moves.",
            sweeps.begins_with_the_value,
        ),
        Misconception(
            "stops-at-the-product",
            "Your derivatives stop at y1. One step is left, from the product to its two inputs.",
            sweeps.stops_at_the_product,
        ),
        Misconception(
            "stops-at-the-branches",
            "Your derivatives are those with respect to y2 and y3. The sweep has to go on, through "
            "logarithm and sine to y1 and from there to the inputs.",
            sweeps.stops_at_the_branches,
        ),
        Misconception(
            "multiplies-the-ways",
            "At y1 you multiplied what comes along the two paths. Slopes are multiplied along one "
            "path; think about how two separate paths combine.",
            sweeps.multiplies_the_ways,
        ),
        Misconception(
            "multiplies-the-slopes",
            "You multiplied the slope of the logarithm by the slope of the sine. The derivative "
            "of a product is not the product of the derivatives.",
            sweeps.slope_times_slope,
        ),
        Misconception(
            "wrong-sign",
            "You subtract one path from the other. It is the derivative of the cosine that has a "
            "minus; here the sine is differentiated.",
            sweeps.minus_the_cosine,
        ),
        Misconception(
            "slopes-at-the-outputs",
            "You took the slopes of logarithm and sine at what came out of them. A slope has to be "
            "taken where the function was evaluated: at what went in.",
            sweeps.slopes_at_the_outputs,
        ),
        Misconception(
            "forgets-the-slopes-of-the-branches",
            "On the way from y2 and y3 to y1 you left out the slopes of logarithm and sine. Each "
            "step back multiplies by the slope of the operation that it passes.",
            sweeps.forgets_the_slopes_of_the_branches,
        ),
        Misconception(
            "sine-of-degrees",
            "You take y1 for an angle in degrees. Python's sine takes radians, and so does "
            "calculus: only then is its derivative simply the cosine.",
            sweeps.in_degrees,
        ),
        Misconception(
            "value-last",
            "The three numbers are right, but not in the order that is asked for: the value comes "
            "first.",
            sweeps.value_last,
        ),
        Misconception(
            "gradients-only",
            "You return two numbers, without the value z. It is asked for too, and your sweep has "
            "computed it anyway.",
            sweeps.gradients_only,
        ),
        Misconception(
            "returns-nothing",
            "Your function returns nothing. What it only computes or prints does not reach the "
            "code that calls it.",
            sweeps.prints_only,
        ),
        Misconception(
            "the-documents-numbers",
            "Your numbers are those for x1 = 1 and x2 = 2, whatever the function is given. Compute "
            "with its arguments instead.",
            sweeps.the_documents_numbers,
        ),
        Misconception(
            "splits-the-logarithm",
            "For two negative numbers you take the logarithm of something negative, although their "
            "product is positive. Splitting the logarithm of the product into two does that.",
            sweeps.splits_the_logarithm,
        ),
        Misconception(
            "asks-the-engine",
            "You let the engine find the derivatives. Here you write the sweep back yourself: each "
            "of its steps is a line of arithmetic.",
            sweeps.asks_the_engine,
        ),
        Misconception(
            "finite-differences",
            "Your derivatives are differences of values at two places close together. They are "
            "nearly right where z changes slowly, and useless where it changes quickly.",
            sweeps.by_differences,
        ),
        Misconception(
            "one-sided-differences",
            "Your derivatives are differences of values, the second one small step farther on. "
            "They are nearly right where z changes slowly, and useless where it changes quickly.",
            sweeps.by_differences_to_one_side,
        ),
        Misconception(
            "complex-step",
            "You read your derivatives off values at complex numbers close by, which fails where a "
            "factor is smaller than your step. What is asked for is the sweep back.",
            sweeps.by_a_complex_step,
        ),
    ),
    hints=(
        "First compute forward and keep every value. Then ask of each of them, from the last to "
        "the first: how much does z move when this one moves?",
        "y2 and y3 each have one path to z, and y1 has two. Where two paths meet, what comes along "
        "them is added.",
        "Write one line for each derivative, in the order y2, y3, y1, x1, x2. Each is made from "
        "derivatives that are already known, times the slope of one operation.",
    ),
    variants=(
        Variant("accumulating in a dict, with prints", sweeps.accumulating),
        Variant("NumPy in float32", sweeps.with_numpy),
        Variant("tensors without gradients", sweeps.with_tensors),
        Variant("a named tuple", sweeps.named),
    ),
    place=3,
)
