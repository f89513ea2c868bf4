"""Discretion: what of a verdict its student is not told, for it would show the checks' inputs.

The words of the judge hold no inputs. What a student's own code says of them while it is checked,
in an exception or by printing, is told without the numbers.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graders.verdict import Verdict

LEFT_OUT = "▒"
NUMBER = re.compile(r"(?<![A-Za-z_0-9])(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
FRACTION = re.compile(
    r"(?<![\w.])(?:\d+\.\d+|\.\d+|\d+\.(?=[],)])|\d+(?=[eE][+-]?\d))(?:[eE][+-]?\d+)?(?![\w]|\.\d)"
)


def without_numbers(text: str) -> str:
    """`text` with a mark in the place of each number."""
    return NUMBER.sub(LEFT_OUT, text)


def for_student(verdict: Verdict) -> Verdict:
    """`verdict` as its student may read it, in whatever format.

    Details of the checks are left out. In what an exception said while the code was checked, whole
    numbers stay: they are shapes, indices, versions.
    """
    if not verdict.checks:
        return verdict
    checks = tuple(replace(check, details="") for check in verdict.checks)
    if verdict.error is None and "`" not in verdict.summary:
        return replace(verdict, checks=checks)
    error = verdict.error and replace(
        verdict.error, message=FRACTION.sub(LEFT_OUT, verdict.error.message)
    )
    return replace(
        verdict, checks=checks, error=error, summary=FRACTION.sub(LEFT_OUT, verdict.summary)
    )
