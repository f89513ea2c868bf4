"""What lies behind some frequent failures, beside the words in which they are told."""

from __future__ import annotations

import re
from collections.abc import Callable

from autograd_core.autograd import Function
from graders.exercise import Exercise
from graders.judging.diagnosis import Deviation
from graders.observe.codec import ErrorData

ARGUMENTS = (
    "forward is given `ctx` (unless there is a `setup_context`) and the arguments of `apply`, "
    "backward `ctx` and a gradient for each output."
)
NOTHING_SAVED = "`saved_tensors` holds what forward has saved, and here that is nothing."
NAME_OF_FORWARD = (
    "The names of forward are unknown in backward: what it needs from there has to be kept."
)

FREQUENT: dict[str, str] = {
    r"\b(forward|backward)\(\) (takes|missing) ": ARGUMENTS,
    r"^not enough values to unpack \(expected \d+, got 0\)": NOTHING_SAVED,
}
"""What errors in a Function mean, by a pattern of their messages."""


def meaning(exercise: Exercise, deviation: Deviation) -> str:
    """Return a sentence on what `deviation` may come from, "" where no such thing is known."""
    observed, subject = deviation.observed, deviation.subject
    if observed is None and subject in ("output", "result"):
        return "Perhaps a `return` is missing."
    forward = _forward(exercise)
    if forward is None:
        return ""
    if observed is None and subject.startswith("gradient of "):
        return "Perhaps a `return` is missing in backward."
    if not isinstance(observed, ErrorData):
        return ""
    unknown = re.match(r"name '(\w+)' is not defined", observed.message)
    if unknown is not None and unknown[1] in forward.__code__.co_varnames:
        return NAME_OF_FORWARD
    found = (says for words, says in FREQUENT.items() if re.search(words, observed.message))
    return next(found, "")


def _forward(exercise: Exercise) -> Callable[..., object] | None:
    """Return the reference's forward, None where no Function is asked for."""
    kind = exercise.reference
    if isinstance(kind, type) and issubclass(kind, Function):
        return kind.forward
    return None
