"""The prediction gate: what to ask before a step is revealed, and what wrong answers come from.

The ideas behind wrong answers are the graders' own where they have one: same id, same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.exercise import load
from lessons.widgets.stepper.acts import Act, Appear, Collect, Fail, Sent, Spot, Visit
from lessons.widgets.stepper.atlas import BEFORE
from lessons.widgets.stepper.prose import TIMES, called, say
from lessons.widgets.stepper.values import factor

MOST = 3
TOLERANCE = 1e-3
FOURTH_DECIMAL = 6e-5
STALE = (
    "You expect backward to go on with whatever the memory holds by now. Its versions are compared "
    "first, because the gradient would be wrong and nobody would notice."
)
RAISES, SENDS, ZEROS = "PyTorch raises", "a gradient, of the new values", "zeros"
ASKED_BEFORE = (
    "That passes the place where it was asked. But a tensor is asked, not a place, and since the "
    "change in place the tensor stands further down."
)
BOTH_KEPT = "You add up both gradients. They belong to different values, and only one is kept."
NONE, ZERO, SOME = "None", "a tensor of zeros", "another tensor"

Told = Sequence[tuple[Act, dict[str, Any]]]


@dataclass(frozen=True)
class Question:
    """A question before a step: a number, or one of several choices.

    `wrong` gives for answers that were foreseen the exercise and the id of the misconception, or
    no exercise and the words.
    """

    step: dict[str, Any]
    text: str
    truth: str
    says: str
    wrong: Mapping[str, tuple[str, str]]
    choices: tuple[str, ...] = ()

    @property
    def tolerance(self) -> float:
        """How far, relatively, an answer may be off: four decimals have to be enough."""
        try:
            return max(TOLERANCE, FOURTH_DECIMAL / max(abs(float(self.truth)), FOURTH_DECIMAL))
        except ValueError:
            return TOLERANCE

    @property
    def shown(self) -> str:
        """The truth as it is shown: a number like all others in the story, with four decimals."""
        return self.truth if self.choices else say(np.float64(self.truth))


def ask(told: Told) -> dict[str, Any]:
    """Put a few questions before steps of a story, and return their answers by token."""
    kinds = [
        list(found)
        for found in (
            _refusals(told),
            _absent(told),
            _moved_requests(told),
            _meetings(told),
            _additions(told),
            _slopes(told),
        )
    ]
    chosen = [found[0] for found in kinds if found][:MOST]
    place = {id(step): number for number, (_, step) in enumerate(told)}
    answers = {}
    for number, question in enumerate(sorted(chosen, key=lambda each: place[id(each.step)])):
        token = f"q{number}"
        question.step["question"] = {
            "text": question.text,
            "kind": "choice" if question.choices else "number",
            "choices": list(question.choices),
            "token": token,
        }
        answers[token] = {
            "truth": question.truth,
            "shown": question.shown,
            "tolerance": question.tolerance,
            "says": question.says,
            "wrong": [
                {
                    "answer": answer,
                    "misconception": idea[0] and "/".join(idea),
                    "says": _words(*idea),
                }
                for answer, idea in question.wrong.items()
            ],
        }
    return answers


def _words(exercise: str, idea: str) -> str:
    if not exercise:
        return idea
    says = next(each.says for each in load(exercise).misconceptions if each.id == idea)
    return f"`{idea}`: {says}"


def _number(value: Any) -> str:
    return f"{float(value):.6g}"


def _wrong(truth: Any, foreseen: Sequence[tuple[Any, str, str]]) -> dict[str, tuple[str, str]]:
    """Foreseen wrong numbers that differ from the truth and from each other, the first of each."""
    taken = [float(truth)]
    wrong = {}
    for value, exercise, idea in foreseen:
        if not any(np.isclose(float(value), each, 2 * TOLERANCE, 1e-6) for each in taken):
            taken.append(float(value))
            wrong[_number(value)] = exercise, idea
    return wrong


def _visits(told: Told) -> Iterator[tuple[Visit, dict[str, Any]]]:
    for act, step in told:
        if isinstance(act, Visit) and step["sweeps"]["reverse"] == 1:
            yield act, step


def _is_number(sent: Sent) -> bool:
    numbers = (sent.upstream, sent.local, sent.contribution)
    return all(isinstance(each, np.ndarray) and not each.ndim for each in numbers)


def _amount(number: np.ndarray | None) -> float:
    assert number is not None, "asked only of what `_is_number`"
    return float(number)


def _meetings(told: Told) -> Iterator[Question]:
    """The step in which the last of several contributions arrives where paths meet."""
    arrived: dict[Spot, list[tuple[Sent, dict[str, Any]]]] = {}
    for act, step in _visits(told):
        for sent in act.sent:
            if sent.contribution is not None:
                arrived.setdefault(sent.link.source, []).append((sent, step))
    for spot, parts in arrived.items():
        steps = [step for _, step in parts]
        sents = [sent for sent, _ in parts]
        if len(parts) < 2 or steps[-1] is steps[-2] or not all(map(_is_number, sents)):
            continue
        if not (spot.name and sents[-1].link.target.name):
            continue
        numbers = [_amount(sent.contribution) for sent in sents]
        truth, last = sum(numbers), sents[-1]
        words = " + ".join(
            [say(sents[0].contribution), *[factor(say(s.contribution)) for s in sents[1:]]]
        )
        yield Question(
            steps[-1],
            f"{say(last.upstream)} has arrived at {called(last.link.target)}, and the slope there "
            f"is {say(last.local)}. Once that is sent on, what is the whole gradient at "
            f"{called(spot)}?",
            _number(truth),
            f"Where paths meet, what arrives is added: {words} = {say(np.float64(truth))}.",
            _wrong(
                truth,
                [
                    (numbers[-1], "graph-tape", "overwrites"),
                    (numbers[0], "graph-tape", "first-one-wins"),
                    (np.prod(numbers), "graph-tape", "multiplies-at-meetings"),
                    (sum(numbers[:-1]) + float(last.upstream), "graph-tape", "without-slopes"),
                ],
            ),
        )


def _slopes(told: Told) -> Iterator[Question]:
    """The step in which an operation sends different numbers to its two inputs."""
    for act, step in _visits(told):
        sent = [each for each in act.sent if each.contribution is not None]
        if len(sent) != 2 or not all(map(_is_number, sent)) or not act.spot.name:
            continue
        one, other = sent
        truth = _amount(one.contribution)
        if np.isclose(truth, _amount(other.contribution)) or _amount(one.upstream) == 1:
            continue
        yield Question(
            step,
            f"{say(one.upstream)} has arrived at {called(act.spot)}, which is made by "
            f"{act.spot.function}. How much of it goes to {called(one.link.source)}?",
            _number(truth),
            f"Upstream times local: {say(one.upstream)}{TIMES}{factor(say(one.local))} = "
            f"{say(one.contribution)}.",
            _wrong(
                truth,
                [
                    (other.contribution, "graph-reverse", "swapped"),
                    (one.upstream, "graph-tape", "without-slopes"),
                ],
            ),
        )


def _additions(told: Told) -> Iterator[Question]:
    """The step in which a leaf has a gradient already."""
    for act, step in told:
        if not isinstance(act, Collect) or act.before is None or act.arrived is None:
            continue
        if act.before.size != 1 or act.after is None:
            continue
        name = called(act.spot)
        truth, before, arrived = act.after.item(), act.before.item(), act.arrived.item()
        yield Question(
            step,
            f"{name}.grad is {say(act.before)}, and {say(act.arrived)} arrives. What is it then?",
            _number(truth),
            f"Backward adds: {say(act.before)} + {factor(say(act.arrived))} = {say(act.after)}.",
            _wrong(
                truth,
                [
                    (arrived, "reqgrad-backward-twice", "overwrites"),
                    (before * arrived, "reqgrad-backward-twice", "gradients-multiply"),
                ],
            ),
        )


def _refusals(told: Told) -> Iterator[Question]:
    """The step in which something stale would be read."""
    for act, step in told:
        if isinstance(act, Fail) and act.spot is not None and "inplace operation" in act.error:
            name = called(act.spot)
            yield Question(
                step,
                f"Now {act.spot.function} needs what it had kept. What does it send on from "
                f"{name}?",
                RAISES,
                "The slot was kept at another version than the memory has now; reading it raises.",
                {SENDS: ("", STALE)},
                (SENDS, ZEROS, RAISES),
            )


def _absent(told: Told) -> Iterator[Question]:
    """The beginning of a backward that will not come to one of the leaves."""
    begins = [step for _, step in told if step["title"] == "Backward begins"]
    reached = {act.spot for act, _ in told if isinstance(act, Collect)}
    if not begins or not reached or any(isinstance(act, Fail) for act, _ in told):
        return
    cut = [spot for spot in _leaves(told) if spot not in reached]
    for spot in cut:
        name = called(spot)
        yield Question(
            begins[0],
            f"Backward begins. What will {name}.grad be when it is over?",
            NONE,
            f"No recorded path leads from the result to {name}, so nobody comes by.",
            {
                SOME: ("leaf-grads", "detach-lets-gradients-through"),
                ZERO: ("leaf-grads", "unused-means-zero"),
            },
            (NONE, ZERO, SOME),
        )


def _moved_requests(told: Told) -> Iterator[Question]:
    """The beginning of a backward past a tensor that was asked, and changed in place since."""
    begins = [step for _, step in told if step["title"] == "Backward begins"]
    visits = [act for act, _ in _visits(told)]
    arrived = {act.spot.name: act.arrived for act in visits if act.arrived is not None}
    for act in visits:
        name = act.spot.name
        before = arrived.get(f"{name}{BEFORE}")
        if act.kept is None or before is None or act.kept.size != 1 or before.size != 1:
            continue
        truth, other = act.kept.item(), before.item()
        yield Question(
            begins[0],
            f"{name} was asked to keep its gradient, and then changed in place. One gradient will "
            f"pass {name} as it is now, another one {name} as it was before. What will {name}.grad "
            "be?",
            _number(truth),
            f"The request goes with the tensor: {name} keeps what passes {name} as it is now.",
            _wrong(truth, [(other, "", ASKED_BEFORE), (truth + other, "", BOTH_KEPT)]),
        )


def _leaves(told: Told) -> list[Spot]:
    return [
        spot
        for act, _ in told
        if isinstance(act, Appear)
        for spot in act.spots
        if spot.kind == "leaf" and spot.facts.get("requires_grad") == "True"
    ]
