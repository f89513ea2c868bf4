"""Words and signs for verdicts, so that nothing is shown by colour alone."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from html import escape

from markupsafe import Markup

from graders.verdict import CheckReport

SYMBOLS = {
    "passed": "✓",
    "partial": "◐",
    "failed": "✗",
    "not_attempted": "\u2013",
    "error": "!",
    "timeout": "◷",
    "memory_limit": "▦",
    "blocked": "⊘",
}

LABELS = {
    "passed": "passed",
    "partial": "partly right",
    "failed": "not right yet",
    "not_attempted": "not attempted",
    "error": "stopped by an error",
    "timeout": "over the time limit",
    "memory_limit": "over the memory limit",
    "blocked": "blocked by the sandbox",
}

TIMED = {"seconds": "an exercise", "submission_seconds": "a submission"}
"""What each time limit applies to."""


def symbol(status: str) -> str:
    """The sign of `status`; a question mark for an unknown one."""
    return SYMBOLS.get(status, "?")


def check_sign(check: CheckReport) -> str:
    """The sign of a check: ✓, ✗, or dots when it waits for another check to pass."""
    return "✓" if check.passed else "…" if check.awaits else "✗"


def label(status: str) -> str:
    """`status` in a student's words."""
    return LABELS.get(status, status.replace("_", " "))


def lesson_title(lesson: str) -> str:
    """`07_custom_functions` as `7 · Custom functions`."""
    numbered = re.fullmatch(r"0*(\d+)_(.+)", lesson)
    if not numbered:
        return lesson.replace("_", " ").strip().capitalize() or "No lesson"
    return f"{numbered[1]} · {numbered[2].replace('_', ' ').capitalize()}"


@functools.lru_cache(maxsize=1024)
def prose(text: str) -> Markup:
    """`text` as HTML: what is between backticks becomes code, and everything is escaped."""
    parts = re.split(r"`([^`\n]+)`", text)
    return Markup(
        "".join(
            f"<code>{escape(part)}</code>" if place % 2 else escape(part)
            for place, part in enumerate(parts)
        )
    )


def percent(share: float) -> str:
    """`share`, from 0 to 1, as a whole percentage; 100% only for all, and 0% only for nothing."""
    whole = round(share * 100)
    if whole == 100 and share < 1:
        whole = 99
    return "<1%" if whole == 0 and share > 0 else f"{whole}%"


def duration(seconds: float) -> str:
    """`seconds` for people to read: 0.21 s, 4.2 s, 3 min 5 s."""
    if seconds < 1:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def limit(name: str, value: float) -> str:
    """A limit for people to read: times with what they apply to, bytes as MiB or KiB."""
    if name in TIMED:
        return f"{TIMED[name]}: {value:g} s"
    if name.endswith("_bytes"):
        size = f"{value / 2**20:g} MiB" if value >= 2**20 else f"{value / 2**10:g} KiB"
        return f"{name.removesuffix('_bytes').replace('_', ' ')}: {size}"
    return f"{name.replace('_', ' ')}: {value:g}"


def counted(count: int, thing: str, things: str = "") -> str:
    """`1 student`, `2 students`; `things` is the plural if it is irregular."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def encouragement(share: float, statuses: Collection[str]) -> str:
    """A sentence under a student's score, which is `share` of the points."""
    tried = set(statuses) - {"not_attempted"}
    if not tried:
        return "Nothing has been attempted yet. Each exercise below says where to start."
    if tried == {"error"}:
        return "None of this could be run. Below you can see what stopped it."
    if share >= 1:
        return "Everything is right. Well done!"
    if share >= 0.75:
        return "Nearly everything is right. What is not is explained below, with hints."
    if share >= 0.4:
        return "A good part is right. Below you can see what went wrong in each of the others."
    return (
        "You have made a start. Take one exercise at a time: each says what happened, with hints."
    )
