"""When two observed values count as the same: fair to rounding, dtype widths and number types."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from graders.observe.codec import ErrorData, Opaque, TensorData

NUMBER_RTOL = 1e-4
FLOAT32_RTOL = 1e-5
FLOAT64_RTOL = 1e-9
FLOAT16_RTOL = 1e-2

ERROR_FAMILIES = (
    "modified by an inplace operation",
    "leaf Variable that requires grad",
    "marked as dirty",
    "does not require grad",
    "backward through the graph a second time",
    "incorrect number of gradients",
    "invalid gradient",
)


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING: Any = _Missing()
"""In the place of a record that is not there."""


def same(observed: Any, expected: Any) -> bool:
    """Return whether `observed` counts as `expected`.

    Numbers may be int, float, bool or tensors and arrays of one element, within a relative 1e-4.
    Other arrays and tensors need the same shape and kind of dtype, and agree within 1e-5 of the
    largest element (float32). Errors need the same type and, if it has a known one, the same cause.
    """
    kind = type(expected)
    # As it mostly is, and found out sooner than by what follows.
    if kind is type(observed):
        if kind is TensorData:
            return same_array(observed.values, expected.values)
        if kind is bool:
            return bool(observed == expected)
    if observed is MISSING or expected is MISSING:
        return observed is expected
    if isinstance(expected, bool | int | float):
        number = number_of(observed)
        return number is not None and (
            number == expected or _close(np.asarray(number), np.asarray(expected), NUMBER_RTOL)
        )
    if isinstance(expected, str):
        return isinstance(observed, str) and observed.strip().lower() == expected.strip().lower()
    if isinstance(expected, np.ndarray):
        return isinstance(observed, np.ndarray) and same_array(observed, expected)
    if isinstance(expected, list | tuple):
        return (
            isinstance(observed, list | tuple)
            and len(observed) == len(expected)
            and all(same(one, other) for one, other in zip(observed, expected, strict=True))
        )
    if isinstance(expected, Mapping):
        return (
            isinstance(observed, Mapping)
            and observed.keys() == expected.keys()
            and all(same(observed[key], expected[key]) for key in expected)
        )
    if isinstance(expected, ErrorData):
        return isinstance(observed, ErrorData) and _same_error(observed, expected)
    if isinstance(expected, Opaque):
        return isinstance(observed, Opaque) and observed.type == expected.type
    return observed is expected


def same_array(observed: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether two arrays agree in shape, in kind of dtype, and in value up to rounding."""
    if observed.shape != expected.shape or observed.dtype.kind != expected.dtype.kind:
        return False
    if observed.dtype == expected.dtype and observed.tobytes() == expected.tobytes():
        return True  # as it mostly is, and found out much faster
    if observed.dtype.kind != "f":
        return np.array_equal(observed, expected)
    if expected.dtype.itemsize == 2:
        return _close(observed, expected, FLOAT16_RTOL)
    # Who answers in half precision where nobody asked for it may not be only half right.
    narrow = min(observed.dtype.itemsize, expected.dtype.itemsize) <= 4
    return _close(observed, expected, FLOAT32_RTOL if narrow else FLOAT64_RTOL)


def same_failure(observed: Any, expected: Any) -> bool:
    """Return whether two errors are the same one, up to names of nodes, versions and addresses.

    An operation on a tuple is one error whatever the operation, and so is one whose message ends
    with what it means: that a gradient is None.
    """
    if not (isinstance(observed, ErrorData) and isinstance(expected, ErrorData)):
        return observed is expected
    return _cause(observed) == _cause(expected)


def meant(answer: Any, expected: Any) -> Any:
    """Return what a written `answer` means where numbers, truth values or texts are expected.

    A number or truth value may be spelled, and anything may stand alone in a list or tuple, as
    after a comma too many. What means nothing of the kind is returned as it is.
    """
    if not isinstance(expected, bool | int | float | str | list):
        return answer
    if isinstance(answer, list | tuple):
        if isinstance(expected, list) and len(answer) == len(expected):
            return list(map(meant, answer, expected))
        return meant(answer[0], expected) if len(answer) == 1 else answer
    if isinstance(answer, str) and isinstance(expected, bool | int | float):
        return _spelled(answer, expected)
    return answer


def _spelled(text: str, expected: bool | int | float) -> bool | float | str:
    word = text.translate(_NARROW).lstrip(_MARGIN).rstrip(f"{_MARGIN}.").lower()
    if isinstance(expected, bool) and word in ("true", "false"):
        return word == "true"
    return float(word) if _NUMBER.fullmatch(word) else text


def number_of(value: Any) -> bool | int | float | None:
    """Return the number that `value` is or, as a tensor or array of one element, holds, or None.

    Whoever asks for a number can make one of it by `float`, in PyTorch and in NumPy alike.
    """
    if isinstance(value, TensorData):
        value = value.values
    if isinstance(value, np.ndarray):
        return value.item() if value.size == 1 else None
    return value if isinstance(value, bool | int | float) else None


def _close(observed: np.ndarray, expected: np.ndarray, rtol: float) -> bool:
    if not expected.size:
        return True
    finite = np.isfinite(expected)
    one, other = observed.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(one[~finite], other[~finite], equal_nan=True):
        return False
    largest = np.abs(other[finite]).max(initial=0.0)
    return bool(np.all(np.abs(one[finite] - other[finite]) <= rtol * (largest + 0.1)))


def _same_error(observed: ErrorData, expected: ErrorData) -> bool:
    return observed.type == expected.type and _family(observed) == _family(expected)


def _family(error: ErrorData) -> str | None:
    return next((family for family in ERROR_FAMILIES if family in error.message), None)


def _cause(error: ErrorData) -> tuple[str, str]:
    if _OF_A_TUPLE.search(error.message):
        return "", "tuple"
    meaning = _MEANING.search(error.message)
    return ("", meaning[0]) if meaning else (error.type, _core(error.message))


def _core(message: str) -> str:
    return _STUDENTS_OWN.sub("", _NUMBER_OF_GRADIENTS.sub(_few_or_many, message))


def _few_or_many(found: re.Match[str]) -> str:
    return "too few" if int(found["got"]) < int(found["expected"]) else "too many"


# Japanese keyboards have wider letters, digits and blanks, and pages a longer minus sign.
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0x2212: "-"}
_MARGIN = f"\"'`{string.whitespace}"
_NUMBER = re.compile(r"[-+]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[-+]?\d{1,2})?", re.ASCII)

# Names that the student chose, and numbers that differ from run to run.
_STUDENTS_OWN = re.compile(
    r"\w+Backward\d*|(?<=[Oo]utput )\d+ of \w+|0x[0-9a-f]+|version \d+"
    # What kind of thing a hook returned in place of a gradient.
    r"|(?<=hook returned )'\w+'"
    # Which argument: the same mistake at another place.
    r"|(?<=argument )\d+"
    # Whose method was called with too few or too many arguments.
    r"|[\w.<>]+\.(?=\w+\(\) (?:takes|missing|got) )"
)
_OF_A_TUPLE = re.compile(
    r"'tuple'(?! object is not callable)|(?:must be Tensor, not|concatenate) tuple"
    r"|multiply sequence|converted to an index"
)
_MEANING = re.compile(r"\(a gradient is [^)]*\)$")
_NUMBER_OF_GRADIENTS = re.compile(r"\(expected (?P<expected>\d+), got (?P<got>\d+)\)")
