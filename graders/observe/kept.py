"""All that is remembered before any student's code runs, in one piece.

Frames alone hold it, and those nobody may look at (see `graders.observe.guard`): what a module
holds, or a cached function returns, is rewritten by whoever asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType

from graders.observe import guard, pristine, stillness


@dataclass(frozen=True, slots=True)
class Kept:
    """What is put back before a solution is looked at, and what tells that somebody was at it."""

    surroundings: pristine.Pristine
    operators: pristine.Pristine
    parts: pristine.Parts
    still: stillness.Question
    askers: Mapping[CodeType, guard.Asker]


def remember() -> Kept:
    """See what is to be put back before a solution is looked at, and hold fast what can be."""
    stillness.import_all()
    surroundings, operators = pristine.surroundings(), pristine.operators()
    others = [*surroundings.modules, *surroundings.classes, *operators.modules, sys]
    parts = pristine.Parts(others)
    guard.freeze([*pristine.observers().classes, *stillness.operators()])
    # Before the builtins, too, are given a registry of warnings, which other modules would hide.
    askers = guard.trusted()
    still = stillness.kept_still(parts, surroundings.classes_of(pristine.WITH_CLASSES))
    return Kept(surroundings, operators, parts, still, askers)
