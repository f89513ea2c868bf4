"""The instructor's report and each student's feedback, as HTML.

Each page is one file that needs no network. Jinja escapes whatever a student typed, including names
and output; a content security policy forbids every script but the page's own.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from graders.exercise import UnknownExercise, load
from graders.export import by_hand, number
from graders.gradebook import Grading
from graders.isolation import limitations
from graders.judging.discretion import LEFT_OUT, for_student
from graders.report import words
from graders.report.data import embedded, page_data
from graders.report.summary import ClassSummary, Student, counted_answers
from graders.verdict import Verdict

EXCERPT = 2000
FIRST = 10
"""How many items of a long list the page shows at first."""
SCRIPTS = ("report.js", "heatmap.js", "table.js")
CONTROLS = dict.fromkeys({*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A, 0x0D})


def report_page(summary: ClassSummary, files: Mapping[str, str] | None = None) -> str:
    """The instructor's page. `files` maps students to the names of their feedback files."""
    links = {
        student: f"feedback/{quote(name, safe='')}.html" for student, name in (files or {}).items()
    }
    script = "\n".join(_asset(name) for name in SCRIPTS)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            summary=summary,
            links=links,
            isolations={name: limitations(name) for name in summary.isolations},
            first=FIRST,
            data=Markup(embedded(page_data(summary, links))),
            script=Markup(script),
            policy=_policy(script),
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        )
    )


def feedback_page(student: str, gradings: Sequence[Grading]) -> str:
    """What `student` may see of their own gradings: neither hidden inputs nor the reference."""
    return (
        _environment()
        .get_template("feedback.html.j2")
        .render(
            student=Student(student, tuple(gradings), counted_answers(gradings)),
            article=article,
            policy=_policy(),
        )
    )


class Article(Markup):
    """A finished part of a page, without control characters."""


@functools.lru_cache(maxsize=1024)
def article(verdict: Verdict, place: int, counts: bool) -> Article:
    """What a student may see of `verdict`, in the lesson at `place` on their page.

    `counts`: it is the student's best verdict on the exercise. Cached, because many students get
    the same article.
    """
    return Article(
        _environment()
        .get_template("article.html.j2")
        .render(
            verdict=for_student(verdict),
            place=place,
            counts=counts,
            hints=hints(verdict.exercise),
            left_out=LEFT_OUT,
        )
    )


@functools.cache
def hints(exercise: str) -> tuple[str, ...]:
    """The hints of `exercise`, from general to specific; none when there is no such exercise."""
    try:
        return load(exercise).hints
    except UnknownExercise:
        return ()


def excerpt(text: str, longest: int = EXCERPT) -> str:
    """The beginning and the end of `text`, with a note of how much is left out between them."""
    text = text.strip("\n")
    if len(text) <= longest:
        return text
    half = longest // 2
    left_out = len(text) - 2 * half
    return f"{text[:half]}\n… {left_out:,} characters left out …\n{text[-half:]}"


def by_lesson(exercises: Iterable[object]) -> list[tuple[str, int]]:
    """The lessons of `exercises`, in order, each with the number of its exercises."""
    counts: dict[str, int] = {}
    for exercise in exercises:
        lesson = str(getattr(exercise, "lesson", ""))
        counts[lesson] = counts.get(lesson, 0) + 1
    return list(counts.items())


@functools.cache
def _policy(script: str = "") -> str:
    allowed = "'none'"
    if script:
        allowed = f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; base-uri 'none'"


def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8").strip()


def _shown(value: Any) -> Any:
    """`value` without control characters, which are invalid in HTML and obeyed by terminals."""
    if not isinstance(value, str) or isinstance(value, Article):
        return value
    return value.translate(CONTROLS)


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("graders.report", ""),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        prose=words.prose,
        number=number,
        by_hand=by_hand,
        percent=words.percent,
        duration=words.duration,
        symbol=words.symbol,
        check_sign=words.check_sign,
        limit=words.limit,
        label=words.label,
        lesson_title=words.lesson_title,
        counted=words.counted,
        encouragement=words.encouragement,
        excerpt=excerpt,
        by_lesson=by_lesson,
    )
    environment.globals["statuses"] = list(words.SYMBOLS)
    return environment
