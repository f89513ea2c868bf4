"""From an assessment to a verdict: an exercise's points and words, put to what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from graders.exercise import Check, Exercise
from graders.judging.assessment import Assessment, CheckAssessment
from graders.verdict import CheckReport, StudentError, Verdict


def worded(
    exercise: Exercise,
    assessment: Assessment,
    error: StudentError | None = None,
    output: str = "",
) -> Verdict:
    """Return the verdict on `exercise` that `assessment` leads to."""
    passed = _passed(exercise, assessment)
    reports = _reports(exercise, assessment, passed)
    points = round(sum(report.points for report in reports), 2)
    everything = bool(passed) and all(passed.values())
    return Verdict(
        exercise=exercise.id,
        lesson=exercise.lesson,
        title=exercise.title,
        symbol=exercise.symbol,
        status="passed" if everything else "partial" if points else assessment.status,
        points=points,
        max_points=float(exercise.points),
        findings=assessment.misconceptions
        or tuple(check.name for check in assessment.checks if not check.right),
        summary=assessment.summary or _summary(exercise, assessment, passed),
        checks=reports,
        misconception=next(iter(assessment.misconceptions), None),
        remarks=tuple(each.says for each in exercise.remarks if each.id in assessment.remarks),
        error=error,
        output=output,
        section=exercise.section,
        basis=assessment,
    )


def reworded(exercise: Exercise, verdict: Verdict) -> Verdict | None:
    """Return `verdict` with the points and words that `exercise` has now.

    None where what it was made from was not kept, or is about other checks.
    """
    basis = verdict.basis
    if basis is None or (basis.checks and _names(basis) != [each.name for each in exercise.checks]):
        return None
    if not _ideas(basis) <= {each.id for each in exercise.misconceptions}:
        return None
    now = worded(exercise, basis, verdict.error, verdict.output)
    return replace(now, source=verdict.source)


def _names(assessment: Assessment) -> list[str]:
    return [check.name for check in assessment.checks]


def _ideas(assessment: Assessment) -> set[str]:
    return {*assessment.misconceptions, *(id for each in assessment.checks for id in each.also)}


def _passed(exercise: Exercise, assessment: Assessment) -> dict[str, bool]:
    right = {check.name: check.right for check in assessment.checks}
    return {
        check.name: right[check.name] and all(right[name] for name in check.after)
        for check in exercise.checks
        if right
    }


def _reports(
    exercise: Exercise, assessment: Assessment, passed: Mapping[str, bool]
) -> tuple[CheckReport, ...]:
    seen = {check.name: check for check in assessment.checks}
    says = {each.id: each.says for each in exercise.misconceptions}
    weights = sum(check.weight for check in exercise.checks)
    reports: list[CheckReport] = []
    done, given = 0, 0.0
    told = {""}
    for check in exercise.checks if seen else ():
        # Rounding the running total keeps the parts' sum exactly the exercise's points.
        done += check.weight
        worth = round(exercise.points * done / weights - given, 2)
        given += worth
        its = seen[check.name]
        awaited = tuple(name for name in check.after if not seen[name].right)
        details = "\n".join([*(says[id] for id in its.also), its.details]).strip()
        reports.append(
            CheckReport(
                name=check.name,
                passed=passed[check.name],
                points=worth if passed[check.name] else 0.0,
                max_points=worth,
                says=check.passes if passed[check.name] else _says(check, its, awaited),
                details="" if details in told else details,
                awaits=bool(awaited),
            )
        )
        told.add(details)
    return tuple(reports)


def _says(check: Check, seen: CheckAssessment, awaited: tuple[str, ...]) -> str:
    # With what it builds on wrong, a deviation here need not have a cause of its own.
    if awaited:
        are = "is" if len(awaited) == 1 else "are"
        return f"“{check.name}” counts once {_listed(awaited)} {are} right."
    # What was not reached is no evidence for what `fails` claims.
    if not seen.reached:
        return f"“{check.name}” could not be checked, because the code stopped."
    return seen.unanswered or check.fails


def _summary(exercise: Exercise, assessment: Assessment, passed: Mapping[str, bool]) -> str:
    if all(passed.values()):
        return "Everything is right."
    right = [check.passes for check in exercise.checks if passed[check.name] and not check.after]
    if assessment.misconceptions:
        first = assessment.misconceptions[0]
        named = next(each.says for each in exercise.misconceptions if each.id == first)
        besides, graver = _besides(exercise, assessment)
        if besides:
            first, second = (besides, named) if graver else (named, besides)
            return f"{first} Besides: {second}"
        return " ".join([*right[:1], named])
    wrong = next(each.name for each in assessment.checks if not each.right)
    fails = next(check.fails for check in exercise.checks if check.name == wrong)
    return " ".join([*right[:1], assessment.diagnosis or fails])


def _besides(exercise: Exercise, assessment: Assessment) -> tuple[str, bool]:
    """Return a sentence on what the only misconception leaves unexplained, and if it is graver.

    It is about the weightiest check in which anything is; "" where that has less weight than the
    checks in which the misconception explains something.
    """
    seen = {check.name: check for check in assessment.checks}
    explained = max(check.weight for check in exercise.checks if seen[check.name].explained)
    others = [check for check in exercise.checks if seen[check.name].unexplained]
    weightiest = max(others, key=lambda check: check.weight, default=None)
    if weightiest is None or weightiest.weight < explained:
        return "", False
    return seen[weightiest.name].unexplained, weightiest.weight > explained


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"“{name}”" for name in names)
