"""`check("fn-square")` in a notebook: observe and judge at once, and answer with a card."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graders import collector
from graders.card import Card
from graders.last_cell import error_before
from graders.verdict import Verdict

if TYPE_CHECKING:
    from graders.exercise import Exercise

SEED = 20_240
"""Fixed, so that a lesson's outputs are the same in every run."""

UNREAD = (
    "The cell that you ran last has a syntax error: none of it has run, and `{}` is what it was "
    "before. The error below that cell says where to look."
)
UNREACHED = (
    "The cell that you ran last stopped with an error, and `{}` is what it was before. The error "
    "below that cell says where to look."
)

ABSENT: Any = object()

Namespace = Mapping[str, Any]

_failures: dict[str, int] = {}


@dataclass(frozen=True)
class Seen:
    """The fingerprint of the object that was checked, and the verdict on it."""

    mark: str
    verdict: Verdict


def check(exercise: str, solution: Any = ABSENT) -> Card:
    """Check the exercise with the id `exercise` and return a card with what was found.

    By default `solution` is what the exercise's symbol (such as `Square`) names where `check` is
    called. Each further failing check of an exercise shows a more specific hint, three in all.
    Never raises; the learner's random numbers and grad mode stay as they are.
    """
    try:
        if solution is not ABSENT:
            return _check(exercise, solution)
        solution, namespace = _from_caller(exercise)
        return _check(exercise, solution, namespace)
    except Exception as error:
        return _could_not_look(exercise, error)


def forget_hints() -> None:
    """Begin with the first hint of every exercise again."""
    _failures.clear()


def _check(
    id: str, solution: Any, namespace: Namespace | None = None, before: Seen | None = None
) -> Card:
    # Imported on first use: `from graders import check` has to be quick.
    import autograd_core
    from graders.exercise import load
    from graders.observe.fingerprint import UNREADABLE
    from graders.observe.same_start import random_numbers_kept
    from graders.progress.kept import record
    from graders.pytorch import TOLD

    exercise = load(id)
    with random_numbers_kept(autograd_core), collector.on_new_objects():
        seen = _seen(exercise, solution, namespace)
    # Checking an unchanged answer again is no new attempt: it is not recorded and gives no hint.
    repeated = seen == before and seen.mark != UNREADABLE
    verdict, note = seen.verdict, ""
    caution = _caution(exercise.symbol)
    if repeated:
        note = (
            f"`{exercise.symbol}` is the same as before. "
            "If you have changed it, run its cell first, and then check again."
        )
    elif not caution and verdict.summary != TOLD:
        record(verdict)
    again = functools.partial(_again, id, namespace, seen) if namespace is not None else None
    if caution and verdict.status == "not_attempted":
        verdict = replace(verdict, summary="")
    if verdict.status in ("passed", "not_attempted") or verdict.summary == TOLD:
        return Card(verdict, again=again, note=note, caution=caution)
    further = not (repeated or caution)
    number = min(max(_failures.get(id, 0) + further, 1), len(exercise.hints))
    _failures[id] = number
    hints = exercise.hints[:number]
    return Card(
        verdict, hints[-1], number, earlier=hints[:-1], again=again, note=note, caution=caution
    )


def _caution(symbol: str) -> str:
    """What to know about `symbol` if the cell that should have bound it stopped; else ""."""
    error = error_before(symbol)
    if error is None:
        return ""
    return (UNREAD if isinstance(error, SyntaxError) else UNREACHED).format(symbol)


def _again(id: str, namespace: Namespace, before: Seen) -> Card:
    """Check the object that the exercise's symbol names now."""
    from graders.exercise import load

    try:
        return _check(id, namespace.get(load(id).symbol, ABSENT), namespace, before)
    except Exception as error:
        return _could_not_look(id, error, again=functools.partial(_again, id, namespace, before))


def _seen(exercise: Exercise, solution: Any, namespace: Namespace | None) -> Seen:
    from graders.draws import all_from
    from graders.judging.assessment import Assessment
    from graders.judging.judge import judge
    from graders.observation import Observation, Observations
    from graders.observe.fingerprint import fingerprint
    from graders.observe.lab import observe
    from graders.pytorch import TOLD, uses_pytorch
    from graders.reading.cells import alike
    from graders.reading.missed import about_unknown
    from graders.wording import worded

    if solution is ABSENT:
        names = [name for name in namespace or () if isinstance(name, str)]
        observations = Observations(found=False, instead=alike(exercise.symbol, names))
        return Seen("", judge(exercise, observations, all_from(exercise, SEED)))
    mark = fingerprint(solution)
    checks = {}
    if not exercise.untouched(mark):
        checks = {
            each.name: Observation.from_json(
                observe(each.scenario, solution, exercise.inputs(each, SEED))
            )
            for each in exercise.checks
        }
    errors = [each.error.message for each in checks.values() if each.error is not None]
    missed = [about_unknown(each, namespace) for each in errors] if namespace is not None else []
    observations = Observations(
        found=True, fingerprint=mark, checks=checks, missed=next(filter(None, missed), "")
    )
    verdict = judge(exercise, observations, all_from(exercise, SEED))
    if verdict.status not in ("passed", "not_attempted") and uses_pytorch(solution):
        # No section of the lesson is about this, and no hint.
        verdict = replace(worded(exercise, Assessment("failed", TOLD)), section="")
    return Seen(mark, verdict)


def _from_caller(id: str) -> tuple[Any, Namespace | None]:
    """Return the solution and the namespace to look it up in again.

    The namespace is None for a local variable, which is gone by the time the button is pressed.
    """
    from graders.exercise import load

    symbol = load(id).symbol
    frame = sys._getframe(2)
    if frame.f_locals is not frame.f_globals and symbol in frame.f_locals:
        return frame.f_locals[symbol], None
    return frame.f_globals.get(symbol, ABSENT), frame.f_globals


def _could_not_look(id: str, error: Exception, again: Callable[[], Card] | None = None) -> Card:
    # Compared by name: importing the module that defines the type may be what has failed.
    summary = (
        str(error)
        if type(error).__name__ == "UnknownExercise"
        else f"The check itself failed (`{type(error).__name__}`). "
        "Restart the kernel and run the cells from the top; if it happens again, please report it."
    )
    name = str(id)[:60] if isinstance(id, str) else "?"
    return Card(Verdict(name, "", name, "", "error", 0.0, 0.0, summary=summary), again=again)
