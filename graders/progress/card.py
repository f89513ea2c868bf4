"""What `progress()` shows: lessons and exercises with their points, as HTML and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from graders.card import STYLE, anchor
from graders.exercise import Exercise, all_exercises
from graders.progress.kept import Best
from graders.progress.lesson import Row, passed, points
from graders.report.words import lesson_title, prose

BAR = 10
"""The number of squares in a bar."""

TABLE_STYLE = (
    ".al-progress table{border-collapse:collapse;margin:.4em 0}"
    ".al-card.al-progress tr>*{text-align:left;padding:.15em 1em .15em 0;font-weight:inherit;"
    "color:inherit;background:var(--jp-layout-color1,transparent)}"
    ".al-card.al-progress tr>.al-points{text-align:right;padding-right:0}"
    ".al-card.al-progress tr>.al-bar{white-space:nowrap;letter-spacing:.1em;"
    "color:color-mix(in srgb,var(--jp-success-color1,#388e3c) 85%,var(--jp-ui-font-color1,#000))}"
    ".al-card.al-progress li{display:list-item;margin-left:1em}"
)


class ProgressCard:
    """How far a learner has come. In a notebook it shows itself; `print` gives the same as text."""

    def __init__(self, bests: Mapping[str, Best]) -> None:
        self.lessons: dict[str, list[Row]] = {}
        for exercise in all_exercises():
            row = Row(exercise, bests.get(exercise.id))
            self.lessons.setdefault(exercise.lesson, []).append(row)

    @property
    def rows(self) -> list[Row]:
        """Every exercise, in the order of the lessons."""
        return [row for rows in self.lessons.values() for row in rows]

    @property
    def next(self) -> Exercise | None:
        """The first open exercise in the lesson last worked on or a later one, else in any."""
        begun = [(row.best.date, row.exercise.lesson) for row in self.rows if row.best]
        latest = max(begun, default=("", ""))[1]
        here = [row for row in self.rows if row.exercise.lesson >= latest]
        return next((row.exercise for row in [*here, *self.rows] if not row.passed), None)

    def __str__(self) -> str:
        return "\n".join(_text(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(_html(self))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def _text(card: ProgressCard) -> Iterator[str]:
    yield f"Your progress ({points(card.rows)})"
    width = max((len(lesson_title(lesson)) for lesson in card.lessons), default=0)
    for lesson, rows in card.lessons.items():
        yield f"  {lesson_title(lesson):<{width}}  {_bar(rows)}  {passed(rows)} · {points(rows)}"
        yield from (f"      {row}" for row in rows if row.best is not None)
    yield _suggestion(card, "{title} (lesson {lesson})")


def _html(card: ProgressCard) -> Iterator[str]:
    yield f"<style>{STYLE}{TABLE_STYLE}</style>"
    yield '<section class="al-card al-progress" aria-label="Your progress">'
    yield f'<p class="al-head"><span>Your progress</span> <span>({points(card.rows)})</span></p>'
    yield "<table>"
    for lesson, rows in card.lessons.items():
        link = f'<a href="{lesson}.ipynb">{escape(lesson_title(lesson))}</a>'
        yield f'<tr><th scope="row">{link}</th>'
        yield f'<td class="al-bar" aria-hidden="true">{_bar(rows)}</td>'
        yield f"<td>{passed(rows)}</td>"
        yield f'<td class="al-points">{points(rows)}</td></tr>'
    yield "</table>"
    if card.next is not None:
        where = f"{card.next.lesson}.ipynb{anchor('Exercise: ' + card.next.title)}"
        link = f'<a href="{escape(where)}">{{title}}</a> (lesson {{lesson}})'
        yield f"<p>{_suggestion(card, link, html=True)}</p>"
    else:
        yield f"<p>{_suggestion(card, '')}</p>"
    yield "<details><summary>Every exercise</summary>"
    for lesson, rows in card.lessons.items():
        yield f"<p>{escape(lesson_title(lesson))}</p><ul>"
        yield from (f"<li>{prose(str(row))}</li>" for row in rows)
        yield "</ul>"
    yield "</details></section>"


def _suggestion(card: ProgressCard, form: str, html: bool = False) -> str:
    if card.next is None:
        return "Everything is passed. What remains is to use it."
    title, lesson = card.next.title, lesson_title(card.next.lesson)
    if html:
        title, lesson = str(prose(title)), escape(lesson)
    begun = any(row.best is not None for row in card.rows)
    return f"{'Go on with' if begun else 'Begin with'}: {form.format(title=title, lesson=lesson)}"


def _bar(rows: list[Row]) -> str:
    earned, most = sum(row.points for row in rows), sum(row.exercise.points for row in rows)
    # A first point must show as one full square, and a missing point as one empty square.
    full = min(max(round(BAR * earned / most), earned > 0), BAR - (earned < most))
    return "■" * full + "□" * (BAR - full)
