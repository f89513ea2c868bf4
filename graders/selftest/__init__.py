"""Tests the exercises with their own solutions: right ones pass, wrong ones are recognised.

Each question about an exercise is a function that yields a sentence for each problem, and nothing
if all is well. The command `autograd-lessons selftest` prints these sentences; the tests assert
that there are none.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.draws import all_from
from graders.exercise import PRELUDE, Exercise, Misconception, source_of
from graders.installed_lessons import code_cells
from graders.judging.judge import judge
from graders.judging.recognition import deviations_from_reference
from graders.observation import Observation, Observations
from graders.observe.fingerprint import fingerprint
from graders.observe.lab import observe
from graders.verdict import Verdict

SEEDS = (1, 2, 3)


def judged(exercise: Exercise, solution: object, seed: int) -> Verdict:
    """Return the verdict on `solution`; its observations pass through JSON, as from a worker."""
    observations = Observations(True, fingerprint(solution), _observed(exercise, solution, seed))
    return judge(exercise, observations, all_from(exercise, seed))


def _observed(exercise: Exercise, solution: object, seed: int) -> dict[str, Observation]:
    return {
        check.name: Observation.from_json(
            json.loads(json.dumps(observe(check.scenario, solution, exercise.inputs(check, seed))))
        )
        for check in exercise.checks
    }


def handed_in(exercise: Exercise, solution: object) -> object:
    """Return the object that the source of `solution` defines when it is run."""
    namespace: dict[str, Any] = {}
    exec(PRELUDE + source_of(solution, exercise.symbol), namespace)
    return namespace[exercise.symbol]


def about_reference(exercise: Exercise, seed: int) -> Iterator[str]:
    """Does the reference pass, as an object and as source, and does no check stop with an error?"""
    for check in exercise.checks:
        stopped = observe(check.scenario, exercise.reference, exercise.inputs(check, seed))["error"]
        if stopped is not None:
            # What stops the reference stops every solution, so the check could not tell them apart.
            yield f"seed {seed}: the check “{check.name}” stops with {stopped['type']}"
    yield from _refusals(exercise, exercise.reference, seed, "the reference")
    if not exercise.written:
        yield from _mistaken_for_statements(exercise, seed)


def about_variants(exercise: Exercise, seed: int) -> Iterator[str]:
    """Do the right solutions in other styles pass?"""
    for variant in exercise.variants:
        yield from _refusals(exercise, variant.solution, seed, f"the variant “{variant.name}”")


def about_misconceptions(exercise: Exercise, seed: int) -> Iterator[str]:
    """Does each misconception fail, and is it recognised in at most three sentences?"""
    for misconception in exercise.misconceptions:
        for given, how in _forms(exercise, misconception.solution, seed):
            verdict = judged(exercise, given, seed)
            yield from _misnamings(misconception, verdict, f"seed {seed}{how}")


def about_hints(exercise: Exercise, seed: int = 0) -> Iterator[str]:
    """Are hints and feedback short, and do they not give the solution away?"""
    if len(set(exercise.hints)) != 3:
        yield "there are not three different hints"
    solution = lines_of_solution(exercise)
    for text in words_of(exercise):
        for code in re.findall(r"`([^`]+)`", text):
            if not re.fullmatch(r"[\w.]+(\(\))?|[^\w\s]{1,2}", code):
                yield f"`{code}` is more than a name, in: {text}"
        if any(line in re.sub(r"\s+", "", text) for line in solution):
            yield f"a line of the solution is given away: {text}"
    for misconception in exercise.misconceptions:
        if not 1 <= sentences(misconception.says) <= 2:
            yield f"{misconception.id} does not say one or two sentences"
    for check in exercise.checks:
        if sentences(check.passes) != 1 or sentences(check.fails) != 1:
            yield f"the check “{check.name}” does not say one sentence"
    for remark in exercise.remarks:
        if not 1 <= sentences(remark.says) <= 2:
            yield f"the remark {remark.id} does not say one or two sentences"


def about_starter(exercise: Exercise, seed: int) -> Iterator[str]:
    """Does the starter fit the reference and the lesson, and does it count as not attempted?"""
    started = exercise.started()
    yield from _differing_signatures(exercise.symbol, started, exercise.reference)
    if started is not None and judged(exercise, started, seed).status != "not_attempted":
        yield "the untouched starter does not count as not attempted"
    if exercise.untouched(fingerprint(exercise.reference)):
        yield "the reference passes for the untouched starter"
    cells = _cells(exercise.lesson)
    if exercise.id not in cells:
        yield f"there is no cell for it in {exercise.lesson}.ipynb"
    elif cells[exercise.id].strip("\n") != exercise.starter.strip("\n"):
        yield f"the cell in {exercise.lesson}.ipynb is not the starter"


QUESTIONS: Mapping[str, Callable[[Exercise, int], Iterator[str]]] = {
    "reference": about_reference,
    "variants": about_variants,
    "misconceptions": about_misconceptions,
    "hints": about_hints,
    "starter": about_starter,
}
REPEATED = ("reference", "variants", "misconceptions")
"""Questions whose answers may depend on the inputs, and which are asked for every seed."""


@dataclass(frozen=True)
class Examination:
    """The result of an exercise's selftest.

    `amiss` holds the sentences about problems, by question. `confusion` holds, for each
    misconception, what its solution was taken for: first the verdict's own misconception (or else
    its status), then further findings. `seconds` is the longest time that a check takes once the
    exercise is warm.
    """

    exercise: Exercise
    amiss: Mapping[str, Sequence[str]] = field(default_factory=dict)
    confusion: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether there are no problems."""
        return not any(self.amiss.values())


def examine(exercise: Exercise, seeds: Sequence[int] = SEEDS) -> Examination:
    """Ask every question about `exercise`. Never raises: an exception counts as a problem."""
    amiss = {
        name: [
            answer
            for seed in (seeds if name in REPEATED else seeds[:1])
            for answer in _answers(question, exercise, seed)
        ]
        for name, question in QUESTIONS.items()
    }
    try:
        _, longest = _timed(exercise, exercise.reference, seeds[0])
        named = {}
        for each in exercise.misconceptions:
            verdict, seconds = _timed(exercise, each.solution, seeds[0])
            named[each.id] = _named(verdict)
            longest = max(longest, seconds)
        return Examination(exercise, amiss, named, longest)
    except Exception:
        # The questions have met the same exception and reported it.
        return Examination(exercise, amiss)


def confusion(exercise: Exercise, seed: int) -> dict[str, tuple[str, ...]]:
    """Return by misconception what its solution is taken for: itself alone, if all is well."""
    return {
        each.id: _named(judged(exercise, each.solution, seed)) for each in exercise.misconceptions
    }


def sentences(text: str) -> int:
    """Return how many sentences `text` has."""
    return len(re.findall(r"[.!?…](?=\s|$)", re.sub(r"`[^`]*`", "code", text)))


def words_of(exercise: Exercise) -> list[str]:
    """Return all that a student may read before the exercise is solved."""
    return [
        *exercise.hints,
        *(each.says for each in exercise.misconceptions),
        *(check.fails for check in exercise.checks),
    ]


def lines_of_solution(exercise: Exercise) -> set[str]:
    """Return, without white space, statements and returned expressions only the solution has."""
    given = re.sub(r"\s+", "", PRELUDE + exercise.starter + exercise.task)
    tree = ast.parse(source_of(exercise.reference, exercise.symbol))
    statements = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr)
    found = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, statements)]
    bare = {re.sub(r"\s+", "", line.removeprefix("return ")) for line in found}
    return {line for line in bare if len(line) > 8 and line not in given}


def _answers(
    question: Callable[[Exercise, int], Iterator[str]], exercise: Exercise, seed: int
) -> list[str]:
    try:
        return list(question(exercise, seed))
    except Exception as error:
        return [f"seed {seed}: the test itself stopped with {type(error).__name__}: {error}"]


def _mistaken_for_statements(exercise: Exercise, seed: int) -> Iterator[str]:
    """Yield checks whose mark `statements` is wrong, found by comparing two seeds' records."""
    elsewhere = _observed(exercise, exercise.reference, seed + 1)
    found = deviations_from_reference(exercise, elsewhere, all_from(exercise, seed))
    for check in exercise.checks:
        if found[check.name] and check.statements:
            yield f"the check “{check.name}” is not one of statements: its inputs matter"
        stopped = elsewhere[check.name].error is not None
        if not found[check.name] and not check.statements and not stopped:
            yield f"the check “{check.name}” sees the same on all inputs: say `statements=True`"
    if all(check.statements for check in exercise.checks):
        yield "no check looks at what depends on its inputs"


def _refusals(exercise: Exercise, solution: object, seed: int, name: str) -> Iterator[str]:
    for given, how in _forms(exercise, solution, seed):
        verdict = judged(exercise, given, seed)
        if verdict.status != "passed" or verdict.points != exercise.points:
            yield f"seed {seed}{how}: {name} does not pass: {verdict.summary}"


def _forms(exercise: Exercise, solution: object, seed: int) -> Iterator[tuple[object, str]]:
    """Yield `solution` as its source defines it, and for one seed also the object itself.

    One seed is enough: the two can differ only in the names that they find, whatever the inputs.
    """
    if seed == SEEDS[0]:
        yield solution, ""
    yield handed_in(exercise, solution), ", as source"


def _misnamings(misconception: Misconception, verdict: Verdict, where: str) -> Iterator[str]:
    named = verdict.misconception or f"nothing, {verdict.status}"
    if verdict.status not in ("failed", "partial"):
        yield f"{where}: {misconception.id} is not rejected: {verdict.status}"
    elif named != misconception.id:
        yield f"{where}: {misconception.id} is named {named}"
    elif misconception.says not in verdict.summary or sentences(verdict.summary) > 3:
        yield f"{where}: {misconception.id} is not told in three sentences: {verdict.summary}"


def _differing_signatures(name: str, started: object, reference: object) -> Iterator[str]:
    """Compare the signatures of the starter and the reference, including names."""
    if inspect.isfunction(reference) or inspect.isclass(reference):
        if type(started) is not type(reference):
            yield f"the starter's {name} is of another kind than the reference"
        elif inspect.isclass(reference):
            yield from _differing_methods(name, started, reference)
        elif _parameters(started) != _parameters(reference):
            yield f"the starter's {name} takes other arguments than the reference"
    elif isinstance(reference, dict) and not (
        isinstance(started, dict) and list(started) == list(reference)
    ):
        yield f"the starter's {name} has other keys than the reference"
    elif started is None:
        yield f"the starter does not define {name}"


def _differing_methods(name: str, started: object, reference: object) -> Iterator[str]:
    """Compare those methods of two classes called `name` that both have."""
    begun = vars(started)
    for method, value in vars(reference).items():
        if _function(value) is None or method not in begun:
            continue
        if _parameters(begun[method]) != _parameters(value):
            yield f"{name}.{method} takes other arguments than in the reference"


def _parameters(function: Any) -> list[str]:
    return list(inspect.signature(_function(function) or function).parameters)


def _function(value: object) -> Callable[..., Any] | None:
    inner = getattr(value, "__func__", value)
    return inner if inspect.isfunction(inner) else None


@functools.cache
def _cells(lesson: str) -> dict[str, str]:
    """Return the sources of the cells that learners fill in, by exercise."""
    return {
        cell["metadata"]["exercise"]: "".join(cell["source"])
        for cell in code_cells(lesson)
        if "exercise" in cell["metadata"]
    }


def _named(verdict: Verdict) -> tuple[str, ...]:
    return verdict.findings if verdict.misconception else (verdict.status,)


def _timed(exercise: Exercise, solution: object, seed: int) -> tuple[Verdict, float]:
    """Return a verdict, and the processor time that the check took.

    Unlike wall time, this does not depend on what else the machine does.
    """
    start = time.process_time()
    return judged(exercise, solution, seed), time.process_time() - start
