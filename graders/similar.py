"""Find suspiciously alike solutions: those that share what hardly any other student has.

A solution is parsed first, so layout, comments, docstrings, annotations and prints do not count. It
is cut into *shingles*, overlapping windows of tokens; because the windows are short, the order of
methods hardly counts. Within a shingle the student's own names are numbered in order of appearance,
so that renaming changes nothing. Shingles of the lesson and of the known solutions, right or wrong,
are left out, and so are those that many students have. A pair is reported when the other solution
contains most of the shingles that remain of the smaller one, and too many for chance.
"""

from __future__ import annotations

import ast
import builtins
import functools
import io
import re
import token
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from graders.exercise import Exercise, exercises_of, source_of
from graders.installed_lessons import code_cells
from graders.reading.cells import Cell, parse, place_of
from graders.reading.submissions import Submission

WINDOW = 9
"""Tokens in a shingle: about one statement and what surrounds it."""

ENOUGH = 20
"""The number of rare shingles that two solutions have to share."""

MANY, SHARE_OF_CLASS, MOST = 5, 0.1, 30
"""A shingle is common if more than MANY students and SHARE_OF_CLASS have it, or more than MOST."""

THRESHOLD = 0.7
LONGEST = 64 * 1024
"""Characters of a solution that are read: each may begin a shingle, which takes memory and time."""

LONGEST_NUMBER = 10_000  # bits; in decimal Python writes out no more than 4,300 digits
KINDS = ("implement", "repair")
"""The kinds of exercises that are compared; right predictions are bound to be alike."""

PYTHONS = frozenset(dir(builtins)) | {"forward", "backward", "setup_context", "ctx", "self"}

Shingle = tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """Two students whose solutions of an exercise are alike.

    `share` is the part of the smaller solution's rare shingles that both have, `shingles` the
    number of these, and `sources` what each student has written.
    """

    exercise: str
    students: tuple[str, str]
    share: float
    shingles: int
    sources: tuple[str, str]

    @property
    def verbatim(self) -> bool:
        """Whether both wrote the same text, comments included; white space does not count."""
        return self.sources[0].split() == self.sources[1].split()


def similar(
    submissions: Iterable[Submission], threshold: float = THRESHOLD, exercises: Iterable[str] = ()
) -> list[Pair]:
    """The pairs of students with alike solutions, most alike first; of `exercises`, or of all."""
    wanted = set(exercises)
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    asked: dict[str, Exercise] = {}
    for submission in submissions:
        cells = tuple(submission.cells)
        for exercise in exercises_of(submission.lesson):
            if exercise.kind in KINDS and (not wanted or exercise.id in wanted):
                source = answer_in(cells, exercise)
                own = answers[exercise.id]
                own[submission.student] = own.get(submission.student, "") + source
                asked[exercise.id] = exercise
    pairs = [
        pair
        for id, exercise in asked.items()
        for pair in alike(id, answers[id], known_shingles(exercise), threshold)
    ]
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.shingles, pair.students))


def alike(
    exercise: str,
    answers: Mapping[str, str],
    known: frozenset[Shingle],
    threshold: float = THRESHOLD,
) -> Iterator[Pair]:
    """The pairs among `answers`, sources by student, that are alike beyond what is `known`."""
    own = {student: shingles(source) - known for student, source in answers.items()}
    holders: dict[Shingle, list[str]] = defaultdict(list)
    for student, left in own.items():
        for shingle in left:
            holders[shingle].append(student)
    answered = sum(1 for left in own.values() if left)
    many = min(max(MANY, SHARE_OF_CLASS * answered), MOST)
    rare = {shingle for shingle, students in holders.items() if len(students) <= many}
    sizes = {student: len(left & rare) for student, left in own.items()}
    shared: Counter[tuple[str, str]] = Counter()
    for shingle in rare:
        shared.update(combinations(sorted(holders[shingle]), 2))
    for (one, other), count in shared.items():
        share = count / min(sizes[one], sizes[other])
        if count >= ENOUGH and share >= threshold:
            yield Pair(exercise, (one, other), share, count, (answers[one], answers[other]))


def answer_in(cells: Sequence[Cell], exercise: Exercise) -> str:
    """The code of the cells that answer `exercise`; empty if there are none."""
    place = place_of(cells, exercise.id, exercise.symbol, exercise.starter)
    return "".join(f"{cell.code}\n" for cell in cells if cell.index in place.parts)


@functools.cache
def known_shingles(exercise: Exercise) -> frozenset[Shingle]:
    """The shingles of the lesson's code, and of all solutions that the exercise comes with."""
    solutions = [
        exercise.reference,
        *(variant.solution for variant in exercise.variants),
        *(misconception.solution for misconception in exercise.misconceptions),
    ]
    lesson = ("".join(cell["source"]) for cell in code_cells(exercise.lesson))
    sources = [*lesson, exercise.starter]
    sources += (source_of(each, exercise.symbol) for each in solutions)
    # A student's copy with one syntax error is read as text, so both readings are known.
    return frozenset().union(*(shingles(each) | _windows(_text(each)) for each in sources))


def shingles(source: str) -> frozenset[Shingle]:
    """The shingles of `source`."""
    return _windows(_tokens(source[:LONGEST]))


def _windows(tokens: Sequence[str]) -> frozenset[Shingle]:
    return frozenset(
        _numbered(tokens[start : start + WINDOW]) for start in range(len(tokens) - WINDOW + 1)
    )


def _tokens(source: str) -> list[str]:
    """The tokens of `source`; a leading space marks the student's own names."""
    tree = parse(source)
    try:
        if tree is not None:
            plain = _Plain()
            source = ast.unparse(plain.visit(tree))
            return [_marked(word, plain.own) for word in _words(source)]
    except (RecursionError, ValueError):
        pass
    return _text(source)


def _text(source: str) -> list[str]:
    """The words and signs of `source`, whether it is Python or not."""
    without_comments = re.sub(r"#[^\n]*", "", source)
    words = re.findall(r"\w+|[^\w\s]", without_comments)
    own = frozenset(words) - PYTHONS
    return [_marked(word, own) for word in words]


def _words(source: str) -> Iterator[str]:
    for each in tokenize.generate_tokens(io.StringIO(source).readline):
        if each.type in (token.NAME, token.NUMBER, token.OP, token.INDENT, token.DEDENT):
            yield each.string.strip() or token.tok_name[each.type]
        elif each.type == token.STRING:
            yield "STRING"


def _marked(word: str, own: Iterable[str]) -> str:
    return f" {word}" if word in own else word


def _numbered(window: Iterable[str]) -> Shingle:
    numbers: dict[str, str] = {}
    return tuple(
        numbers.setdefault(word, f" {len(numbers)}") if word.startswith(" ") else word
        for word in window
    )


class _Plain(ast.NodeTransformer):
    """Removes what does not affect how a solution works, and collects the names it defines."""

    def __init__(self) -> None:
        self.own: set[str] = set()

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Note a name that is given a value."""
        if isinstance(node.ctx, ast.Store):
            self._note(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Note an attribute that is given a value."""
        if isinstance(node.ctx, ast.Store):
            self._note(node.attr)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Note an argument, and remove its annotation."""
        self.own.add(node.arg)
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Note a function, and remove its annotations and docstring."""
        node.returns = None
        return self._definition(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Note a class, and remove its docstring."""
        return self._definition(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Keep the assignment, if there is one, without its annotation."""
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Remove constants that stand alone, such as docstrings, and prints."""
        value = node.value
        prints = (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "print"
        )
        return None if prints or isinstance(value, ast.Constant) else self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """Remove an import."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Remove an import."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Write equal numbers alike, such as 2 and 2.0."""
        if type(node.value) is int and node.value.bit_length() > LONGEST_NUMBER:
            return ast.copy_location(ast.Constant(0), node)
        if type(node.value) is float and node.value.is_integer():
            return ast.copy_location(ast.Constant(int(node.value)), node)
        return node

    def _definition(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        self._note(node.name)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def _note(self, name: str) -> None:
        if name not in PYTHONS and not name.startswith("__"):
            self.own.add(name)
