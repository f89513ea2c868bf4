"""When a learner's answer counts as right, and how an answer is shown."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from graders.inputs import AN_ERROR

RELATIVE = 1e-4
ABSOLUTE = 6e-5
"""As far as four decimals are from a number."""

ITSELF = "[...]"
"""Stands for a list inside itself, as Python prints it."""


def same_answer(guess: Any, truth: Any) -> bool:
    """Whether a fair reader would accept `guess` for `truth`.

    Tensors and NumPy values are compared as Python values, numbers to four digits or decimals,
    lists and tuples alike, and words without regard to case and to what is between and around them.
    Exceptions, and all words for an error, are one word. A number or truth value may be given as
    text, anything as a list of one. True and False do not count as numbers, but 1 and 0 count as
    truth values.
    """
    guess, truth = plain(guess), plain(truth)
    if isinstance(guess, list) and len(guess) == 1 and not isinstance(truth, list | dict):
        return same_answer(guess[0], truth)
    if isinstance(truth, dict):
        return (
            isinstance(guess, dict)
            and guess.keys() == truth.keys()
            and all(same_answer(guess[key], truth[key]) for key in truth)
        )
    if isinstance(truth, list):
        return (
            isinstance(guess, list)
            and len(guess) == len(truth)
            and all(same_answer(one, other) for one, other in zip(guess, truth, strict=True))
        )
    if isinstance(truth, bool):
        return _as_bool(guess) is truth
    if isinstance(truth, (int, float)):
        return _same_number(_as_number(guess), float(truth))
    if isinstance(truth, str):
        return _words(guess) == _words(truth)
    if truth is None:
        return guess is None or _words(guess) == "none"
    return bool(guess == truth)


def plain(value: Any, around: tuple[Any, ...] = ()) -> Any:
    """`value` with tensors and arrays as Python values, tuples as lists, mappings as dicts.

    A container inside itself becomes ITSELF; `around` are the containers that `value` is in.
    """
    if hasattr(value, "tolist") and not isinstance(value, type):
        value = value.tolist()
    if any(value is each for each in around):
        return ITSELF
    around = (*around, value)
    if isinstance(value, (list, tuple)):
        return [plain(item, around) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item, around) for key, item in value.items()}
    return value


def shown(value: Any) -> str:
    """`value` as a learner would write it: numbers with six digits, words without quotes."""
    value = plain(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {shown(item)}" for key, item in value.items())
    return "…" if value is ... else str(value)


def _words(value: Any) -> str:
    kind = value if isinstance(value, type) else type(value)
    text = "error" if issubclass(kind, BaseException) else str(value)
    word = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", text).casefold()).strip("-")
    return "error" if word in AN_ERROR else word


def _as_bool(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(_words(value))
    return bool(value) if isinstance(value, (bool, int, float)) and value in (0, 1) else None


def _as_number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _same_number(guess: float | None, truth: float) -> bool:
    if guess is None:
        return False
    if math.isnan(truth):
        return math.isnan(guess)
    return math.isclose(guess, truth, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
