"""What `progress("07")` shows at the top of a lesson: what is passed, and what comes next.

In JupyterLab it is live: every check updates it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from graders.card import SIGNS, STYLE, anchor
from graders.exercise import Exercise, exercises_of
from graders.live import mimebundle, still
from graders.progress.kept import Best, bests, watch
from graders.report.words import counted, label, prose

if TYPE_CHECKING:
    from graders.widget import LiveCard

STEPS_STYLE = (
    ".al-card.al-lesson{display:flex;flex-wrap:wrap;gap:.3em 1em;"
    "align-items:center;padding:.4em 1em}"
    ".al-card.al-lesson p{margin:0}.al-card.al-lesson .al-next{flex-basis:100%}"
    ".al-card.al-lesson .al-points{margin-left:auto}"
    ".al-card.al-lesson .al-steps{display:flex;flex-wrap:wrap;gap:.35em;margin:0;padding:0}"
    ".al-card.al-lesson .al-steps li{display:block}"
    "section.al-card a.al-step{display:block;box-sizing:border-box;width:1.9em;line-height:1.7em;"
    "text-align:center;border:1px solid var(--jp-border-color1,#767676);border-radius:4px;"
    "color:var(--jp-ui-font-color1,inherit);text-decoration:none}"
    "section.al-card a.al-step:hover{background:var(--jp-layout-color2,rgba(128,128,128,.15))}"
    "section.al-card a.al-step.begun{border-color:var(--jp-warn-color1,#b26a00)}"
    "section.al-card a.al-step.passed{border-color:var(--jp-success-color1,#388e3c);"
    "box-shadow:inset 0 0 0 1px var(--jp-success-color1,#388e3c)}"
)


@dataclass(frozen=True)
class Row:
    """An exercise and the learner's best result in it; points are those of today's exercise."""

    exercise: Exercise
    best: Best | None

    @property
    def passed(self) -> bool:
        """Whether the exercise was passed once."""
        return self.best is not None and self.best.status == "passed"

    @property
    def points(self) -> float:
        """The points earned: the share of the best result, of what the exercise is worth today."""
        return round(self.best.share * self.exercise.points, 2) if self.best else 0.0

    @property
    def status(self) -> str:
        """The best status so far."""
        return self.best.status if self.best is not None else "not_attempted"

    def __str__(self) -> str:
        tries = ""
        if self.best is not None:
            tries = f" · {counted(self.best.tries, 'try', 'tries')} · {self.best.date[:10]}"
        earned = f"{self.points:g} of {self.exercise.points:g} points"
        return f"{sign(self)} {self.exercise.title} · {label(self.status)} ({earned}){tries}"


class LessonProgress:
    """The progress in one lesson. In a notebook it shows itself, and every check updates it."""

    def __init__(self, lesson: str, bests: Mapping[str, Best]) -> None:
        self.lesson = lesson
        self.rows = [Row(exercise, bests.get(exercise.id)) for exercise in exercises_of(lesson)]

    @property
    def next(self) -> Exercise | None:
        """The first exercise of the lesson that is not passed."""
        return next((row.exercise for row in self.rows if not row.passed), None)

    def __str__(self) -> str:
        signs = " ".join(
            sign(row) if row.best else str(place) for place, row in enumerate(self.rows, 1)
        )
        title = self.next.title if self.next else ""
        return f"This lesson: {passed(self.rows)} · {points(self.rows)}\n{signs}\n" + (
            self._suggestion(title)
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(self._html())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return mimebundle(self, self._live)

    def _live(self) -> LiveCard:
        from graders.widget import LiveCard

        shown = LiveCard(self._repr_html_(), still(self))

        def renew() -> None:
            now = LessonProgress(self.lesson, bests())
            shown.show(now._repr_html_(), still(now))

        watch(self.lesson, renew)
        return shown

    def _html(self) -> Iterator[str]:
        yield f"<style>{STYLE}{STEPS_STYLE}</style>"
        state = "" if self.next else " passed"
        about = "Your progress in this lesson"
        yield f'<section class="al-card al-lesson{state}" aria-label="{about}">'
        yield f"<p><strong>This lesson:</strong> {passed(self.rows)}</p>"
        yield '<ol class="al-steps" aria-label="Exercises">'
        for place, row in enumerate(self.rows, 1):
            title = row.exercise.title.replace("`", "")
            said = escape(f"{title} · {label(row.status)}")
            begun = "passed" if row.passed else "begun" if row.best else "untouched"
            yield f'<li><a class="al-step {begun}" title="{said}" aria-label="{said}"'
            yield f"{_target(row.exercise)}>{sign(row) if row.best else place}</a></li>"
        yield f'</ol><p class="al-points">{points(self.rows)}</p>'
        if self.next:
            title = f"<a{_target(self.next)}>{prose(self.next.title)}</a>"
            yield f'<p class="al-next">{self._suggestion(title)}</p></section>'
        else:
            yield f'<p class="al-next">{self._suggestion("")}</p></section>'

    def _suggestion(self, title: str) -> str:
        if self.next is None:
            return "✓ Every exercise of this lesson is passed."
        begun = any(row.best is not None for row in self.rows)
        return f"{'Go on with' if begun else 'Begin with'}: {title}"


def sign(row: Row) -> str:
    """Return the sign of the best status so far."""
    return SIGNS.get(row.status, "✗")


def points(rows: list[Row]) -> str:
    """Return the points of `rows` in words."""
    earned, most = sum(row.points for row in rows), sum(row.exercise.points for row in rows)
    return f"{round(earned, 2):g} of {most:g} points"


def passed(rows: list[Row]) -> str:
    """Return in words how many of `rows` are passed."""
    exercises = counted(len(rows), "exercise")
    return f"{sum(row.passed for row in rows)} of {exercises} passed"


def _target(exercise: Exercise) -> str:
    """Return the attributes of a link to the exercise's heading in its notebook."""
    heading = f"Exercise: {exercise.title}"
    words = f' data-al-heading="{escape(heading.replace("`", ""))}"'
    address = anchor(heading)
    return words + (f' href="{escape(address)}"' if address else ' href="#"')
