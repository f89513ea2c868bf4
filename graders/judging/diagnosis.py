"""What was observed, in words, when no known misconception explains it.

A diagnosis is one or two sentences: which value, in which way it is off, and the idea that such an
error points to. It never tells how to write the solution.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from graders.judging.closeness import MISSING, number_of, same
from graders.judging.relation import relate
from graders.observe.codec import ErrorData, Opaque, TensorData

EXCEPTION = "(exception)"
"""The name under which an exception that ended a check is compared, like a record."""

IS_A_DICT = "the answer is a dict"
"""The record by which the scenario `entries` says that it has found one."""

WHOLE = "answer"
"""The record of the scenario `value`, in which the symbol itself is the answer."""

SIDE_EFFECTS = {
    "backward leaves grad_output as it was": (
        "Your backward changes `grad_output` in place, although other operations may still need it."
    ),
    "backward leaves its inputs and its output as they were": (
        "Your backward changes an input or the output in place, although it may still be needed."
    ),
    "backward leaves what forward has kept as it was": (
        "Your backward changes what forward has kept for it, although a second pass would need it."
    ),
    "forward leaves its inputs as they were": (
        "Your forward changes its inputs in place, although they belong to the caller."
    ),
}
"""What to say where such a statement does not hold."""

KINDS_OF_VALUE = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a string",
    TensorData: "a tensor",
    np.ndarray: "a NumPy array",
    list: "a list",
    tuple: "a tuple",
    dict: "a dict",
    ErrorData: "an error",
    type(None): "None",
}


NO_WORDS: Mapping[str, Collection[str | None]] = {}


@dataclass(frozen=True, eq=False)
class Deviation:
    """One record in which a solution differs from the reference.

    `grad_output` is the gradient that was sent back in the record's case, None where none was;
    `others` are the arrays that it may have been mistaken for, by what to call them.
    """

    record: str
    observed: Any
    expected: Any
    grad_output: np.ndarray | None = None
    others: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def case(self) -> str:
        """The case that the record belongs to, "" for none."""
        return self.record.rpartition(": ")[0]

    @property
    def subject(self) -> str:
        """What was recorded, without the case."""
        return self.record.rpartition(": ")[2]


def most_telling(deviations: list[Deviation]) -> Deviation:
    """Return the deviation to speak about: an odd kind first, then a count, then the largest array.

    Where there are too few or too many, what stands beside what tells nothing. That two lists are
    not alike tells less than all of these.
    """

    def rank(deviation: Deviation) -> tuple[int, int]:
        observed = _array(deviation.observed)
        if deviation.record == EXCEPTION:
            return 1, 0
        if deviation.observed is MISSING:
            return 4, 0
        if observed is None or _array(deviation.expected) is None:
            return (3 if _is_collection(deviation) else 0), 0
        if deviation.subject.startswith("number of "):
            return 1, 1
        return 2, -min(observed.size, 100)

    return min(deviations, key=rank)


def _is_collection(deviation: Deviation) -> bool:
    """Return whether a list, or a dict, is as it should be but for what is in it."""
    kinds = list | tuple | dict
    return isinstance(deviation.observed, kinds) and isinstance(deviation.expected, kinds)


def diagnose(deviation: Deviation) -> str:
    """Return one or two sentences on `deviation`."""
    observed, expected, subject = deviation.observed, deviation.expected, deviation.subject
    where = f"For {deviation.case}, " if deviation.case else ""
    if deviation.record == EXCEPTION:
        if isinstance(observed, ErrorData):
            return f"The code stopped with {_told(observed)}"
        return "The code should have stopped with an error here, and did not."
    if observed is MISSING:
        return f"{where}{subject} could not be checked, because the code stopped before."
    if isinstance(expected, ErrorData):
        return _about_expected_error(subject, observed, expected)
    if isinstance(observed, ErrorData):
        return f"{_capitalised(where + subject)} raises {_told(observed)}"
    if isinstance(expected, bool) and isinstance(observed, bool) and " " in subject:
        if expected and subject in SIDE_EFFECTS:
            return SIDE_EFFECTS[subject]
        return _about_statement(f"{where}{subject}", expected)
    if isinstance(expected, dict) and isinstance(observed, dict):
        # The subject of statements, by what is stated of it; numbers beside them are their ground.
        for told, wanted in expected.items():
            if isinstance(wanted, bool) and observed.get(told) is not wanted:
                return _about_statement(f"{where}{subject} {told}", wanted)
    if isinstance(expected, str) and isinstance(observed, str):
        return f"{_capitalised(f'{where}the {subject} is {observed}')}; it should be {expected}."
    if not _of_right_kind(observed, expected):
        return _about_kinds(where, deviation)
    it = _capitalised(f"{where}the {subject}")
    if isinstance(expected, int) and not isinstance(expected, bool):
        # A count: no factor tells more than the two beside each other.
        return f"{it} is {show(_plain(observed))}, where {show(expected)} is expected."
    if isinstance(expected, bool | float):
        observed = _plain(observed)
    one, other = _array(observed), _array(expected)
    if one is not None and other is not None:
        gradient = "gradient" in subject
        relation = relate(one, other, deviation.grad_output, deviation.others, gradient=gradient)
        return f"{it} {relation}"
    # Its name may be in the plural.
    return f"{_capitalised(f'{where}this is not as it should be: the {subject}')}."


def incomplete(
    symbol: str,
    deviations: list[Deviation],
    words: Mapping[str, Collection[str | None]] = NO_WORDS,
    unasked: Sequence[str] = (),
) -> str:
    """Return what keeps answers from being answers at all, "" if they are only wrong.

    For exercises whose expected values are the solution: these words do not tell them. `words` are
    texts, or None, that may be answered, by record: for a text all there are, else what may stand
    in the place of a number. `unasked` are keys of the answer that the starter does not have.
    """
    if any(deviation.subject == IS_A_DICT for deviation in deviations):
        return f"`{symbol}` should be a dict with the keys of the starter."
    answered = [each for each in deviations if each.observed is not MISSING]
    empty = list(dict.fromkeys(each.subject for each in answered if _is_open(each)))
    if empty:
        names = ", ".join(f"`{symbol if name == WHOLE else name}`" for name in empty)
        missing = f"There is no answer yet for {names}."
        if not unasked:
            return missing
        return f"{missing} The starter has no key {_either([f'`{key}`' for key in unasked])}."
    for each in answered:
        asked = words.get(each.record, ())
        if each.record != EXCEPTION and not _is_answer(each, asked):
            name = symbol if each.record == WHOLE else each.subject
            needed = [KINDS_OF_VALUE.get(type(each.expected), "something else")]
            if asked:
                told = [f"`{named(word)}`" for word in asked]
                needed = told if isinstance(each.expected, str) else needed + told
            found = "another string" if _is_text(each) else _found(each)
            return f"Your answer for `{name}` is {found}, where {_either(needed)} is needed."
    return ""


def is_ground_alone(deviation: Deviation) -> bool:
    """Return whether it is not in what is stated that it deviates, but in the numbers beside it."""
    observed, expected = deviation.observed, deviation.expected
    if not (isinstance(observed, dict) and isinstance(expected, dict)):
        return False
    stated = {told: wanted for told, wanted in expected.items() if isinstance(wanted, bool)}
    return bool(stated) and all(observed.get(told) is wanted for told, wanted in stated.items())


def named(word: str | None) -> str:
    """Return `word` as it is written in Python, in the quotation marks that tasks use."""
    return f'"{word}"' if word else "None"


def side_effect(deviations: list[Deviation]) -> str:
    """Return what to say of the first thing that was changed and should not have been, or ""."""
    found = (SIDE_EFFECTS.get(each.subject, "") for each in deviations if each.observed is False)
    return next(filter(None, found), "")


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
    if isinstance(value, dict):
        entries = (f"{name}: {show(each)}" for name, each in islice(value.items(), 10))
        return "; ".join(entries) + ("; …" if len(value) > 10 else "")
    text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _labelled(label: str, text: str) -> str:
    """Put `label` before `text`, whose further lines stay aligned under the first."""
    return label + text.replace("\n", "\n" + " " * len(label))


def _about_expected_error(subject: str, observed: Any, expected: ErrorData) -> str:
    if isinstance(observed, ErrorData):
        return f"{_capitalised(subject)}: an error is expected, but not this one: {_told(observed)}"
    reasons = {
        "modified by an inplace operation": "backward computes with a changed value",
        "leaf Variable that requires grad": "the value of the leaf was overwritten",
    }
    found = [why for family, why in reasons.items() if family in expected.message]
    that = f" that {found[0]}" if found else ""
    return (
        f"{_capitalised(subject)}: nothing was raised, where a `{expected.type}` should warn{that}."
    )


def _about_statement(statement: str, wanted: bool) -> str:
    holds = "This should hold, but does not" if wanted else "This holds, but should not"
    return f"{holds}: {statement[:1].lower()}{statement[1:]}."


def _about_kinds(where: str, deviation: Deviation) -> str:
    subject = deviation.subject
    kind, _, name = subject.rpartition(" of ")
    if deviation.observed is None and kind.endswith("gradient"):
        return f"{_capitalised(where + f'no {kind} arrives at {name}')}: it is None."
    told = f"{where}the {subject} is {_found(deviation)}"
    return f"{_capitalised(told)}, where {_kind(deviation.expected)} is needed."


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


def _plain(value: Any) -> Any:
    """Return the number that `value` is or holds, else `value` itself."""
    number = number_of(value)
    return value if number is None else number


def _of_right_kind(observed: Any, expected: Any) -> bool:
    if isinstance(expected, bool):
        return number_of(observed) in (0, 1)
    if isinstance(expected, int | float):
        return number_of(observed) is not None
    if isinstance(expected, list | tuple):
        return isinstance(observed, list | tuple)
    return _kind(observed) == _kind(expected)


def _is_answer(deviation: Deviation, words: Collection[str | None]) -> bool:
    """Return whether it is of the kind asked for, and, if it is a text, one of `words`."""
    if not _is_text(deviation):
        return _of_right_kind(deviation.observed, deviation.expected)
    return not words or any(same(deviation.observed, word) for word in words)


def _is_text(deviation: Deviation) -> bool:
    return isinstance(deviation.observed, str) and isinstance(deviation.expected, str)


def _either(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def _kind(value: Any) -> str:
    kind = type(value)
    if kind is bool or kind is int:
        kind = float
    return KINDS_OF_VALUE.get(kind, "something else")


def _told(error: ErrorData) -> str:
    return f"`{error.type}`" + (f": {_sentence(error.message)}" if error.message.strip() else ".")


def _found(deviation: Deviation) -> str:
    value = deviation.observed
    if isinstance(value, Opaque):
        return show(value)
    if isinstance(value, bool):
        return KINDS_OF_VALUE[bool]
    array = value.values if isinstance(value, TensorData) else value
    if isinstance(array, np.ndarray) and isinstance(deviation.expected, int | float):
        return f"{_kind(value)} of shape {array.shape}"
    return _kind(value)


def _is_open(deviation: Deviation) -> bool:
    """Return whether it is as starters have it: None in a dict, an ellipsis everywhere."""
    answer = deviation.observed
    if answer is None:
        return deviation.record != WHOLE
    return isinstance(answer, Opaque) and answer.type == "ellipsis"


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    short = text if len(text) <= 160 else text[:160].rstrip() + "…"
    return short if short.endswith((".", "…", "!", "?")) else short + "."


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
