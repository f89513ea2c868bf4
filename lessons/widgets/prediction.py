"""Predict first: a card that compares what the learner committed to with what is true.

It needs no widget manager. The learner writes `guess = …` in one cell; the next one reveals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from graders.card import STYLE
from lessons.widgets.answers import plain, same_answer, shown

State = Literal["none", "right", "wrong"]

SIGNS: dict[State, str] = {"none": "?", "right": "✓", "wrong": "✗"}
HEADS: dict[State, str] = {
    "none": "Nothing predicted yet",
    "right": "Predicted right",
    "wrong": "Not what happens",
}
CLASSES: dict[State, str] = {"none": "not_attempted", "right": "passed", "wrong": "failed"}
INVITATION = (
    "Put your answer in place of the … in the cell above, run it, and then run this cell again: "
    "what you have committed to yourself is what you will remember."
)


@dataclass(frozen=True, repr=False)
class PredictionCard:
    """What became of a prediction; a notebook shows it as a card, a terminal as text.

    `idea` is the idea behind a wrong answer that was foreseen, else empty.
    """

    state: State
    question: str
    guess: str
    truth: str
    idea: str
    explanation: str

    def __repr__(self) -> str:
        lines = [f"{SIGNS[self.state]} {HEADS[self.state]}"]
        lines += [self.question] if self.question else []
        if self.state == "none":
            return "\n".join([*lines, INVITATION, f"The answer is: {self.truth}"])
        lines.append(self._verdict())
        return "\n".join(lines + [line for line in (self.idea, self.explanation) if line])

    def _repr_html_(self) -> str:
        parts = [
            f"<style>{STYLE}</style>",
            f'<section class="al-card {CLASSES[self.state]}" '
            f'aria-label="Prediction: {HEADS[self.state]}">',
            f'<p class="al-head"><span>{SIGNS[self.state]} {HEADS[self.state]}</span></p>',
        ]
        if self.question:
            parts.append(_paragraph(self.question))
        if self.state == "none":
            parts.append(_paragraph(INVITATION))
            parts.append(
                "<details><summary>Show the answer without a prediction</summary>"
                f"{_paragraph(self.truth)}</details>"
            )
        else:
            texts = (self._verdict(), self.idea, self.explanation)
            parts += [_paragraph(text) for text in texts if text]
        return "\n".join([*parts, "</section>"])

    def _verdict(self) -> str:
        if self.state == "right":
            return f"You predicted it: {self.truth}."
        return f"You predicted {self.guess}. What happens: {self.truth}."


def reveal(
    guess: Any,
    truth: Any,
    because: Mapping[Any, str] | None = None,
    explain: str = "",
    question: str = "",
) -> PredictionCard:
    """Compare a committed guess with the truth.

    A guess that is still `...` (or a dict or list of nothing else) counts as no prediction: the
    card invites to commit first. `because` gives the idea behind each foreseen wrong answer;
    `explain` is said after right and wrong ones. Which answers count as equal: `same_answer`.
    """
    state: State = "right" if same_answer(guess, truth) else "wrong"
    state = "none" if _is_blank(guess) else state
    idea = ""
    if state == "wrong":
        foreseen = (says for wrong, says in (because or {}).items() if same_answer(guess, wrong))
        idea = next(foreseen, "")
    return PredictionCard(state, question, shown(guess), shown(truth), idea, explain)


def _is_blank(guess: Any) -> bool:
    guess = plain(guess)
    inner = list(guess.values()) if isinstance(guess, dict) else guess
    if isinstance(inner, list) and inner:
        return all(item is ... for item in inner)
    return guess is ...


def _paragraph(text: str) -> str:
    """Text as HTML; what stands between backticks is shown as code."""
    content = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return f"<p>{content}</p>"
