"""Digests of the grader's sources, which show when results in a gradebook are out of date.

There are two for each lesson. `edition` changes when its submissions have to be run again,
`wording` when only points or words have changed, which kept results then get without a run.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from graders.exercise import Check, Exercise, Misconception, Remark, exercises_of

ABOUT_VERDICTS = frozenset(
    {
        "__main__.py",
        "autograder.py",
        "card.py",
        "check.py",
        "cli.py",
        "commands",
        "executors",
        "export",
        "filenames.py",
        "gradebook",
        "installed_lessons.py",
        "lab.py",
        "live.py",
        "progress",
        "report",
        "run",
        "saved_outputs.py",
        "selftest",
        "similar.py",
        "site",
        "static",
        "widget.py",
        "wording.py",
        "working_folder.py",
    }
)
"""Parts of `graders` that cannot change what is found in a submission; all others are digested."""

WORDS = {
    Exercise: {"title", "section", "points", "difficulty", "minutes", "task", "hints"},
    Check: {"weight", "passes", "fails"},
    Misconception: {"says"},
    Remark: {"says"},
}
"""The fields of an exercise that are points or words, and do not change what is found."""

EXERCISES = "graders.exercises."


@functools.cache
def edition(lesson: str) -> str:
    """A digest of every source that can change what is found in submissions of `lesson`.

    The engine is among them because it computes what the reference does. Of the exercises only
    those of the lesson are, without their points and words.
    """
    return _digest([_machinery(), *(behaviour(source) for source in _sources_of(lesson))])


@functools.cache
def wording(lesson: str) -> str:
    """A digest of every source with points and words of `lesson`."""
    return _digest([(files("graders") / "wording.py").read_text("utf-8"), *_sources_of(lesson)])


def behaviour(source: str) -> str:
    """The part of an exercise's `source` that can change what is found, as a text to digest.

    Comments, the module's docstring and the arguments named in WORDS are left out. Every other
    change counts, even one that does not change what the code does.
    """
    tree = ast.parse(source)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            _take_words_from(node)
    return ast.dump(tree)


def digest_of(places: Iterable[Traversable]) -> str:
    """A digest, of 12 hexadecimal digits, of the names and contents of all Python files there."""
    found = [source for place in places for source in _python_files(place, place.name)]
    return _digest([part for source in sorted(found) for part in source])


_PARTS = {
    kind.__name__: (list(inspect.signature(kind).parameters), words)
    for kind, words in WORDS.items()
}


def _take_words_from(call: ast.Call) -> None:
    if not isinstance(call.func, ast.Name) or call.func.id not in _PARTS:
        return
    order, words = _PARTS[call.func.id]
    if not any(isinstance(value, ast.Starred) for value in call.args):
        call.args = [
            ast.Constant(None) if name in words else value
            for name, value in zip(order, call.args, strict=False)
        ]
    call.keywords = [each for each in call.keywords if each.arg not in words]


@functools.cache
def _machinery() -> str:
    left_out = ABOUT_VERDICTS | {"exercises"}
    deciding = [place for place in files("graders").iterdir() if place.name not in left_out]
    return digest_of([files("autograd_core"), *deciding])


def _sources_of(lesson: str) -> list[str]:
    """The sources of the exercises of `lesson`, in order, then of the modules that these import."""
    modules = [each.id.replace("-", "_") for each in exercises_of(lesson)]
    sources = []
    for module in modules:
        source = _source(module)
        sources.append(source)
        modules += [name for name in _borrowed(source) if name not in modules]
    return sources


def _source(module: str) -> str:
    return (files("graders") / "exercises" / f"{module}.py").read_text("utf-8")


def _borrowed(source: str) -> list[str]:
    """The exercises' modules that `source` imports from."""
    if EXERCISES not in source:
        return []
    return sorted(
        node.module.removeprefix(EXERCISES)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(EXERCISES)
    )


def _digest(parts: Iterable[str]) -> str:
    digest = sha256()
    for part in parts:
        raw = part.encode("utf-8", "backslashreplace")
        digest.update(f"{len(raw)}\0".encode() + raw)
    return digest.hexdigest()[:12]


def _python_files(place: Traversable, name: str) -> Iterator[tuple[str, str]]:
    if place.is_dir():
        for child in place.iterdir():
            yield from _python_files(child, f"{name}/{child.name}")
    elif name.endswith(".py"):
        yield name, place.read_text("utf-8")
