"""What a run has to grade: what is new or has changed, and what was asked for besides."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from graders.exercise import exercises_of
from graders.gradebook import Entry, Gradebook, Grading
from graders.seeds import Seeds
from graders.verdict import Verdict
from graders.wording import reworded

STUDENT = "student:"
"""What a student's name may have before it; has to, when it is one of the words."""

NOTHING_WRONG = frozenset({"passed", "not_attempted"})


class RegradingError(Exception):
    """Nobody could be meant by what was asked for; the message says who could."""


@dataclass(frozen=True)
class Regrading:
    """Which unchanged submissions are to be graded again nevertheless.

    Not those that runs of the number `since` or later have graded: they have done so already.
    """

    everything: bool = False
    failed: bool = False
    students: frozenset[str] = frozenset()
    since: int = sys.maxsize

    @classmethod
    def asked(cls, words: Iterable[str], students: Collection[str]) -> Self:
        """What `words` ask for: all, changed, failed, or the name of one of `students`.

        Raises RegradingError for any other word.
        """
        words = set(words)
        names = {word for word in words if word not in ("all", "changed", "failed")}
        chosen = frozenset(
            name if name in students else name.removeprefix(STUDENT) for name in names
        )
        for name in sorted(chosen - set(students)):
            raise RegradingError(
                f"Nobody called {name!r} has handed anything in{nearest(name, students)}."
                " --regrade takes all, changed, failed or a student's name."
            )
        return cls("all" in words, "failed" in words, chosen)

    def includes(self, kept: Grading) -> bool:
        """Whether the submission of `kept` is among them."""
        if kept.run >= self.since:
            return False
        return (
            self.everything
            or kept.entry.student in self.students
            or (self.failed and any(v.status not in NOTHING_WRONG for v in kept.verdicts))
        )

    def __str__(self) -> str:
        """What was asked for, whatever the order of words."""
        words = [
            word for word, asked in (("all", self.everything), ("failed", self.failed)) if asked
        ]
        return json.dumps([words, sorted(self.students)])


@dataclass(frozen=True)
class Plan:
    """What is to be run, and how many kept results were put in new points and words instead."""

    to_run: Sequence[Entry]
    reworded: int


def plan(
    gradebook: Gradebook,
    entries: Iterable[Entry],
    regrading: Regrading,
    limits: Mapping[str, float],
    seeds: Seeds | None = None,
) -> Plan:
    """Decide which of `entries` have to be run, and bring the others up to date without it.

    With `seeds` only what was found on the inputs that they draw counts as done.
    """
    to_run, count = [], 0
    for entry in entries:
        kept = gradebook.grading(entry)
        if kept is None or regrading.includes(kept) or not still_holds(kept, limits, seeds):
            to_run.append(entry)
        elif kept.entry.wording != entry.wording:
            verdicts = in_new_words(kept)
            if verdicts is None:
                to_run.append(entry)
            else:
                gradebook.reword(entry, verdicts)
                count += 1
    return Plan(to_run, count)


def still_holds(kept: Grading, limits: Mapping[str, float], seeds: Seeds | None = None) -> bool:
    """Whether running the submission of `kept` again could only find the same."""
    if not kept.isolation:
        return False
    if seeds is not None and kept.seed != seeds.seed_of(kept.entry):
        return False
    return not kept.hit_a_limit or dict(kept.limits) == dict(limits)


def in_new_words(kept: Grading) -> list[Verdict] | None:
    """The verdicts of `kept` as its exercises would put them now; None where that takes a run."""
    exercises = exercises_of(kept.entry.lesson)
    found = {verdict.exercise: verdict for verdict in kept.verdicts}
    if [each.id for each in exercises] != list(found):
        return None
    verdicts = [reworded(exercise, found[exercise.id]) for exercise in exercises]
    return [each for each in verdicts if each is not None] if None not in verdicts else None


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'ada'?)`, where anything known is like `name`."""
    similar = difflib.get_close_matches(name, sorted(known), n=1)
    return f" (did you mean {similar[0]!r}?)" if similar else ""
