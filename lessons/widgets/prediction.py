"""Predict first: a card that compares the learner's prediction with the truth.

The learner writes `guess = …` in one cell, and the next cell reveals the truth. If the dots are
still there, the card asks for a prediction: in JupyterLab with a form, elsewhere in words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from graders.card import STYLE
from graders.last_cell import error_before
from graders.live import mimebundle, still
from graders.report.words import prose
from lessons.widgets.answers import plain, same_answer, shown
from lessons.widgets.prediction_form import PredictionForm, form_for, written

if TYPE_CHECKING:
    from graders.widget import LiveCard

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
INVITATION_HERE = (
    "Commit yourself, and then look: what you have committed to is what you will remember."
)
STOPPED = "The cell that you ran last stopped with an error, so there is no prediction yet."
QUOTES = "Words need quotation marks."
NO_WORD = "The answer is a word, and words need quotation marks."
NO_ANSWER = "There is no answer in it yet."
PREDICT_AGAIN = (
    '<form class="al-form" data-al-do="again">'
    '<button type="submit" class="al-again">Predict again</button></form>'
)

guess: Any = ...
"""No prediction yet: what lessons import under this name before anybody has made one."""

_committed: dict[tuple[Any, ...], Any] = {}
"""Predictions committed in cards, by the place of the `reveal`, because its cell may run again."""


@dataclass(frozen=True, repr=False)
class PredictionCard:
    """The outcome of a prediction; a notebook shows it as a card, a terminal as text.

    `idea` is the idea behind a foreseen wrong answer, else empty. `form`, `judge` and `place` are
    set if there is no prediction yet: the form for an answer, the function that makes an answer's
    card, and the place of the `reveal`. `caution` says what has become of a prediction.
    """

    state: State
    question: str
    guess: str
    truth: str
    idea: str
    explanation: str
    form: PredictionForm | None = field(default=None, compare=False)
    judge: Callable[[Any], PredictionCard] | None = field(default=None, compare=False)
    place: tuple[Any, ...] = field(default=(), compare=False)
    caution: str = ""

    def __repr__(self) -> str:
        lines = [f"{SIGNS[self.state]} {HEADS[self.state]}"]
        lines += [line for line in (self.caution, self.question) if line]
        if self.state == "none":
            return "\n".join([*lines, INVITATION, f"The answer is: {self.truth}"])
        lines.append(self._verdict())
        return "\n".join(lines + [line for line in (self.idea, self.explanation) if line])

    def _repr_html_(self) -> str:
        return self._html()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return mimebundle(self, self._live)

    def _live(self) -> LiveCard | None:
        form, judge = self.form, self.judge
        if form is None or judge is None:
            return None
        from graders.widget import LiveCard

        def answer(fields: Mapping[str, Any]) -> None:
            if fields.get("do") == "again":
                _committed.pop(self.place, None)
                card.show(*asked)
                return
            guess = form.read(fields)
            if _is_blank(guess):
                card.show(card.html, card.still, NO_ANSWER)
            else:
                _committed[self.place] = guess
                card.show(*told(guess))

        def told(guess: Any) -> tuple[str, dict[str, str]]:
            result = judge(guess)
            return result._html(PREDICT_AGAIN), still(result)

        asked = self._html(form.html()), still(self)
        before = _committed.get(self.place, ...)
        card = LiveCard(*(asked if before is ... else told(before)), answer)
        return card

    def _html(self, form: str = "") -> str:
        parts = [
            f"<style>{STYLE}</style>",
            f'<section class="al-card {CLASSES[self.state]}" '
            f'aria-label="Prediction: {HEADS[self.state]}">',
            f'<p class="al-head"><span>{SIGNS[self.state]} {HEADS[self.state]}</span></p>',
        ]
        if self.caution:
            parts.append(f"<p><strong>{prose(self.caution)}</strong></p>")
        if self.question:
            parts.append(_paragraph(self.question))
        if self.state == "none":
            parts += [_paragraph(INVITATION_HERE), form] if form else [_paragraph(INVITATION)]
            parts.append(
                "<details><summary>Show the answer without a prediction</summary>"
                f"{_paragraph(self.truth)}</details>"
            )
        else:
            texts = (self._verdict(), self.idea, self.explanation)
            parts += [_paragraph(text) for text in texts if text]
            parts += [form] if form else []
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
    choices: Iterable[str] | None = None,
) -> PredictionCard:
    """Compare a committed guess with the truth.

    A guess that is still `...` (or a dict or list of nothing else) counts as no prediction: the
    card asks to commit to one first. So does one that is left over from before, because the cell
    that should have set `guess` has stopped with an error, and one that is no text where only texts
    are foreseen. `because` maps foreseen wrong answers to the ideas behind them; `explain` is shown
    after right and wrong answers. `same_answer` decides which answers are equal. `choices` are the
    words to choose from, if they do not follow from `truth` and `because`. A prediction that was
    committed in the card is kept when the cell is run again.
    """
    because = because or {}

    def judge(guess: Any) -> PredictionCard:
        state: State = "right" if same_answer(guess, truth) else "wrong"
        ideas = (says for wrong, says in because.items() if same_answer(guess, wrong))
        idea = next(ideas, "") if state == "wrong" else ""
        return PredictionCard(state, question, shown(guess), shown(truth), idea, explain)

    caution = _caution(guess, [truth, *because])
    if caution:
        guess = dict.fromkeys(truth, ...) if isinstance(truth, Mapping) else ...
    if isinstance(guess, str):
        guess = written(guess)
    if not _is_blank(guess):
        return judge(guess)
    caller, answer = sys._getframe(1), shown(truth)
    place = (caller.f_code.co_filename, caller.f_lineno, question, answer)
    form = form_for(guess, truth, because, choices)
    return PredictionCard("none", question, "…", answer, "", explain, form, judge, place, caution)


def forget_predictions() -> None:
    """Forget all predictions that were committed in cards."""
    _committed.clear()


def _caution(guess: Any, foreseen: Iterable[Any]) -> str:
    """What to say if `guess` is no prediction, although it is something; else ""."""
    error = error_before("guess")
    if error is not None:
        return f"{STOPPED} {QUOTES}" if isinstance(error, NameError) else STOPPED
    # Who leaves out the quotation marks may hit upon a name that the lesson has given to something.
    no_word = guess is not ... and not isinstance(guess, str)
    return NO_WORD if no_word and all(isinstance(each, str) for each in foreseen) else ""


def _is_blank(guess: Any) -> bool:
    guess = plain(guess)
    inner = list(guess.values()) if isinstance(guess, dict) else guess
    if isinstance(inner, list) and inner:
        return all(item is ... for item in inner)
    return guess is ...


def _paragraph(text: str) -> str:
    return f"<p>{prose(text)}</p>"
