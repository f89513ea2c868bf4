"""Slicing: which of a lesson's own cells need not be run, because no answer depends on them.

A lesson shows much that no exercise builds on. Such a cell is passed over if the student has not
changed it and no name ties it to an answer, neither directly nor through other cells; names of
modules that all cells import alike do not count. Every cell is run when a student's code might
reach a cell in another way than by name, or change state that all cells share.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from graders.reading.cells import SHORT, Cell, parse

MODULES = frozenset(
    {
        "abc",
        "autograd_core",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "enum",
        "functools",
        "graders",
        "itertools",
        "lessons",
        "math",
        "matplotlib",
        "numbers",
        "numpy",
        "operator",
        "threading",
        "time",
        "typing",
        "warnings",
    }
)
"""Modules that give no access to the names of other cells or to the interpreter's own state."""

REACHING = frozenset(
    {
        "In",
        "Out",
        "__builtins__",
        "__import__",
        "__loader__",
        "__spec__",
        "breakpoint",
        "compile",
        "delattr",
        "dir",
        "eval",
        "exec",
        "exit",
        "get_ipython",
        "globals",
        "help",
        "locals",
        "open",
        "quit",
        "setattr",
        "vars",
    }
)
"""Builtins that reach names, or change attributes, that are not written in the code."""

PLAIN_DUNDERS = frozenset({"__class__", "__doc__", "__init__", "__name__"})

DRAWN = ("bernoulli", "dropout", "exponential", "init", "multinomial", "normal", "permutation")
DRAWS = ("rand", "seed", "manual_seed", "uniform", "shuffle", "choice", "default_rng", *DRAWN)
"""How the names that draw random numbers begin: what they draw depends on the cells before."""

SETS = ("set_", "_set", "use_", "register_module")
"""How the names that change the engine for all cells begin."""

OF_ONE_CALL = frozenset({"set_materialize_grads"})

_BUILT_IN = frozenset(dir(builtins))


@dataclass(frozen=True)
class _Look:
    """How a cell may depend on other cells, or affect them.

    `names` are all global names that it binds or uses. Of these it `imports` some (`imported` pairs
    each with its origin), gives others a value in another way (`bound`), and sets attributes of
    others (`changed`). `reaches`: it may use names that are not written in it. `shares`: running it
    may change the engine for all cells or draw random numbers. `sets` and `draws` say the same of
    all its code, that of its functions included, which may be called later. `calls`: running it
    calls something.
    """

    names: frozenset[str]
    imported: frozenset[tuple[str, str]]
    imports: frozenset[str]
    bound: frozenset[str]
    changed: frozenset[str]
    reaches: bool
    shares: bool
    sets: bool
    draws: bool
    calls: bool


def passed_over(
    cells: Sequence[Cell],
    published: Collection[str],
    answering: Iterable[int],
    names: Iterable[str],
) -> set[int]:
    """The indices of `cells` that need not be run; none at all in case of doubt.

    `published` are the sources of the lesson's own cells, `answering` the indices of the cells that
    make up answers or after which an answer is examined, `names` the symbols of the exercises.
    """
    looks = {cell.index: look for cell in cells if (look := _look(cell.code)) is not None}
    answers = {cell.index for cell in cells if cell.exercise is not None} | set(answering)
    own = answers | {cell.index for cell in cells if cell.code not in published}
    if len(looks) < len(cells) or any(look.reaches for look in looks.values()):
        return set()
    tying = _tying(looks.values())
    mine = [looks[index] for index in own & looks.keys()]
    if any(look.shares or look.changed - tying for look in mine):
        return set()
    if any(look.sets or look.draws for look in mine) and any(look.calls for look in mine):
        return set()
    tied = {index: look.names & tying for index, look in looks.items()}
    waiting = looks.keys() - answers
    run = answers | {i for i in waiting if looks[i].sets or looks[i].changed - tying}
    more, linked = run & looks.keys(), set(names)
    used = set().union(*(look.names for look in mine))
    while more:
        waiting -= more
        linked.update(*(tied[index] for index in more))
        used.update(*(looks[index].names for index in more))
        more = {
            index
            for index in waiting
            if not tied[index].isdisjoint(linked) or not looks[index].imports.isdisjoint(used)
        }
    return waiting - own


def _tying(looks: Collection[_Look]) -> set[str]:
    """The names that tie cells to each other: assigned names, and imported ones of unclear meaning.

    An imported name means the same everywhere unless it has several origins or is a builtin's.
    """
    kinds: dict[str, set[str]] = {}
    bound: set[str] = set()
    for look in looks:
        bound |= look.bound
        for name, what in look.imported:
            kinds.setdefault(name, set()).add(what)
    return bound | {name for name, whats in kinds.items() if len(whats) > 1 or name in _BUILT_IN}


def _find(source: str) -> _Look | None:
    tree = parse(source)
    if tree is None:
        return None
    finder = _Finder()
    try:
        finder.body(tree.body, frozenset())
    except RecursionError:
        return None
    return finder.look()


_look_at_short = functools.lru_cache(maxsize=4_000)(_find)


def _look(source: str) -> _Look | None:
    return _look_at_short(source) if len(source) <= SHORT else _find(source)


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class _Finder:
    """Walks through a cell, and knows which names are local in each function."""

    names: set[str] = field(default_factory=set)
    imported: set[tuple[str, str]] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    used_later: set[str] = field(default_factory=set)
    calls: bool = False
    later: bool = False
    modules: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)

    def look(self) -> _Look:
        used = self.used | self.used_later
        dunders = {name for name in used if name.startswith("__")} - PLAIN_DUNDERS - _BUILT_IN
        foreign = {name for name in self.modules if name.partition(".")[0] not in MODULES}
        return _Look(
            names=frozenset(self.names),
            imported=frozenset(self.imported),
            imports=frozenset(name for name, _ in self.imported),
            bound=frozenset(self.bound),
            changed=frozenset(self.changed),
            reaches=bool(dunders or foreign or self.names & REACHING),
            shares=_begins(self.used, SETS) or _draws(self.used),
            sets=_begins(used, SETS),
            draws=_draws(used),
            calls=self.calls,
        )

    def body(self, statements: Iterable[ast.AST], local: frozenset[str]) -> None:
        for each in statements:
            self.visit(each, local)

    def visit(self, node: ast.AST, local: frozenset[str]) -> None:
        if isinstance(node, ast.Name):
            self._name(node.id, local, bind=not isinstance(node.ctx, ast.Load))
        elif isinstance(node, _DEFINITIONS):
            if not isinstance(node, ast.Lambda):
                self._name(node.name, local, bind=True)
            self._definition(node, local)
        elif isinstance(node, _COMPREHENSIONS):
            self.visit(node.generators[0].iter, local)
            targets = {name for each in node.generators for name in _stored([each.target])}
            self.body(ast.iter_child_nodes(node), local | targets)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node, local)
        else:
            if isinstance(node, ast.Attribute):
                self._use(node.attr)
                if not isinstance(node.ctx, ast.Load):
                    self.changed |= {_root(node)} - local
            elif isinstance(node, ast.Call):
                self.calls = self.calls or not self.later
            for name in _texts(node):
                self._name(name, local, bind=True)
            self.body(ast.iter_child_nodes(node), local)

    def _use(self, name: str) -> None:
        (self.used_later if self.later else self.used).add(name)

    def _name(self, name: str, local: frozenset[str], bind: bool) -> None:
        self._use(name)
        if name not in local:
            self.names.add(name)
            if bind:
                self.bound.add(name)

    def _definition(self, node: _Definition, local: frozenset[str]) -> None:
        if isinstance(node, ast.ClassDef):
            self.body([*node.bases, *node.keywords, *node.decorator_list], local)
            for each in node.body:
                # A method's name is not a name of the cell.
                if isinstance(each, _DEFINITIONS):
                    self._definition(each, local)
                else:
                    self.visit(each, local)
            return
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        named += [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        outside = [
            *arguments.defaults,
            *arguments.kw_defaults,
            *(each.annotation for each in named),
        ]
        if not isinstance(node, ast.Lambda):
            outside += [*node.decorator_list, node.returns]
        self.body(filter(None, outside), local)
        inside: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
        own = {*(each.arg for each in named), *_stored(inside)}
        later, self.later = self.later, True
        self.body(inside, (local | own) - set(_declared(inside)))
        self.later = later

    def _import(self, node: ast.Import | ast.ImportFrom, local: frozenset[str]) -> None:
        origin = node.module or "" if isinstance(node, ast.ImportFrom) else None
        if isinstance(node, ast.ImportFrom) and node.level:
            origin = "."
        for each in node.names:
            self.modules.add(each.name if origin is None else origin)
            if each.name == "*":
                self.modules.add("*")
                continue
            name = each.asname or (each.name.partition(".")[0] if origin is None else each.name)
            if name not in local:
                self.names.add(name)
                what = each.name if origin is None else f"{origin}:{each.name}"
                self.imported.add((name, what if each.asname or origin else name))


def _begins(names: Iterable[str], beginnings: tuple[str, ...]) -> bool:
    return any(name.startswith(beginnings) and name not in OF_ONE_CALL for name in names)


def _draws(names: Collection[str]) -> bool:
    return "nn" in names or _begins(names, DRAWS)


def _root(node: ast.AST) -> str:
    """The name at the root of an attribute or item, such as a in `a.b[0].c`; "" for none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _texts(node: ast.AST) -> Iterator[str]:
    """The names that `node` binds without an `ast.Name`."""
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest
    elif isinstance(node, ast.Global):
        yield from node.names


def _within(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """`nodes` and all nodes inside them, except those inside definitions and comprehensions."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_DEFINITIONS, *_COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)


def _stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in _within(nodes):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)
        elif not isinstance(node, ast.Global):
            yield from _texts(node)


def _declared(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in _within(nodes):
        if isinstance(node, ast.Global):
            yield from node.names
