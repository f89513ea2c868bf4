"""What the exercises in which hooks are registered know about hooks that cannot be called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graders.judging.diagnosis import Deviation
from graders.observe.codec import ErrorData

ARGUMENT = "If this is your hook: the engine calls it with one argument, the gradient."

OF_A_FUNCTION_INSIDE = re.compile(r"\.<locals>\.[\w<>]+\(\) (takes 0|missing [1-9]) ")


def takes_other_arguments(deviations: Sequence[Deviation]) -> str:
    """Return what a hook is given, if a function within the student's own takes something else."""
    failures = [each.observed for each in deviations if isinstance(each.observed, ErrorData)]
    found = any(OF_A_FUNCTION_INSIDE.search(each.message) for each in failures)
    return ARGUMENT if found else ""
