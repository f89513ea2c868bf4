"""An exercise: one object in one file of `graders/exercises/`, from which everything else follows.

The grader judges by its reference, recognises its misconceptions, and the tests hold it against
itself. See `graders/README.md` for how to write one.
"""

from __future__ import annotations

import contextlib
import copy
import difflib
import functools
import importlib.util
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graders.inputs import generator
from graders.observe.fingerprint import UNREADABLE, fingerprint
from graders.observe.lab import Scenario

if TYPE_CHECKING:
    from graders.judging.diagnosis import Deviation

KINDS = ("predict", "implement", "repair", "explain")

UNCHANGING = frozenset({bool, float, int, str, type(None)})
"""Types of what need not be copied."""

PRELUDE = """\
import numpy as np

import autograd_core as torch
from autograd_core.autograd import Function
"""
"""What a lesson's first cell imports; starters and solutions stand on it."""


@dataclass(frozen=True, eq=False)
class Misconception:
    """A wrong idea: `solution` is the code it leads to; `says` names the idea, never the answer.

    Where it speaks of a `whole` answer, it does not fit an answer that is also wrong elsewhere.
    """

    id: str
    says: str
    solution: object
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Variant:
    """A correct solution in another style; it has to pass."""

    name: str
    solution: object


@dataclass(frozen=True, eq=False)
class Remark:
    """What to tell a student whose solution passes; `applies` reads a check's notes."""

    id: str
    says: str
    applies: Callable[[Mapping[str, object]], bool]


@dataclass(frozen=True, eq=False)
class Check:
    """One property of a solution, worth `weight` parts of the exercise's points.

    `inputs` draws plain data for the scenario. `judge(record, observed, expected)` may decide
    whether a record is right where equality with the reference does not; None leaves it to
    equality. A check that an empty solution would pass names in `after` the checks that have to
    pass before it counts. A `costly` check is run last, and only on those misconceptions that still
    fit, so that nobody waits for the others; `stand_in` does what the reference does there, sooner,
    and the judge runs it instead. A check of `statements` observes the same of a right solution
    whatever the inputs are; every other check draws inputs for each submission alone: see
    `graders.run.seeds`.
    """

    name: str
    weight: int
    scenario: Scenario
    inputs: Callable[[np.random.Generator], Mapping[str, Any]]
    passes: str
    fails: str
    judge: Callable[[str, Any, Any], bool | None] | None = None
    after: tuple[str, ...] = ()
    costly: bool = False
    stand_in: object | None = None
    statements: bool = False

    def request(self) -> dict[str, str]:
        """Return what the isolated worker needs to find the scenario: its name or its source."""
        return _sent(self.scenario)


@dataclass(frozen=True, eq=False)
class Exercise:
    """Everything about one exercise.

    `symbol` is the name that the student defines, `starter` the source of the cell they get,
    `section` the heading of the lesson that explains it, `place` its position in the lesson,
    `reference` a right solution. `misconceptions` begin with the simplest idea. `hints` are three,
    each more specific than the one before, none of them code. Where no misconception is recognised,
    `suspicion` may say in a sentence what all that is wrong comes from, "" where it has no idea.
    """

    id: str
    lesson: str
    section: str
    title: str
    symbol: str
    kind: str
    points: float
    difficulty: int
    minutes: int
    task: str
    starter: str
    reference: object
    checks: tuple[Check, ...]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[str, str, str]
    variants: tuple[Variant, ...] = ()
    remarks: tuple[Remark, ...] = ()
    suspicion: Callable[[Sequence[Deviation]], str] | None = None
    place: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.id}: unknown kind {self.kind!r}")

    @property
    def written(self) -> bool:
        """Whether the answer is data and not code, and therefore the same on all inputs."""
        return self.kind in ("predict", "explain")

    def inputs(self, check: Check, seed: int) -> dict[str, Any]:
        """Return the inputs of `check` for `seed`: the same ones whenever it is asked."""
        # A solution may change its inputs in place.
        return {name: _copied(value) for name, value in _drawn(self, check, seed).items()}

    def drawn(self, check: Check, seed: int) -> Mapping[str, Any]:
        """Return what `inputs` returns, without a copy: it must not be changed."""
        return _drawn(self, check, seed)

    def started(self) -> object:
        """Return the object that the unchanged starter cell defines."""
        namespace: dict[str, Any] = {}
        exec(compile(PRELUDE + self.starter, f"<starter of {self.id}>", "exec"), namespace)
        return namespace.get(self.symbol)

    def untouched(self, mark: str) -> bool:
        """Return whether `mark` is the fingerprint of the starter."""
        return mark != UNREADABLE and mark == _starter_mark(self)


def noted(name: str) -> Callable[[Mapping[str, object]], bool]:
    """Return a test of whether a scenario noted `name` in any of its cases."""
    return lambda notes: any(key.rpartition(": ")[2] == name for key in notes)


class UnknownExercise(KeyError):  # noqa: N818  (the name says what is the case)
    """There is no exercise with this id; the message is a sentence that suggests a similar one."""

    def __str__(self) -> str:
        return str(self.args[0])


def load(id: str) -> Exercise:
    """Return the exercise `id`; UnknownExercise when there is none."""
    module = f"graders.exercises.{id.replace('-', '_')}"
    if not id.replace("-", "").isalnum() or importlib.util.find_spec(module) is None:
        similar = difflib.get_close_matches(id, ids(), n=1, cutoff=0)
        raise UnknownExercise(f"There is no exercise {id!r}; did you mean {similar[0]!r}?")
    return importlib.import_module(module).EXERCISE


def ids() -> list[str]:
    """Return the ids of all exercises, in alphabetical order."""
    from graders import exercises

    # A leading underscore marks a helper module of the exercises.
    found = (each.name for each in pkgutil.iter_modules(exercises.__path__))
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


@functools.cache
def all_exercises() -> tuple[Exercise, ...]:
    """Return every exercise, in the order of the lessons."""
    found = [load(id) for id in ids()]
    return tuple(sorted(found, key=lambda each: (each.lesson, each.place, each.id)))


@functools.cache
def exercises_of(lesson: str) -> tuple[Exercise, ...]:
    """Return the exercises of one lesson (`07_custom_functions`), in its order."""
    # Importing all exercises takes a second, and a lesson's first cell would wait for it.
    found = [load(id) for id in ids() if lesson_of(id) == lesson]
    return tuple(sorted(found, key=lambda each: (each.place, each.id)))


@functools.cache
def lesson_of(id: str) -> str:
    """Return the lesson of an exercise, read from its source: importing it would take longer."""
    from graders import exercises

    with contextlib.suppress(OSError, IndexError):
        path = Path(next(iter(exercises.__path__)), f"{id.replace('-', '_')}.py")
        return re.findall(r'^    lesson="(\w+)",$', path.read_text(encoding="utf-8"), re.M)[0]
    return load(id).lesson


def lesson_called(name: str) -> str | None:
    """Return the lesson meant by `02` or `02_leaf_nodes`, None where there is no such lesson."""
    lessons = {lesson_of(id) for id in ids()}
    numbers = {lesson.partition("_")[0]: lesson for lesson in lessons}
    name = str(name).strip().removesuffix(".ipynb")
    return name if name in lessons else numbers.get(name and name.zfill(2))


def source_of(solution: object, symbol: str) -> str:
    """Return Python source that defines `symbol` as `solution`, as a student would hand it in.

    The source needs PRELUDE before it. It includes the helpers that the solution uses from its own
    module. TypeError for objects that are neither classes, functions nor plain data.
    """
    if not inspect.isclass(solution) and not inspect.isfunction(solution):
        source = f"{symbol} = {solution!r}\n"
        compile(source, "<solution>", "exec")
        return source
    parts = [_source(each) for each in _with_helpers(solution)]
    if solution.__name__ != symbol:
        parts.append(f"{symbol} = {solution.__name__}\n")
    return "\n\n".join(parts)


@functools.cache
def _source(thing: Any) -> str:
    # Cached because `inspect` parses the whole file to find a class in it.
    return textwrap.dedent(inspect.getsource(thing))


def _with_helpers(solution: Any) -> list[Any]:
    """Return `solution` after the classes and functions of its module that it uses."""
    module = inspect.getmodule(solution)
    found: dict[str, Any] = {}

    def visit(thing: Any) -> None:
        names = {base.__name__ for base in getattr(thing, "__bases__", ())}
        names |= set(_names(compile(_source(thing), "<solution>", "exec")))
        for name in sorted(names - {thing.__name__} - found.keys()):
            helper = getattr(module, name, None)
            if getattr(helper, "__module__", None) == solution.__module__:
                visit(helper)
        found[thing.__name__] = thing

    visit(solution)
    return list(found.values())


def _names(code: Any) -> Iterator[str]:
    yield from code.co_names
    for each in code.co_consts:
        if inspect.iscode(each):
            yield from _names(each)


@functools.cache
def _sent(scenario: Scenario) -> dict[str, str]:
    if scenario.__module__ == "graders.observe.scenarios":
        return {"name": scenario.__name__}
    source = textwrap.dedent(inspect.getsource(scenario))
    return {"source": source, "entry": scenario.__name__}


def _copied(value: Any) -> Any:
    kind = type(value)
    if kind in UNCHANGING:
        return value
    if kind is dict:
        return {key: _copied(each) for key, each in value.items()}
    if kind is list:
        return list(map(_copied, value))
    if kind is np.ndarray:
        return value.copy(order="K")
    return copy.deepcopy(value)


@functools.lru_cache(maxsize=1_024)
def _drawn(exercise: Exercise, check: Check, seed: int) -> dict[str, Any]:
    rng = generator(seed, exercise.id, check.name)
    return {"seed": int(rng.integers(2**31)), **check.inputs(rng)}


@functools.cache
def _starter_mark(exercise: Exercise) -> str:
    return fingerprint(exercise.started())
