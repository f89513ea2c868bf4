"""The form for a prediction: which fields it has, and how they are read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any

from lessons.widgets.answers import plain

MAX_LENGTH = 200
"""The most characters in an answer."""

FEW = 4
"""With more words to choose from than this, none are offered, so that learners think first."""

TRUTH_VALUES = ("True", "False")


@dataclass(frozen=True)
class PredictionForm:
    """One field for an answer, or one for each part of it.

    `parts` is None for a single field, else it has the keys of a dict or the indices of a list.
    `choices` are the answers to choose from in every field; without any, the field is a text.
    """

    parts: tuple[Any, ...] | None
    listed: bool
    choices: tuple[str, ...]

    def html(self) -> str:
        """Return the form as HTML; submitting it sends the action `commit`."""
        button = '<button type="submit" class="al-commit">Commit</button>'
        same = 'data-al-do="commit" aria-label="Your prediction"'
        if self.parts is None:
            field = self._field("answer", "Your prediction")
            return f'<form class="al-form" {same}>{field}{button}</form>'
        labels = [f"{part + 1}." if self.listed else str(part) for part in self.parts]
        fields = "".join(self._field(f"part{place}", label) for place, label in enumerate(labels))
        # One width for all labels, so that the answers are aligned.
        width = f"--al-label:{max(map(len, labels), default=0) * 0.6 + 1:.1f}em"
        return f'<form class="al-form al-parts" style="{width}" {same}>{fields}{button}</form>'

    def read(self, fields: Mapping[str, Any]) -> Any:
        """Return the answer in the submitted `fields`, with an Ellipsis for an empty one."""
        if self.parts is None:
            return written(fields.get("answer"))
        answers = [written(fields.get(f"part{place}")) for place in range(len(self.parts))]
        return answers if self.listed else dict(zip(self.parts, answers, strict=True))

    def _field(self, name: str, label: str) -> str:
        label = escape(label)
        if not self.choices:
            return (
                f'<label><span>{label}</span> <input type="text" class="al-answer" name="{name}" '
                f'required maxlength="{MAX_LENGTH}" autocomplete="off" autocapitalize="off" '
                'spellcheck="false"></label>'
            )
        choices = "".join(
            f'<label class="al-choice"><input type="radio" name="{name}" '
            f'value="{escape(choice)}" required> {escape(choice)}</label>'
            for choice in self.choices
        )
        return f'<fieldset class="al-choices"><legend>{label}</legend>{choices}</fieldset>'


def form_for(
    guess: Any, truth: Any, foreseen: Iterable[Any], choices: Iterable[str] | None = None
) -> PredictionForm:
    """Return the form for a `guess` that still consists of `...`: a field for each of them.

    Without `choices`, a truth value is chosen from both, and a word from the foreseen ones if these
    are few. Other answers have to be written, because choices would make them too easy.
    """
    guess, truth = plain(guess), plain(truth)
    parts: tuple[Any, ...] | None = None
    if isinstance(guess, dict):
        parts = tuple(guess)
    elif isinstance(guess, list):
        parts = tuple(range(len(guess)))
    if choices is None:
        inner = truth if parts is not None else [truth]
        truths = list(inner.values()) if isinstance(inner, dict) else inner
        choices = _choices(truths, [] if parts is not None else [plain(each) for each in foreseen])
    return PredictionForm(parts, isinstance(guess, list), tuple(map(str, choices)))


def written(text: Any) -> Any:
    """Return what a learner means by `text`: a number, a list, True, None, or words.

    Nothing in it is evaluated. Quotes around words may be left out. The result is an Ellipsis for
    `...` and for an empty text, which are no answer.
    """
    text = str(text if text is not None else "").replace("\u2212", "-").strip()[:MAX_LENGTH]
    printed = re.fullmatch(r"tensor\((.*)\)", text)
    text = printed[1].strip() if printed else text
    if not text or text == "…":
        return ...
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    try:
        return float(Fraction(text.replace(" ", "")))
    except (ValueError, ArithmeticError):
        return text


def _choices(truths: Any, foreseen: list[Any]) -> tuple[str, ...]:
    if isinstance(truths, list) and truths and all(isinstance(each, bool) for each in truths):
        return TRUTH_VALUES
    possible = {*_words(truths), *_words(foreseen)}
    if foreseen and len(possible) == len(foreseen) + 1 <= FEW:
        return tuple(sorted(possible))
    return ()


def _words(answers: Any) -> set[str]:
    """Return those of `answers` that are words."""
    found = answers if isinstance(answers, list) else []
    return {each for each in found if isinstance(each, str)}
