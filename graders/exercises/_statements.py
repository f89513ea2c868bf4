"""Statements to be called true or false: what the exercises that are made of them share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graders.exercise import Check, Misconception
from graders.inputs import keys
from graders.observe import scenarios


@dataclass(frozen=True)
class Statement:
    """A statement of an exercise: its key, its words, whether it is true.

    `says` is the idea behind the wrong verdict on it, `idea` the id under which that is named.
    """

    key: str
    idea: str
    words: str
    true: bool
    says: str


def truth(statements: Iterable[Statement]) -> dict[str, bool]:
    """Return the right verdicts by key."""
    return {each.key: each.true for each in statements}


def listed(statements: Iterable[Statement]) -> str:
    """Return the list of the statements that ends a task, each behind its key."""
    return "\n".join(f"- `{each.key}`: {each.words}" for each in statements)


def starter(statements: Iterable[Statement]) -> str:
    """Return a cell with room for a verdict on each statement."""
    return "".join(
        ["verdicts = {\n", *(f'    "{each.key}": None,\n' for each in statements), "}\n"]
    )


def theme(name: str, what: str, letters: str) -> Check:
    """Return the check of the verdicts on `what`, whose keys are single letters."""
    return Check(
        name,
        1,
        scenarios.entries,
        keys(*letters),
        passes=f"Your verdicts on {what} are right.",
        fails=f"Not all of your verdicts on {what} are right ({', '.join(letters)}).",
    )


def misconceptions(statements: tuple[Statement, ...]) -> tuple[Misconception, ...]:
    """Return the idea behind the wrong verdict on each statement, and that of swapped verdicts."""
    right = truth(statements)
    return (
        *(
            Misconception(each.idea, each.says, right | {each.key: not each.true})
            for each in statements
        ),
        Misconception(
            "everything-turned-round",
            "Each of your verdicts is the opposite of what holds, so you can tell the statements "
            "apart. Check whether you have swapped `True` and `False`.",
            {key: not true for key, true in right.items()},
        ),
    )
