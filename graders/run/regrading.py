"""Decides what a run has to grade: what is new or has changed, and what --regrade asks for."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from graders.exercise import exercises_of
from graders.gradebook import Entry, Gradebook, Grading
from graders.run.seeds import Seeds
from graders.verdict import Verdict
from graders.wording import reworded

WORDS = ("all", "changed", "failed")
"""What --regrade takes besides students' names."""

STUDENT = "student:"
"""A prefix that a student's name may have, and needs if the name is one of WORDS."""

NOTHING_WRONG = frozenset({"passed", "not_attempted"})


class RegradingError(Exception):
    """--regrade names nobody in the class; the message suggests a similar name."""


@dataclass(frozen=True)
class Regrading:
    """Which unchanged submissions to grade again.

    Those that run number `since`, or a later one, has graded are left out: they have been graded
    again already, by an earlier start of the same run.
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
        names = words.difference(WORDS)
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
        """Whether the submission of `kept` is to be graded again."""
        if kept.run >= self.since:
            return False
        return (
            self.everything
            or kept.entry.student in self.students
            or (self.failed and any(v.status not in NOTHING_WRONG for v in kept.verdicts))
        )

    def __str__(self) -> str:
        """What was asked for, independent of the order of the words."""
        words = [
            word for word, asked in (("all", self.everything), ("failed", self.failed)) if asked
        ]
        return json.dumps([words, sorted(self.students)])


@dataclass
class Planning:
    """Decides which entries have to be run, and updates the results of the others without that.

    With `seeds`, only results on the inputs that these draw are kept. `reworded` counts the kept
    results that were updated to new points and words.
    """

    gradebook: Gradebook
    regrading: Regrading
    limits: Mapping[str, float]
    seeds: Seeds | None = None
    reworded: int = 0

    def has_to_run(self, entry: Entry) -> bool:
        """Whether there is no kept result for `entry` that can be used."""
        kept = self.gradebook.grading(entry)
        if kept is None or self.regrading.includes(kept):
            return True
        if not still_holds(kept, self.limits, self.seeds):
            return True
        if kept.entry.wording == entry.wording:
            return False
        verdicts = in_new_words(kept)
        if verdicts is None:
            return True
        self.gradebook.reword(entry, verdicts)
        self.reworded += 1
        return False


def still_holds(kept: Grading, limits: Mapping[str, float], seeds: Seeds | None = None) -> bool:
    """Whether running the submission of `kept` again could only give the same result."""
    if not kept.isolation:
        return False
    if seeds is not None and kept.seed != seeds.seed_of(kept.entry):
        return False
    return not kept.hit_a_limit or dict(kept.limits) == dict(limits)


def in_new_words(kept: Grading) -> list[Verdict] | None:
    """The verdicts of `kept` in today's points and words; None when that requires a new run."""
    exercises = exercises_of(kept.entry.lesson)
    found = {verdict.exercise: verdict for verdict in kept.verdicts}
    if [each.id for each in exercises] != list(found):
        return None
    verdicts = [reworded(exercise, found[exercise.id]) for exercise in exercises]
    return [each for each in verdicts if each is not None] if None not in verdicts else None


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'ada'?)` with the known name most similar to `name`; else empty."""
    similar = difflib.get_close_matches(name, sorted(known), n=1)
    return f" (did you mean {similar[0]!r}?)" if similar else ""
