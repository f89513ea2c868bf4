"""Recognition: where a solution's behaviour differs from the reference's, and whose it equals.

The reference and each misconception go through the same scenarios on the same inputs as the
student's solution. A misconception fits when, wherever its behaviour differs from the reference's,
the student's equals it; so it is recognised however the code is written.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from graders.draws import Draw, Draws
from graders.exercise import Check, Exercise, Misconception
from graders.judging.closeness import MISSING, meant, same, same_failure
from graders.judging.diagnosis import EXCEPTION, Deviation
from graders.observation import Observation
from graders.observe.codec import ErrorData, TensorData, plain
from graders.observe.lab import Lab, carry_out
from graders.verdict import StudentError

if TYPE_CHECKING:
    from graders.judging.worked_out import WorkedOut

Deviations = Mapping[str, Mapping[str, Deviation]]
"""By check, by record."""

OTHER_INPUTS = Draw(0)
"""On which nobody is checked: what a misconception does on them it mostly does on others too."""


@dataclass(frozen=True, eq=False)
class Recognised:
    """A misconception that fits, and the deviations that it explains: (check, record)."""

    misconception: Misconception
    explains: frozenset[tuple[str, str]]

    def is_about(self, check: Check) -> bool:
        """Return whether it explains anything that `check` saw."""
        return any(name == check.name for name, _ in self.explains)


def deviations_from_reference(
    exercise: Exercise, checks: Mapping[str, Observation], draws: Draws
) -> Deviations:
    """Return in which records `checks` differ from what the reference does on the same inputs."""
    nothing = Observation()
    found = {}
    for check in exercise.checks:
        draw = draws[check.name]
        seen, expected = checks.get(check.name, nothing), _behaviour(exercise, None, check, draw)
        if exercise.written:
            # A number in quotation marks is clear enough.
            seen = replace(seen, records=_as_meant(seen.records, expected.records))
        found[check.name] = _deviations(check, seen, expected, exercise.drawn(check, draw.seed))
    return found


def _as_meant(records: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
    """Return `records` with what was written in another way than asked for, but clearly enough."""
    return {name: meant(value, expected.get(name)) for name, value in records.items()}


def recognise(exercise: Exercise, deviations: Deviations, draws: Draws) -> tuple[Recognised, ...]:
    """Return the misconceptions that fit: first the one that explains most, then the others.

    Those that follow explain deviations that are still unexplained. On a tie the one listed first
    wins: the simpler idea.
    """
    open_questions = _questions(exercise.checks, deviations)
    fitting: list[Recognised] = []
    for misconception in exercise.misconceptions:
        answered = [each.explains for each in fitting]
        if explained := _explained(exercise, misconception, deviations, draws, answered):
            fitting.append(Recognised(misconception, frozenset(explained)))
        if explained == open_questions:
            break  # the others can do no better, and may take long
    chosen: list[Recognised] = []
    while fitting:
        best = max(fitting, key=lambda each: len(each.explains & open_questions))
        if not best.explains & open_questions:
            break
        chosen.append(best)
        open_questions -= best.explains
    return tuple(chosen)


def _questions(checks: Iterable[Check], deviations: Deviations) -> set[tuple[str, str]]:
    return {(check.name, name) for check in checks for name in deviations[check.name]}


_shared: ContextVar[WorkedOut | None] = ContextVar("shared", default=None)


def share(worked_out: WorkedOut | None) -> None:
    """From now on keep behaviours where other processes find them, too; None for no longer."""
    _shared.set(worked_out)


Of = TypeVar("Of")
Answer = Callable[[Exercise, Misconception | None, Check, Draw], Of]


def _kept(work_out: Answer[Of]) -> Answer[Of]:
    """Return `work_out` with a memory: long for inputs of many submissions, short for one's own."""
    many, own = functools.lru_cache(16_384)(work_out), functools.lru_cache(64)(work_out)
    return lambda exercise, whose, check, draw: (own if draw.own else many)(
        exercise, whose, check, draw
    )


@_kept
def _behaviour(
    exercise: Exercise, solution_of: Misconception | None, check: Check, draw: Draw
) -> Observation:
    """Return what the reference, or a misconception, does in one check."""

    def work_out() -> Observation:
        return _worked_out(exercise, solution_of, check, draw)

    shared = _shared.get()
    if shared is None or draw.own:
        return work_out()
    whose = "" if solution_of is None else solution_of.id
    seen: Observation = shared.get((exercise.id, whose, check.name, draw.seed), work_out)
    return seen


def _worked_out(
    exercise: Exercise,
    solution_of: Misconception | None,
    check: Check,
    draw: Draw,
    go_on: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Observation:
    """Return what is seen in `check`, to the case after which `go_on` has seen enough."""
    right = exercise.reference if check.stand_in is None else check.stand_in
    solution = right if solution_of is None else solution_of.solution
    inputs = exercise.inputs(check, draw.seed)
    lab = Lab(inputs, write=plain, go_on=go_on, is_reference=solution_of is None)
    error, stdout = carry_out(check.scenario, solution, lab)
    return Observation(lab.records, lab.notes, StudentError.from_json(error), stdout, sent=lab.sent)


def _explained(
    exercise: Exercise,
    misconception: Misconception,
    deviations: Deviations,
    draws: Draws,
    answered: Sequence[Set[tuple[str, str]]],
) -> set[tuple[str, str]]:
    """Return the records that `misconception` explains; none unless it fits in all it does.

    None, too, as soon as it can explain nothing beyond what an earlier one does: `answered` holds
    what each of those explains.
    """
    explained: set[tuple[str, str]] = set()
    checks = _telling_first(exercise, misconception, deviations, draws)
    for place, check in enumerate(checks):
        possible = explained | _questions(checks[place:], deviations)
        if not possible or any(possible <= each for each in answered):
            return set()
        students, draw = deviations[check.name], draws[check.name]
        if draw.own:
            its = _its_ways_while_alike(exercise, misconception, check, draw, students)
        else:
            its = _its_ways(exercise, misconception, check, draw)
        if not _all_alike(check, students, its):
            return set()
        explained.update((check.name, name) for name in its)
    if misconception.whole and explained != _questions(exercise.checks, deviations):
        return set()
    return set() if _by_nan_alone(explained, deviations) else explained


def _telling_first(
    exercise: Exercise, misconception: Misconception, deviations: Deviations, draws: Draws
) -> Sequence[Check]:
    """Return the checks in the order in which it shows with the least effort whether it fits.

    A check that takes long comes last, and before it those whose inputs are new to all: first where
    on other inputs the misconception does what the student does not, and more of it.
    """

    def effort(check: Check) -> tuple[bool, bool, int, int]:
        students, own = deviations[check.name], draws[check.name].own
        if check.costly or not own:
            return check.costly, own, 0, -len(students)
        its = _its_ways(exercise, misconception, check, OTHER_INPUTS)
        return check.costly, own, -len(its.keys() - students.keys()), -len(its)

    return sorted(exercise.checks, key=effort)


@_kept
def _its_ways(
    exercise: Exercise, misconception: Misconception | None, check: Check, draw: Draw
) -> Mapping[str, Any]:
    """Return what a misconception does otherwise than the reference, by record."""
    one = _with_exception(_behaviour(exercise, misconception, check, draw))
    other = _with_exception(_behaviour(exercise, None, check, draw))
    return {name: value for name, value, _ in _differing(check, one, other)}


def _its_ways_while_alike(
    exercise: Exercise,
    misconception: Misconception,
    check: Check,
    draw: Draw,
    students: Mapping[str, Deviation],
) -> Mapping[str, Any]:
    """Return the same, to the first case in which the student does not do so, too.

    On inputs that nobody else has nothing is remembered; most misconceptions are done with soon.
    """
    expected = _with_exception(_behaviour(exercise, None, check, draw))
    looked_at = 0

    def alike_so_far(records: Mapping[str, Any]) -> bool:
        nonlocal looked_at
        new = {name: records[name] for name in islice(records, looked_at, None)}
        looked_at = len(records)
        its = {name: value for name, value, _ in _differing(check, new, expected, new)}
        return _all_alike(check, students, its)

    one = _with_exception(_worked_out(exercise, misconception, check, draw, alike_so_far))
    return {name: value for name, value, _ in _differing(check, one, expected)}


def _all_alike(check: Check, students: Mapping[str, Deviation], its: Mapping[str, Any]) -> bool:
    """Return whether the student's is alike wherever a misconception does otherwise."""
    return all(name in students and _alike(check, students[name], its[name]) for name in its)


def _by_nan_alone(explained: set[tuple[str, str]], deviations: Deviations) -> bool:
    """Return whether all that is explained is not a number, while more is wrong beside it.

    Many ideas end in nan where there is no logarithm; it takes more to tell which one it was.
    """
    checks = {check for check, _ in explained}
    beside = any((check, name) not in explained for check in checks for name in deviations[check])
    return beside and all(_has_nan(deviations[check][name]) for check, name in explained)


def _has_nan(deviation: Deviation) -> bool:
    observed = deviation.observed
    return isinstance(observed, TensorData) and bool(np.isnan(observed.values).any())


def _alike(check: Check, students: Deviation, its: Any) -> bool:
    if check.judge is not None and students.observed is not MISSING:
        decided = check.judge(students.record, students.observed, students.expected)
        if decided is not None:
            return True  # both were found wrong by more than a comparison of values
    if isinstance(its, ErrorData):
        return same_failure(students.observed, its)
    if its is None and isinstance(students.observed, str):
        return students.observed.strip(" .").lower() == "none"
    return same(students.observed, its)


def _deviations(
    check: Check, observed: Observation, expected: Observation, inputs: Mapping[str, Any]
) -> dict[str, Deviation]:
    one, other = _with_exception(observed), _with_exception(expected)
    return {
        name: Deviation(
            name, value, wanted, _grad_output(name, expected), _others(name, other, inputs)
        )
        for name, value, wanted in _differing(check, one, other)
    }


def _differing(
    check: Check,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    names: Iterable[str] | None = None,
) -> Iterator[tuple[str, Any, Any]]:
    """Yield those of `names`, or of all, in which `one` is not right, and what both have there."""
    for name in {**other, **one} if names is None else names:
        value, wanted = one.get(name, MISSING), other.get(name, MISSING)
        if not _right(check, name, value, wanted):
            yield name, value, wanted


def _right(check: Check, name: str, value: Any, wanted: Any) -> bool:
    decided = None
    if check.judge is not None and value is not MISSING:
        decided = check.judge(name, value, wanted)
    return same(value, wanted) if decided is None else decided


def _with_exception(observation: Observation) -> Mapping[str, Any]:
    error = observation.error
    if error is None:
        return observation.records
    return {**observation.records, EXCEPTION: ErrorData(error.type, error.message)}


def _others(
    record: str, expected: Mapping[str, Any], inputs: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Return the arrays that a record may be confused with, by what to call them.

    For a gradient these are what the other gradients of its case should be, else the inputs.
    """
    case, _, subject = record.rpartition(": ")
    if not subject.startswith("gradient of "):
        specs = [spec for spec in inputs.get("cases", ()) if spec["name"] == case]
        found = {f"input {name}": value for spec in specs for name, value in spec["args"].items()}
        return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}
    return {
        name.rpartition(": ")[2]: value.values
        for name, value in expected.items()
        if name != record
        and name.startswith(f"{case}: gradient of ")
        and isinstance(value, TensorData)
    }


def _grad_output(record: str, expected: Observation) -> np.ndarray | None:
    case, colon, _ = record.rpartition(": ")
    return expected.sent.get(case + colon)
