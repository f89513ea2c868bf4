"""All that is remembered before any student's code runs, in one object.

Only frames hold this object, because students' code may not look at frames (see
`graders.observe.guard`). It could find, and rewrite, what a module or a cache holds.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from graders.observe import immutable, pristine, stack, stillness
from graders.observe.askers import Asker, trusted
from graders.observe.parts import Parts


@dataclass(frozen=True, slots=True)
class Kept:
    """What is restored before a solution is observed, and what shows that it was tampered with."""

    surroundings: pristine.Pristine
    operators: pristine.Pristine
    parts: Parts
    still: stillness.Question
    askers: Mapping[int, Asker]


def remember() -> Kept:
    """Remember what is restored before a solution is observed, and freeze what can be frozen."""
    stillness.import_all()
    surroundings, operators = pristine.surroundings(), pristine.operators()
    others = [*surroundings.modules, *surroundings.classes, *operators.modules, sys]
    parts = Parts(others)
    immutable.freeze([*pristine.observers().classes, *stillness.operators()])
    # Before `kept_still`, which adds a registry of warnings to the builtins as well: modules that
    # have one of their own would then seem to hide it.
    stack.be_careful()
    askers = trusted(parts)
    still = stillness.kept_still(parts, surroundings.classes_of(pristine.WITH_CLASSES))
    return Kept(surroundings, operators, parts, still, askers)
