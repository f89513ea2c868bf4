"""What was found in one exercise, without the points and the words that belong to the exercise.

It is kept beside the verdict made from it. When an exercise comes to be worth more, or to be put in
other words, a new verdict is made from the same assessment, and no student's code runs again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self


@dataclass(frozen=True)
class CheckAssessment:
    """What one check saw.

    `right` tells whether it saw nothing wrong itself, whatever it waits for; `reached` whether it
    came to see anything. `also` are the ids of the misconceptions, beyond the first, that explain
    something in it, and `details` are values. `explained` tells whether the first misconception
    explains anything in it, `unexplained` what is wrong if the only one explains nothing.
    `unanswered` is what keeps an answer beside those that are explained from being one at all.
    """

    name: str
    right: bool
    reached: bool = True
    also: tuple[str, ...] = ()
    details: str = ""
    explained: bool = False
    unexplained: str = ""
    unanswered: str = ""


@dataclass(frozen=True)
class Assessment:
    """What was found in one exercise, by ids.

    `status` is that of the verdict unless a check earns points. `summary` stands where nothing can
    be said of the checks. `misconceptions` begin with the one that explains most; without any,
    `diagnosis` is what there is to say.
    """

    status: str
    summary: str = ""
    diagnosis: str = ""
    misconceptions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    checks: tuple[CheckAssessment, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the assessment as JSON data, without what goes without saying."""
        return {**_said(self), "checks": [_said(check) for check in self.checks]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the assessment of which `to_json` made `data`."""
        given = dict(data)
        for name in ("misconceptions", "remarks"):
            given[name] = tuple(given.get(name, ()))
        given["checks"] = tuple(
            CheckAssessment(**{**check, "also": tuple(check.get("also", ()))})
            for check in given["checks"]
        )
        return cls(**given)


def _said(part: Assessment | CheckAssessment) -> dict[str, Any]:
    usual = {field.name: field.default for field in fields(part)}
    return {name: value for name, value in vars(part).items() if value != usual[name]}
