"""The judge: holds the reference beside what was observed, and turns differences into a verdict.

The reference and each misconception go through the same scenarios on the same inputs as the
student's solution. A misconception is recognised by what it does: wherever its behaviour differs
from the reference's, the student's equals it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from graders.closeness import MISSING, same, same_failure
from graders.diagnosis import (
    EXCEPTION,
    Deviation,
    describe_values,
    diagnose,
    incomplete,
    most_telling,
)
from graders.exercise import Check, Exercise, Misconception
from graders.observation import Observation, Observations
from graders.observe.codec import ErrorData, TensorData
from graders.observe.lab import observe
from graders.verdict import CheckReport, Verdict

HIDES_ANSWERS = ("predict", "explain")
"""Kinds of exercise whose expected values are the solution."""

STOPPED = {
    "timeout": "The code ran longer than the time limit. Is there a loop that never ends?",
    "memory_limit": "The code asked for more memory than the limit allows.",
    "blocked": "The code tried something that is not allowed while it is graded.",
}

Deviations = Mapping[str, Mapping[str, Deviation]]
"""By check, by record."""


def judge(exercise: Exercise, observations: Observations, seed: int) -> Verdict:
    """Return the verdict on `observations`, made on the inputs that `seed` draws."""
    verdict = functools.partial(_verdict, exercise, observations)
    if observations.stopped is not None:
        return verdict(observations.stopped, summary=STOPPED[observations.stopped])
    if not observations.found:
        if observations.error is not None:
            return verdict("error", summary=_about_error(exercise, observations))
        return verdict("not_attempted", summary=f"There is no `{exercise.symbol}` yet.")
    if exercise.untouched(observations.fingerprint):
        return verdict("not_attempted", summary="Not attempted yet: the cell is as it was.")

    nothing = Observation()
    deviations = {
        check.name: _deviations(
            check,
            observations.checks.get(check.name, nothing),
            _behaviour(exercise, None, check, seed),
        )
        for check in exercise.checks
    }
    passed = _passed(exercise, deviations)
    findings = () if all(passed.values()) else _recognised(exercise, deviations, seed)
    reports = tuple(_reports(exercise, deviations, passed, seed))
    points = round(sum(report.points for report in reports), 2)
    remarks = [
        remark.says
        for remark in exercise.remarks
        if all(passed.values()) and _applies(remark.applies, observations)
    ]
    return verdict(
        _status(passed, points, observations),
        points=points,
        findings=_names(exercise, findings, deviations),
        summary=_summary(exercise, findings, deviations, passed),
        checks=reports,
        misconception=findings[0].id if findings else None,
        remarks=tuple(remarks),
        error=observations.error or _first_error(observations),
    )


def _verdict(exercise: Exercise, observations: Observations, status: str, **more: Any) -> Verdict:
    printed = [observations.output, *(seen.stdout for seen in observations.checks.values())]
    fields: dict[str, Any] = {
        "points": 0.0,
        "error": observations.error,
        "output": next((text for text in printed if text.strip()), ""),
        **more,
    }
    return Verdict(
        exercise=exercise.id,
        lesson=exercise.lesson,
        title=exercise.title,
        symbol=exercise.symbol,
        status=status,
        max_points=float(exercise.points),
        **fields,
    )


def _status(passed: Mapping[str, bool], points: float, observations: Observations) -> str:
    if all(passed.values()):
        return "passed"
    if points:
        return "partial"
    return "error" if observations.error is not None else "failed"


@functools.lru_cache(maxsize=16_384)
def _behaviour(
    exercise: Exercise, solution_of: Misconception | None, check: Check, seed: int
) -> Observation:
    """Return what the reference, or a misconception, does in one check."""
    solution = solution_of.solution if solution_of is not None else exercise.reference
    return Observation.from_json(observe(check.scenario, solution, exercise.inputs(check, seed)))


def _deviations(check: Check, observed: Observation, expected: Observation) -> dict[str, Deviation]:
    one, other = _with_exception(observed), _with_exception(expected)
    found = {}
    for name in {**other, **one}:
        value, wanted = one.get(name, MISSING), other.get(name, MISSING)
        if not _right(check, name, value, wanted):
            found[name] = Deviation(name, value, wanted, _grad_output(name, expected))
    return found


def _right(check: Check, name: str, value: Any, wanted: Any) -> bool:
    decided = None
    if check.judge is not None and value is not MISSING:
        decided = check.judge(name, value, wanted)
    return same(value, wanted) if decided is None else decided


def _with_exception(observation: Observation) -> dict[str, Any]:
    error = observation.error
    raised = {} if error is None else {EXCEPTION: ErrorData(error.type, error.message)}
    return {**observation.records, **raised}


def _grad_output(record: str, expected: Observation) -> Any:
    case = record.rpartition(": ")[0]
    noted = expected.notes.get(f"{case}: grad_output" if case else "grad_output")
    return noted.values if isinstance(noted, TensorData) else None


def _passed(exercise: Exercise, deviations: Deviations) -> dict[str, bool]:
    own = {check.name: not deviations[check.name] for check in exercise.checks}
    return {
        check.name: own[check.name] and all(own[name] for name in check.after)
        for check in exercise.checks
    }


def _recognised(exercise: Exercise, deviations: Deviations, seed: int) -> tuple[Misconception, ...]:
    """Return the misconceptions that fit: first the one that explains most, then the others.

    Those that follow explain deviations that are still unexplained. On a tie the one listed first
    wins: the simpler idea.
    """
    fitting = {
        misconception: explained
        for misconception in exercise.misconceptions
        if (explained := _explained(exercise, misconception, deviations, seed))
    }
    open_questions = {(check, name) for check, found in deviations.items() for name in found}
    chosen: list[Misconception] = []
    while fitting:
        best = max(fitting, key=lambda each: len(fitting[each] & open_questions))
        if not fitting[best] & open_questions:
            break
        chosen.append(best)
        open_questions -= fitting.pop(best)
    return tuple(chosen)


def _explained(
    exercise: Exercise, misconception: Misconception, deviations: Deviations, seed: int
) -> set[tuple[str, str]]:
    """Return the records that `misconception` explains; none unless it fits in all it does."""
    explained = set()
    for check in exercise.checks:
        behaviour = _behaviour(exercise, misconception, check, seed)
        expected = _behaviour(exercise, None, check, seed)
        for name, its in _deviations(check, behaviour, expected).items():
            students = deviations[check.name].get(name)
            if students is None or not _alike(check, students, its):
                return set()
            explained.add((check.name, name))
    return explained


def _alike(check: Check, students: Deviation, its: Deviation) -> bool:
    if check.judge is not None and students.observed is not MISSING:
        decided = check.judge(students.record, students.observed, students.expected)
        if decided is not None:
            return True  # both were found wrong by more than a comparison of values
    if isinstance(its.observed, ErrorData):
        return same_failure(students.observed, its.observed)
    return same(students.observed, its.observed)


def _reports(
    exercise: Exercise, deviations: Deviations, passed: Mapping[str, bool], seed: int
) -> list[CheckReport]:
    weights = sum(check.weight for check in exercise.checks)
    reports: list[CheckReport] = []
    done, given = 0, 0.0
    told = {""}
    for check in exercise.checks:
        # Rounding the running total keeps the parts' sum exactly the exercise's points.
        done += check.weight
        worth = round(exercise.points * done / weights - given, 2)
        given += worth
        found = list(deviations[check.name].values())
        details = _details(exercise, check, found, seed)
        reports.append(
            CheckReport(
                name=check.name,
                passed=passed[check.name],
                points=worth if passed[check.name] else 0.0,
                max_points=worth,
                says=check.passes if passed[check.name] else _says(check, found),
                details="" if details in told else details,
            )
        )
        told.add(details)
    return reports


def _says(check: Check, found: list[Deviation]) -> str:
    if not found:
        return f"“{check.name}” counts once {_listed(check.after)} is right."
    # What was not reached is no evidence for what `fails` claims.
    if all(each.record == EXCEPTION or each.observed is MISSING for each in found):
        return f"Could not look at “{check.name}”: the code stopped."
    return check.fails


def _details(exercise: Exercise, check: Check, found: list[Deviation], seed: int) -> str:
    if not found or exercise.kind in HIDES_ANSWERS:
        return ""
    deviation = most_telling(found)
    values = describe_values(deviation, exercise.inputs(check, seed))
    return f"{diagnose(deviation)}\n{values}".strip()


def _names(
    exercise: Exercise, findings: tuple[Misconception, ...], deviations: Deviations
) -> tuple[str, ...]:
    if findings:
        return tuple(each.id for each in findings)
    return tuple(check.name for check in exercise.checks if deviations[check.name])


def _summary(
    exercise: Exercise,
    findings: tuple[Misconception, ...],
    deviations: Deviations,
    passed: Mapping[str, bool],
) -> str:
    if all(passed.values()):
        return "Everything is right."
    right = [check.passes for check in exercise.checks if passed[check.name] and not check.after]
    if findings:
        return " ".join([*right[:1], findings[0].says])
    wrong = next(check for check in exercise.checks if deviations[check.name])
    if exercise.kind in HIDES_ANSWERS:
        everything = [each for found in deviations.values() for each in found.values()]
        return incomplete(exercise.symbol, everything) or " ".join([*right[:1], wrong.fails])
    return " ".join([*right[:1], diagnose(most_telling(list(deviations[wrong.name].values())))])


def _about_error(exercise: Exercise, observations: Observations) -> str:
    error = observations.error
    assert error is not None
    return f"The cell stopped with `{error.type}` before `{exercise.symbol}` was defined."


def _first_error(observations: Observations) -> Any:
    errors = [seen.error for seen in observations.checks.values() if seen.error is not None]
    return next((error for error in errors if error.line is not None), None)


def _applies(applies: Any, observations: Observations) -> bool:
    return any(applies(seen.notes) for seen in observations.checks.values())


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"“{name}”" for name in names)
