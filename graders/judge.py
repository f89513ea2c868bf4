"""The judge: holds the reference beside what was observed, and turns differences into a verdict."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from graders.closeness import MISSING
from graders.diagnosis import (
    EXCEPTION,
    Deviation,
    describe_values,
    diagnose,
    incomplete,
    most_telling,
    side_effect,
)
from graders.exercise import Check, Exercise
from graders.observation import Observations
from graders.recognition import Deviations, Recognised, deviations_from_reference, recognise
from graders.verdict import PROCESS_ENDED, CheckReport, StudentError, Verdict

HIDES_ANSWERS = ("predict", "explain")
"""Kinds of exercise whose expected values are the solution."""

STOPPED = {
    "timeout": "The code ran longer than the time limit. Is there a loop that never ends?",
    "memory_limit": "The code asked for more memory than the limit allows.",
    "blocked": "The code tried something that is not allowed while it is graded.",
}


def judge(exercise: Exercise, observations: Observations, seed: int) -> Verdict:
    """Return the verdict on `observations`, made on the inputs that `seed` draws."""
    verdict = functools.partial(_verdict, exercise, observations)
    if observations.stopped is not None:
        return verdict(observations.stopped, summary=STOPPED[observations.stopped])
    if not observations.found:
        if observations.error is not None:
            return verdict("error", summary=_about_error(exercise, observations.error))
        return verdict("not_attempted", summary=f"There is no `{exercise.symbol}` yet.")
    if exercise.untouched(observations.fingerprint):
        return verdict("not_attempted", summary="Not attempted yet: the cell is as it was.")

    deviations = deviations_from_reference(exercise, observations.checks, seed)
    passed = _passed(exercise, deviations)
    everything = all(passed.values())
    findings = () if everything else recognise(exercise, deviations, seed)
    reports = tuple(_reports(exercise, deviations, passed, findings, seed))
    points = round(sum(report.points for report in reports), 2)
    return verdict(
        _status(passed, points, observations),
        points=points,
        findings=_names(exercise, findings, deviations),
        summary=_summary(exercise, findings, deviations, passed),
        checks=reports,
        misconception=findings[0].misconception.id if findings else None,
        remarks=_remarks(exercise, observations) if everything else (),
        error=observations.error or _first_error(observations),
    )


def _verdict(exercise: Exercise, observations: Observations, status: str, **more: Any) -> Verdict:
    printed = [observations.output, *(seen.stdout for seen in observations.checks.values())]
    fields: dict[str, Any] = {
        "points": 0.0,
        "error": observations.error,
        "output": _printable(next((text for text in printed if text.strip()), "")),
        **more,
    }
    return Verdict(
        exercise=exercise.id,
        lesson=exercise.lesson,
        title=exercise.title,
        symbol=exercise.symbol,
        status=status,
        max_points=float(exercise.points),
        section=exercise.section,
        **fields,
    )


def _printable(text: str) -> str:
    """Drop the control characters that neither a page nor a terminal should be given."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


def _status(passed: Mapping[str, bool], points: float, observations: Observations) -> str:
    if all(passed.values()):
        return "passed"
    if points:
        return "partial"
    return "error" if observations.error is not None else "failed"


def _passed(exercise: Exercise, deviations: Deviations) -> dict[str, bool]:
    own = {check.name: not deviations[check.name] for check in exercise.checks}
    return {
        check.name: own[check.name] and all(own[name] for name in check.after)
        for check in exercise.checks
    }


def _reports(
    exercise: Exercise,
    deviations: Deviations,
    passed: Mapping[str, bool],
    findings: tuple[Recognised, ...],
    seed: int,
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
        awaited = tuple(name for name in check.after if deviations[name])
        # The first finding is the verdict's summary.
        also = [each.misconception.says for each in findings[1:] if each.is_about(check)]
        seen = "" if awaited else _details(exercise, check, found, seed)
        details = "\n".join([*also, seen]).strip()
        reports.append(
            CheckReport(
                name=check.name,
                passed=passed[check.name],
                points=worth if passed[check.name] else 0.0,
                max_points=worth,
                says=check.passes if passed[check.name] else _says(check, found, awaited),
                details="" if details in told else details,
            )
        )
        told.add(details)
    return reports


def _says(check: Check, found: list[Deviation], awaited: tuple[str, ...]) -> str:
    # With what it builds on wrong, a deviation here need not have a cause of its own.
    if awaited:
        return f"“{check.name}” counts once {_listed(awaited)} is right."
    # What was not reached is no evidence for what `fails` claims.
    if all(each.record == EXCEPTION or each.observed is MISSING for each in found):
        return f"Could not look at “{check.name}”: the code stopped."
    return check.fails


def _details(exercise: Exercise, check: Check, found: list[Deviation], seed: int) -> str:
    if not found or exercise.kind in HIDES_ANSWERS:
        return ""
    deviation = most_telling(found)
    values = describe_values(deviation, exercise.inputs(check, seed))
    return f"{diagnose(deviation)}\n{values}"


def _names(
    exercise: Exercise, findings: tuple[Recognised, ...], deviations: Deviations
) -> tuple[str, ...]:
    if findings:
        return tuple(each.misconception.id for each in findings)
    return tuple(check.name for check in exercise.checks if deviations[check.name])


def _summary(
    exercise: Exercise,
    findings: tuple[Recognised, ...],
    deviations: Deviations,
    passed: Mapping[str, bool],
) -> str:
    if all(passed.values()):
        return "Everything is right."
    right = [check.passes for check in exercise.checks if passed[check.name] and not check.after]
    if findings:
        named = findings[0].misconception.says
        besides = _beside(exercise, findings, deviations)
        return f"{named} Besides: {besides}" if besides else " ".join([*right[:1], named])
    wrong = next(check for check in exercise.checks if deviations[check.name])
    if exercise.kind in HIDES_ANSWERS:
        everything = [each for found in deviations.values() for each in found.values()]
        return incomplete(exercise.symbol, everything) or " ".join([*right[:1], wrong.fails])
    told = diagnose(most_telling(list(deviations[wrong.name].values())))
    # What is changed in place may be the reason for everything else.
    changed = side_effect([each for found in deviations.values() for each in found.values()])
    return f"{told} {changed}" if changed not in ("", told) else " ".join([*right[:1], told])


def _beside(exercise: Exercise, findings: tuple[Recognised, ...], deviations: Deviations) -> str:
    """Return a sentence on what a single finding leaves unexplained in a weightier check, or ""."""
    if len(findings) > 1 or exercise.kind in HIDES_ANSWERS:
        return ""
    explained = findings[0].explains
    weight = max(check.weight for check in exercise.checks if findings[0].is_about(check))
    for check in exercise.checks:
        found = deviations[check.name]
        unexplained = [each for name, each in found.items() if (check.name, name) not in explained]
        if unexplained and len(unexplained) == len(found) and check.weight > weight:
            return _first_sentence(diagnose(most_telling(unexplained)))
    return ""


def _first_sentence(text: str) -> str:
    first, mark, _ = text.partition(". ")
    return first[:1].lower() + first[1:] + mark.strip()


def _remarks(exercise: Exercise, observations: Observations) -> tuple[str, ...]:
    notes = [seen.notes for seen in observations.checks.values()]
    return tuple(
        remark.says for remark in exercise.remarks if any(remark.applies(each) for each in notes)
    )


def _about_error(exercise: Exercise, error: StudentError) -> str:
    if error.type == PROCESS_ENDED:
        return error.message
    return f"The cell stopped with `{error.type}` before `{exercise.symbol}` was defined."


def _first_error(observations: Observations) -> StudentError | None:
    errors = [seen.error for seen in observations.checks.values() if seen.error is not None]
    return next((error for error in errors if error.line is not None), None)


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"“{name}”" for name in names)
