"""The judge: holds the reference beside what was observed, and says what it finds."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain

from graders.answer import refused
from graders.draws import Draws
from graders.exercise import Check, Exercise
from graders.judging.assessment import Assessment, CheckAssessment
from graders.judging.closeness import MISSING
from graders.judging.diagnosis import (
    EXCEPTION,
    WHOLE,
    Deviation,
    describe_values,
    diagnose,
    incomplete,
    is_ground_alone,
    most_telling,
    named,
    side_effect,
)
from graders.judging.meaning import meaning
from graders.judging.recognition import Deviations, Recognised, deviations_from_reference, recognise
from graders.observation import Observations
from graders.observe.codec import ErrorData
from graders.verdict import PROCESS_ENDED, StudentError, Verdict
from graders.wording import worded

STOPPED = {
    "timeout": "The code ran longer than the time limit. Is there a loop that never ends?",
    "memory_limit": "The code asked for more memory than the limit allows.",
    "blocked": (
        "The code tried something that is not allowed while it is graded, such as to reach the"
        " network, another process or a file that is not its own."
    ),
}
MISNAMED = (
    "There is no `{}`, but there is `{}`. The answer needs the name that the starter gives it."
)
UNQUOTED = "Perhaps quotation marks are missing: keys and words are strings."
REFUSED_BESIDE = (
    "Everything is right. The cell also tried something that is not allowed while it is graded,"
    " and that was refused."
)


def judge(exercise: Exercise, observations: Observations, draws: Draws) -> Verdict:
    """Return the verdict on `observations`, made on the inputs of `draws`."""
    assessment = assess(exercise, observations, draws)
    error = observations.error
    if assessment.checks:
        error = error or _first_error(observations)
    return worded(exercise, assessment, error, _output(observations))


def assess(exercise: Exercise, observations: Observations, draws: Draws) -> Assessment:
    """Return what is found in `observations`, made on the inputs of `draws`."""
    if observations.stopped is not None:
        return Assessment(observations.stopped, STOPPED[observations.stopped])
    if not observations.found:
        if observations.error is not None:
            told = _about_error(exercise, observations.error)
            missed = _unquoted(exercise, observations.error) or observations.missed
            return Assessment("error", f"{told} {missed}".rstrip())
        if observations.instead:
            return Assessment("failed", MISNAMED.format(exercise.symbol, observations.instead))
        return Assessment("not_attempted", f"There is no `{exercise.symbol}` yet.")
    if exercise.untouched(observations.fingerprint) and not refused(observations.error):
        return Assessment("not_attempted", "Not attempted yet: the cell is as it was.")

    deviations = deviations_from_reference(exercise, observations.checks, draws)
    everything = not any(deviations.values())
    findings = () if everything else recognise(exercise, deviations, draws)
    summary, diagnosis = "", ""
    if not everything and not findings:
        summary, diagnosis = _diagnosed(exercise, deviations, observations)
    if everything and refused(observations.error):
        summary = REFUSED_BESIDE
    return Assessment(
        status=_status(observations.error),
        summary=summary,
        diagnosis=diagnosis,
        misconceptions=tuple(each.misconception.id for each in findings),
        remarks=_remarks(exercise, observations) if everything else (),
        checks=tuple(
            _check(exercise, check, deviations, findings, draws) for check in exercise.checks
        ),
    )


def _status(error: StudentError | None) -> str:
    if refused(error):
        return "blocked"
    return "error" if error is not None else "failed"


def _check(
    exercise: Exercise,
    check: Check,
    deviations: Deviations,
    findings: tuple[Recognised, ...],
    draws: Draws,
) -> CheckAssessment:
    found = list(deviations[check.name].values())
    awaits = any(deviations[name] for name in check.after)
    unreached = all(each.record == EXCEPTION or each.observed is MISSING for each in found)
    return CheckAssessment(
        name=check.name,
        right=not found,
        reached=not found or not unreached,
        # The first finding is the verdict's summary.
        also=tuple(each.misconception.id for each in findings[1:] if each.is_about(check)),
        details="" if awaits else _details(exercise, check, found, draws),
        explained=bool(findings) and findings[0].is_about(check),
        unexplained=_unexplained(exercise, check, deviations, findings),
        unanswered=_unanswered(exercise, found) if findings else "",
    )


def _unanswered(exercise: Exercise, found: list[Deviation]) -> str:
    if not exercise.written:
        return ""
    return incomplete(exercise.symbol, _as_asked(exercise, found), _words(exercise))


def _details(exercise: Exercise, check: Check, found: list[Deviation], draws: Draws) -> str:
    if not found or exercise.written:
        return ""  # here what is expected is the solution
    deviation = most_telling(found)
    values = describe_values(deviation, exercise.drawn(check, draws[check.name].seed))
    return f"{diagnose(deviation)}\n{values}"


def _diagnosed(
    exercise: Exercise, deviations: Deviations, observations: Observations
) -> tuple[str, str]:
    """Return a whole summary, or else what there is to say beside the exercise's own words.

    Of a name that the code has missed that may be said, if nothing more is known.
    """
    everything = [each for found in deviations.values() for each in found.values()]
    if exercise.written:
        asked, unasked = _as_asked(exercise, everything), _unasked(exercise, observations)
        return incomplete(exercise.symbol, asked, _words(exercise), unasked), ""
    wrong = next(check for check in exercise.checks if deviations[check.name])
    telling = most_telling(list(deviations[wrong.name].values()))
    told = diagnose(telling)
    # What is changed in place may be the reason for everything else.
    changed = side_effect(everything)
    if changed not in ("", told):
        return f"{told} {changed}", ""
    observed, missed = telling.observed, observations.missed
    if not (isinstance(observed, ErrorData) and observed.type == "NameError"):
        missed = ""
    return "", f"{told} {meaning(exercise, everything, telling) or missed}".strip()


def _as_asked(exercise: Exercise, deviations: list[Deviation]) -> list[Deviation]:
    """Return `deviations` in the order in which the starter asks for the entries of a dict."""
    asked = list(exercise.reference) if isinstance(exercise.reference, dict) else []
    places = {name: place for place, name in enumerate(asked)}
    return sorted(deviations, key=lambda each: places.get(each.record, -1))


def _unasked(exercise: Exercise, observations: Observations) -> list[str]:
    """Return keys of the answer that nobody asks for: perhaps another spelling of one that is."""
    asked = exercise.reference if isinstance(exercise.reference, dict) else {}
    noted = [seen.notes.get("keys") for seen in observations.checks.values()]
    keys = next((each for each in noted if isinstance(each, list)), [])
    told = [key for key in keys if isinstance(key, str) and re.fullmatch(r"[ \w]{1,20}", key)]
    return [key for key in told if key not in asked]


def _words(exercise: Exercise) -> dict[str, list[str | None]]:
    """Return the texts, and None, that the task says may be answered, by the record they are for.

    They are found among the answers foreseen.
    """
    solutions = [exercise.reference, *(each.solution for each in exercise.misconceptions)]
    answers = [each if isinstance(each, dict) else {WHOLE: each} for each in solutions]
    texts = {name for name, right in answers[0].items() if isinstance(right, str)}
    found: dict[str, set[str | None]] = defaultdict(set)
    for name, answer in chain.from_iterable(each.items() for each in answers):
        told = isinstance(answer, str | None) and f"`{named(answer)}`" in exercise.task
        for each in texts if name in texts else {name}:
            found[each].update([answer] if told else ())
    return {name: sorted(words, key=str) for name, words in found.items()}


def _unexplained(
    exercise: Exercise, check: Check, deviations: Deviations, findings: tuple[Recognised, ...]
) -> str:
    """Return a sentence on what is wrong in `check`, if the only finding explains none of it."""
    found = [each for each in deviations[check.name].values() if not is_ground_alone(each)]
    if not found or len(findings) != 1 or exercise.written:
        return ""
    if findings[0].is_about(check):
        return ""
    first, mark, _ = diagnose(most_telling(found)).partition(". ")
    return first + mark.strip()


def _remarks(exercise: Exercise, observations: Observations) -> tuple[str, ...]:
    notes = [seen.notes for seen in observations.checks.values()]
    return tuple(
        remark.id for remark in exercise.remarks if any(remark.applies(each) for each in notes)
    )


def _about_error(exercise: Exercise, error: StudentError) -> str:
    if error.type == PROCESS_ENDED:
        return error.message
    return f"The cell stopped with `{error.type}` before `{exercise.symbol}` was defined."


def _unquoted(exercise: Exercise, error: StudentError) -> str:
    """Return a sentence if `error` is about a name in the place of a key or word of an answer."""
    told = re.match(r"name '(\w+)' is not defined", error.message)
    if told is None or not exercise.written:
        return ""
    name, line = told[1], error.source_line
    keys = exercise.reference if isinstance(exercise.reference, dict) else ()
    words = filter(None, chain.from_iterable(_words(exercise).values()))
    is_key = name in keys and re.search(rf"\b{name}\s*:", line)
    is_word = name in re.findall(r"\w+", " ".join(words)) and re.search(
        rf"[:=]\s*{name}\b(?!\s*[.(\[])", line
    )
    return UNQUOTED if is_key or is_word else ""


def _first_error(observations: Observations) -> StudentError | None:
    errors = [seen.error for seen in observations.checks.values() if seen.error is not None]
    return next((error for error in errors if error.line is not None), None)


def _output(observations: Observations) -> str:
    printed = [observations.output, *(seen.stdout for seen in observations.checks.values())]
    return printable(next((text for text in printed if text.strip()), ""))


def printable(text: str) -> str:
    """Drop the control characters that neither a page nor a terminal should be given."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")
