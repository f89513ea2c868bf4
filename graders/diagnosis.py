"""What was observed, in words, when no known misconception explains it.

A diagnosis is one or two sentences: which value, in which way it is off, and the idea that such an
error points to. It never tells how to write the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.closeness import MISSING, number_of, same, same_array
from graders.observe.codec import ErrorData, Opaque, TensorData

EXCEPTION = "(exception)"
"""The name under which an exception that ended a check is compared, like a record."""

IS_A_DICT = "the answer is a dict"
"""The record by which the scenario `entries` says that it has found one."""

WHOLE = "answer"
"""The record of the scenario `value`, in which the symbol itself is the answer."""

KINDS_OF_VALUE = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    TensorData: "a tensor",
    np.ndarray: "a NumPy array",
    list: "a list",
    tuple: "a tuple",
    dict: "a dict",
    ErrorData: "an error",
    type(None): "None",
}


@dataclass(frozen=True, eq=False)
class Deviation:
    """One record in which a solution differs from the reference.

    `grad_output` is the gradient that was sent back in the record's case, None where none was.
    """

    record: str
    observed: Any
    expected: Any
    grad_output: np.ndarray | None = None

    @property
    def case(self) -> str:
        """The case that the record belongs to, "" for none."""
        return self.record.rpartition(": ")[0]

    @property
    def subject(self) -> str:
        """What was recorded, without the case."""
        return self.record.rpartition(": ")[2]


def most_telling(deviations: list[Deviation]) -> Deviation:
    """Return the deviation to speak about: an odd kind of value first, then the largest array."""

    def rank(deviation: Deviation) -> tuple[int, int]:
        observed = _array(deviation.observed)
        if deviation.record == EXCEPTION:
            return 1, 0
        if deviation.observed is MISSING:
            return 4, 0
        if observed is None or _array(deviation.expected) is None:
            return 0, 0
        return 2, -min(observed.size, 100)

    return min(deviations, key=rank)


def diagnose(deviation: Deviation) -> str:
    """Return one or two sentences on `deviation`."""
    observed, expected, subject = deviation.observed, deviation.expected, deviation.subject
    where = f"For {deviation.case}, " if deviation.case else ""
    if deviation.record == EXCEPTION:
        if isinstance(observed, ErrorData):
            return f"The code stopped with `{observed.type}`: {_sentence(observed.message)}"
        return "The code should have stopped with an error here, and did not."
    if observed is MISSING:
        return f"{where}{subject} could not be looked at, because the code stopped before."
    if isinstance(expected, ErrorData):
        return _about_expected_error(subject, observed, expected)
    if isinstance(observed, ErrorData):
        told = f"`{observed.type}`: {_sentence(observed.message)}"
        return f"{_capitalised(where + subject)} raises {told}"
    if isinstance(expected, bool) and isinstance(observed, bool) and " " in subject:
        holds = "This should be so, but is not" if expected else "This is so, but should not be"
        return f"{holds}: {where.lower()}{subject}."
    if not _of_right_kind(observed, expected):
        return _about_kinds(where, subject, observed, expected)
    one, other = _array(observed), _array(expected)
    if isinstance(expected, bool | int | float):
        one = _array(number_of(observed))
    if one is not None and other is not None:
        relation = relate(one, other, deviation.grad_output)
        return f"{_capitalised(f'{where}the {subject}')} {relation}"
    return f"{_capitalised(f'{where}the {subject}')} is not what it should be."


def incomplete(symbol: str, deviations: list[Deviation]) -> str:
    """Return what keeps answers from being answers at all, "" if they are only wrong.

    For exercises whose expected values are the solution: these words do not tell them.
    """
    if any(deviation.subject == IS_A_DICT for deviation in deviations):
        return f"`{symbol}` should be a dict with the keys of the starter."
    answered = [each for each in deviations if each.observed is not MISSING]
    empty = list(dict.fromkeys(each.subject for each in answered if each.observed is None))
    if empty:
        names = ", ".join(f"`{symbol if name == WHOLE else name}`" for name in empty)
        return f"There is no answer yet for {names}."
    for each in answered:
        if each.record != EXCEPTION and not _of_right_kind(each.observed, each.expected):
            name = symbol if each.record == WHOLE else each.subject
            return (
                f"Your answer for `{name}` is {_kind(each.observed)}, "
                f"where {KINDS_OF_VALUE.get(type(each.expected), 'something else')} is needed."
            )
    return ""


def describe_values(deviation: Deviation, inputs: Mapping[str, Any]) -> str:
    """Return inputs, what came out and what was expected, a line each; "" for an exception."""
    if deviation.record == EXCEPTION:
        return ""
    lines = [
        _labelled(f"{name} = ", show(value)) for name, value in _inputs_of(deviation.case, inputs)
    ]
    if deviation.grad_output is not None and deviation.subject.startswith("gradient"):
        lines.append(_labelled("grad_output = ", show(deviation.grad_output)))
    lines.append(_labelled(f"{deviation.subject}: ", show(deviation.observed)))
    lines.append(_labelled("expected: ", show(deviation.expected)))
    return "\n".join(lines)


def relate(observed: np.ndarray, expected: np.ndarray, upstream: np.ndarray | None = None) -> str:
    """Return the rest of a sentence, "is …", on how one array is off from another.

    `upstream` is the gradient that came from above, if these are gradients.
    """
    if observed.shape != expected.shape:
        return _relate_shapes(observed, expected)
    if observed.dtype.kind != expected.dtype.kind:
        return f"has dtype {observed.dtype}, where {expected.dtype} is needed."
    if not np.isfinite(observed).all() and np.isfinite(expected).all():
        return "contains nan or infinity. Somewhere a division or a logarithm has met a zero."
    for holds, words in _SAME_SHAPE:
        if holds(observed, expected, upstream):
            return words
    factor = constant_factor(observed, expected)
    if factor is not None:
        return f"is {_factor_words(factor)} what it should be. The same factor is off everywhere."
    return _relate_elements(observed, expected)


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


def show(value: Any) -> str:
    """Return `value` as a student would write it, shortened."""
    if isinstance(value, TensorData):
        return _labelled("tensor(", show(value.values)) + ")"
    if isinstance(value, np.ndarray):
        text = np.array2string(value, precision=4, threshold=24, edgeitems=2, separator=", ")
        return f"{text} of shape {value.shape}" if not value.size else text
    if isinstance(value, ErrorData):
        return f"{value.type}: {value.message}"
    if isinstance(value, Opaque):
        return f"an object of type {value.type}" + (f" ({value.why})" if value.why else "")
    if value is MISSING:
        return "nothing"
    if isinstance(value, list | tuple):
        inside = ", ".join(show(each) for each in value[:10]) + (", …" if len(value) > 10 else "")
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _labelled(label: str, text: str) -> str:
    """Put `label` before `text`, whose further lines stay aligned under the first."""
    return label + text.replace("\n", "\n" + " " * len(label))


def _about_expected_error(subject: str, observed: Any, expected: ErrorData) -> str:
    if isinstance(observed, ErrorData):
        return (
            f"{_capitalised(subject)}: an error is right, but not this one, "
            f"`{observed.type}`: {_sentence(observed.message)}"
        )
    reasons = {
        "modified by an inplace operation": "backward then computes with a changed value",
        "leaf Variable that requires grad": "a leaf's own value would be lost to its gradient",
    }
    found = [why for family, why in reasons.items() if family in expected.message]
    because = f": {found[0]}" if found else ""
    return (
        f"{_capitalised(subject)}: nothing was raised, where a `{expected.type}` "
        f"should warn{because}."
    )


def _about_kinds(where: str, subject: str, observed: Any, expected: Any) -> str:
    if observed is None and subject.startswith(("gradient", "accumulated", "first", "second")):
        kind, _, name = subject.rpartition(" of ")
        return f"{_capitalised(where + f'no {kind} arrives at {name}')}: it is None."
    found = show(observed) if isinstance(observed, Opaque) else _kind(observed)
    return f"{_capitalised(f'{where}the {subject}')} is {found}, where {_kind(expected)} is needed."


def _relate_shapes(observed: np.ndarray, expected: np.ndarray) -> str:
    shapes = f"has shape {observed.shape}, where {expected.shape} is needed"
    if observed.ndim == 2 and same_array(observed.T, expected):
        return "is transposed. In a product of matrices the order and the transposes matter."
    if observed.ndim >= expected.ndim and _sums_to(observed, expected):
        return f"{shapes}. What was broadcast in forward has to be summed in backward."
    return f"{shapes}."


def _sums_to(observed: np.ndarray, expected: np.ndarray) -> bool:
    added = observed.ndim - expected.ndim
    lengths = zip(observed.shape[added:], expected.shape, strict=True)
    axes = [added + axis for axis, (n, m) in enumerate(lengths) if n != m and m == 1]
    summed = observed.sum(axis=(*range(added), *axes), keepdims=True)
    return summed.size == expected.size and same_array(summed.reshape(expected.shape), expected)


Relation = Callable[[np.ndarray, np.ndarray, Any], bool]


def _product_with(upstream: Any, array: np.ndarray) -> np.ndarray | None:
    if upstream is None:
        return None
    try:
        product = np.asarray(upstream * array, dtype=array.dtype)
    except ValueError:
        return None
    return product if product.shape == array.shape else None


def _lacks_upstream(observed: np.ndarray, expected: np.ndarray, upstream: Any) -> bool:
    product = _product_with(upstream, observed)
    return product is not None and same_array(product, expected)


def _has_upstream_twice(observed: np.ndarray, expected: np.ndarray, upstream: Any) -> bool:
    product = _product_with(upstream, expected)
    return product is not None and same_array(product, observed)


def _is_transposed(observed: np.ndarray, expected: np.ndarray, upstream: Any) -> bool:
    return observed.ndim == 2 and same_array(observed.T, expected)


def _is_reordered(observed: np.ndarray, expected: np.ndarray, upstream: Any) -> bool:
    return expected.size > 1 and same_array(np.sort(observed, None), np.sort(expected, None))


_SAME_SHAPE: tuple[tuple[Relation, str], ...] = (
    (
        lambda observed, expected, upstream: (
            not observed.any() and (observed.ndim > 0 or upstream is not None)
        ),
        "is zero everywhere. Something cuts the way, or multiplies by zero.",
    ),
    (
        lambda observed, expected, upstream: (
            expected.dtype.kind == "f" and same_array(-observed, expected)
        ),
        "has the wrong sign. Look for a minus that was lost or gained.",
    ),
    (
        _lacks_upstream,
        "lacks the factor that arrives from above. By the chain rule `grad_output` is one factor "
        "of every gradient.",
    ),
    (
        _has_upstream_twice,
        "contains the factor `grad_output` twice. The chain rule needs it once.",
    ),
    (
        lambda observed, expected, upstream: (
            upstream is not None and same_array(observed, np.asarray(upstream))
        ),
        "is `grad_output` itself, unchanged. The slope of the operation is missing.",
    ),
    (
        _is_transposed,
        "is transposed. In a product of matrices the order and the transposes matter.",
    ),
    (
        _is_reordered,
        "has the right numbers in the wrong order. Think of which input each one belongs to.",
    ),
)


def _factor_words(factor: float) -> str:
    return _name_of(factor) or f"{factor:.4g} times"


def _name_of(factor: float) -> str:
    names = ((0.5, "half of"), (2, "twice"), (3, "three times"), (1 / 3, "a third of"))
    return next((name for value, name in names if abs(factor - value) < 1e-4), "")


def _relate_elements(observed: np.ndarray, expected: np.ndarray) -> str:
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
    first = (
        f"at [{place}] it is {_number(observed[wrong[0]])}, "
        f"where {_number(expected[wrong[0]])} is expected"
    )
    if len(wrong) < expected.size:
        right = expected.size - len(wrong)
        return f"is right in {right} of {expected.size} elements; {first}."
    return f"is not right: {first}."


def _number(value: Any) -> str:
    return f"{np.asarray(value).item():.5g}"


def _inputs_of(case: str, inputs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    for spec in inputs.get("cases", ()):
        if spec["name"] == case:
            return list(spec["args"].items())
    return []


def _array(value: Any) -> np.ndarray | None:
    if isinstance(value, TensorData):
        return value.values
    if isinstance(value, bool | int | float):
        return np.asarray(value, dtype=np.float64)
    return value if isinstance(value, np.ndarray) else None


def _of_right_kind(observed: Any, expected: Any) -> bool:
    if isinstance(expected, bool | int | float):
        return number_of(observed) is not None
    return _kind(observed) == _kind(expected)


def _kind(value: Any) -> str:
    kind = type(value)
    if kind is bool or kind is int:
        kind = float
    return KINDS_OF_VALUE.get(kind, "something else")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    short = text if len(text) <= 160 else text[:160].rstrip() + "…"
    return short if short.endswith((".", "…", "!", "?")) else short + "."


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
