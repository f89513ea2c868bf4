"""In which way one array is off from another: a factor, a sign, an order, a part of the chain rule.

Nothing is known here of exercises. The simplest relation that holds in every element is named; if
none does, the first element that differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from graders.judging.closeness import same, same_array

FACTORS = {
    0.5: "half of",
    2: "twice",
    3: "three times",
    1 / 3: "a third of",
    1 / math.log(10): "0.4343 times (as with a logarithm to base 10)",
    1 / math.log(2): "1.443 times (as with a logarithm to base 2)",
}
"""Factors that have a name, and that a single number can be known by."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two arrays of one shape and kind, and what may explain their difference.

    `upstream` is the gradient that came from above, `others` what may have been mistaken for it,
    by what to call it.
    """

    observed: np.ndarray
    expected: np.ndarray
    upstream: np.ndarray | None = None
    others: Mapping[str, np.ndarray] = field(default_factory=dict)
    gradient: bool = False

    def times_upstream(self, array: np.ndarray) -> np.ndarray | None:
        """Return `array` times the gradient from above; None where there is none that fits."""
        if self.upstream is None:
            return None
        try:
            product = np.asarray(self.upstream * array, dtype=array.dtype)
        except ValueError:
            return None
        return product if product.shape == array.shape else None


def relate(
    observed: np.ndarray,
    expected: np.ndarray,
    upstream: np.ndarray | None = None,
    others: Mapping[str, np.ndarray] | None = None,
    *,
    gradient: bool = False,
) -> str:
    """Return the rest of a sentence, "is …", on how one array is off from another.

    `upstream` is the gradient that came from above, if these are gradients; `others` are arrays
    that may have been mistaken for it, by what to call them: "input x", "gradient of y". What is
    said of broadcasting and of ways that are cut holds for a `gradient` only.
    """
    if observed.shape != expected.shape:
        return _relate_shapes(observed, expected, gradient)
    if observed.dtype.kind != expected.dtype.kind:
        return f"has dtype {observed.dtype}, where {expected.dtype} is needed."
    if not np.isfinite(observed).all() and np.isfinite(expected).all():
        return (
            "contains nan or infinity. Look for a division by zero, or for the logarithm or root "
            "of a number that is not positive."
        )
    pair = Pair(observed, expected, upstream, others or {}, gradient)
    found = (relation(pair) for relation in _RELATIONS)
    return next(filter(None, found), "") or _relate_elements(pair)


def constant_factor(observed: np.ndarray, expected: np.ndarray) -> float | None:
    """Return the number c with observed = c * expected in every element, None if there is none.

    A single element proves a factor only if it is a simple one, such as 2 or 1/3.
    """
    one, other = observed.astype(np.float64).ravel(), expected.astype(np.float64).ravel()
    if not other.size or not np.abs(other).max():
        return None
    factor = float(one @ other / (other @ other))
    if not factor or not same_array((factor * other).astype(np.float32), one.astype(np.float32)):
        return None
    return factor if other.size > 1 or _name_of(factor) else None


def _relate_shapes(observed: np.ndarray, expected: np.ndarray, gradient: bool) -> str:
    shapes = f"has shape {observed.shape}, where {expected.shape} is needed"
    if observed.ndim == 2 and same_array(observed.T, expected):
        return TRANSPOSED
    if gradient and observed.ndim >= expected.ndim and _sums_to(observed, expected):
        return f"{shapes}. What was broadcast in forward has to be summed in backward."
    return f"{shapes}."


def _sums_to(observed: np.ndarray, expected: np.ndarray) -> bool:
    added = observed.ndim - expected.ndim
    lengths = zip(observed.shape[added:], expected.shape, strict=True)
    axes = [added + axis for axis, (n, m) in enumerate(lengths) if n != m and m == 1]
    summed = observed.sum(axis=(*range(added), *axes), keepdims=True)
    return summed.size == expected.size and same_array(summed.reshape(expected.shape), expected)


TRANSPOSED = "is transposed: rows and columns are swapped."

Relation = Callable[[Pair], str]
"""Returns the words for one way of being off, "" where it does not hold."""


def _half_precision(pair: Pair) -> str:
    observed, expected = pair.observed, pair.expected
    if expected.dtype.kind != "f" or expected.dtype.itemsize == 2 or not expected.size:
        return ""
    with np.errstate(over="ignore"):
        rounded = observed.astype(np.float16)
        close = same_array(rounded, expected.astype(np.float16))
    # A plain number may have few digits for other reasons.
    made_wide = observed.ndim > 0 and np.array_equal(rounded, observed)
    if not close or not (made_wide or observed.dtype == rounded.dtype):
        return ""
    return "has only the three digits of half precision. Look for where that dtype is chosen."


def _zero(pair: Pair) -> str:
    # A plain number may be zero for other reasons than a way that was cut.
    if pair.observed.any() or not (pair.observed.ndim or pair.upstream is not None):
        return ""
    told = "is zero everywhere."
    return f"{told} Something cuts the path back, or multiplies by zero." if pair.gradient else told


def _sign(pair: Pair) -> str:
    if pair.expected.dtype.kind != "f" or not same_array(-pair.observed, pair.expected):
        return ""
    return "has the wrong sign. Look for a minus that is missing, or one too many."


def _upstream_is_lacking(pair: Pair) -> str:
    with_it = pair.times_upstream(pair.observed)
    if with_it is None:
        return ""
    factor = 1.0 if same_array(with_it, pair.expected) else constant_factor(with_it, pair.expected)
    if factor is None or not _is_simple(factor) or (factor != 1 and pair.expected.size < 2):
        return ""
    factor = round(factor, 6)
    also = f"is {_factor_words(factor)} what it should be" if factor != -1 else "has the wrong sign"
    besides = "" if factor == 1 else f", and besides {also}"
    return (
        f"lacks the factor that arrives from above{besides}. By the chain rule `grad_output` is "
        "one factor of every gradient."
    )


def _upstream_is_there_twice(pair: Pair) -> str:
    twice = pair.times_upstream(pair.expected)
    if twice is None or not same_array(twice, pair.observed):
        return ""
    return "contains the factor `grad_output` twice. The chain rule needs it once."


def _upstream_alone(pair: Pair) -> str:
    if pair.upstream is None or pair.upstream.shape != pair.observed.shape:
        return ""
    if same_array(pair.observed, np.asarray(pair.upstream)):
        return "is `grad_output` itself, unchanged. The slope of the operation is missing."
    factor = constant_factor(pair.observed, pair.upstream)
    if factor is None or pair.observed.size < 2:
        return ""
    return (
        f"is {_factor_words(factor)} `grad_output` in every element. But the slope of the "
        "operation is not the same in all of them."
    )


def _upstream_added(pair: Pair) -> str:
    if pair.upstream is None or pair.upstream.shape != pair.observed.shape:
        return ""
    slope = pair.times_upstream(pair.observed - pair.upstream)
    if slope is None or not same_array(slope, pair.expected):
        return ""
    return "is the slope plus `grad_output`. The chain rule multiplies the two."


def _transposed(pair: Pair) -> str:
    if pair.observed.ndim != 2 or not same_array(pair.observed.T, pair.expected):
        return ""
    return TRANSPOSED


def _factor(pair: Pair) -> str:
    factor = constant_factor(pair.observed, pair.expected)
    if factor is None:
        return ""
    off = f"is {_factor_words(factor)} what it should be"
    if pair.expected.size == 1:
        one, other = _number(pair.observed.item()), _number(pair.expected.item())
        return f"{off}: {one}, where {other} is expected."
    return f"{off}, in every element."


def _power(pair: Pair) -> str:
    expected = pair.expected
    if expected.dtype.kind != "f" or not expected.size or np.any(expected < 0):
        return ""
    if same_array(pair.observed, np.sqrt(expected)):
        return "is the square root of what it should be."
    return "is the square of what it should be." if same_array(pair.observed, expected**2) else ""


def _of_another(pair: Pair) -> str:
    for name, other in pair.others.items():
        if not pair.observed.size or not same_array(pair.observed, other):
            continue
        if name.startswith("input "):
            return f"is still the {name}, unchanged."
        return f"is what the {name} should be. Perhaps the two are swapped."
    return ""


def _order(pair: Pair) -> str:
    one, other = np.sort(pair.observed, None), np.sort(pair.expected, None)
    if pair.expected.size < 2 or not same_array(one, other):
        return ""
    return "has the right numbers in the wrong order. Ask which input each of them belongs to."


def _offset(pair: Pair) -> str:
    if pair.expected.size < 2 or pair.expected.dtype.kind not in "fiu":
        return ""
    expected = pair.expected.astype(np.float64)
    offset = float((pair.observed.astype(np.float64) - expected).mean())
    moved = np.asarray(expected + offset, dtype=np.float32)
    if not same_array(moved, pair.observed.astype(np.float32)):
        return ""
    way = "too large" if offset > 0 else "too small"
    return f"is {way} by {abs(offset):.4g}, by the same amount in every element."


def _sign_of_some(pair: Pair) -> str:
    if pair.expected.dtype.kind != "f" or pair.expected.size < 2:
        return ""
    if not same_array(np.abs(pair.observed), np.abs(pair.expected)):
        return ""
    wrong = np.sign(pair.observed) != np.sign(pair.expected)
    place = ", ".join(str(int(i[0])) for i in np.nonzero(wrong))
    return (
        f"has the right size, but the wrong sign in {wrong.sum()} of {wrong.size} elements, "
        f"first at [{place}]."
    )


_RELATIONS: tuple[Relation, ...] = (
    _half_precision,
    _zero,
    _sign,
    _upstream_is_there_twice,
    _transposed,
    _upstream_is_lacking,
    _factor,
    _power,
    _of_another,
    _upstream_alone,
    _order,
    _upstream_added,
    _offset,
    _sign_of_some,
)


def _factor_words(factor: float) -> str:
    return _name_of(factor) or f"{factor:.4g} times"


def _name_of(factor: float) -> str:
    return next((name for value, name in FACTORS.items() if abs(factor - value) < 1e-4), "")


def _is_simple(factor: float) -> bool:
    """Return whether a person may have written it: a whole number up to ten, or one part of it."""
    return any(
        round(abs(each)) in range(1, 11) and abs(each - round(each)) < 1e-4
        for each in (factor, 1 / factor)
    )


def _relate_elements(pair: Pair) -> str:
    observed, expected = pair.observed, pair.expected
    if not expected.ndim:
        return f"is {_number(observed)}, where {_number(expected)} is expected."
    wrong = [
        index
        for index in np.ndindex(expected.shape)
        if not same(observed[index].item(), expected[index].item())
    ]
    if not wrong:
        return "is off by more than rounding."
    place = ", ".join(str(i) for i in wrong[0])
    one, other = observed[wrong[0]].item(), expected[wrong[0]].item()
    first = f"at [{place}] it is {_number(one)}, where {_number(other)} is expected"
    if one and other and expected.dtype.kind == "f" and abs(one / other - 1) > 0.01:
        first += f" ({one / other:.3g} times as much)"
    if len(wrong) < expected.size:
        right = expected.size - len(wrong)
        return f"is right in {right} of {expected.size} elements; {first}."
    return f"is not right: {first}."


def _number(value: object) -> str:
    # Adding 0 turns -0 into 0.
    return f"{np.asarray(value).item() + 0:.5g}"
