"""What a cell depends on, and what depends on it, as far as its source tells.

A cell is tied to others by the names that it uses and gives values. It can also affect them without
a name: by changing the engine, or by drawing random numbers.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graders.reading.cells import SHORT, parse

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

BUILT_IN = frozenset(dir(builtins))


@dataclass(frozen=True)
class Dependence:
    """How a cell may depend on other cells, or affect them.

    `names` are all global names that it binds or uses. Of these it `imports` some (`origins` pairs
    each with what it is the name of), gives others a value in another way (`bound`), and sets
    attributes of others (`changed`). `reaches`: it may use names that are not written in it.
    `shares`: running it may change the engine for all cells or draw random numbers. `sets` and
    `draws` say the same of all its code, that of its functions included, which may be called later.
    `calls`: running it calls something.
    """

    names: frozenset[str]
    origins: frozenset[tuple[str, str]]
    imports: frozenset[str]
    bound: frozenset[str]
    changed: frozenset[str]
    reaches: bool
    shares: bool
    sets: bool
    draws: bool
    calls: bool


def dependence(source: str) -> Dependence | None:
    """What is found in `source`; None when it does not parse, is nested too deeply or is too long.

    Otherwise the grader would be busy for seconds with a hand-in that is a megabyte of code.
    """
    return _found(source) if len(source) <= SHORT else None


@functools.lru_cache(maxsize=4_000)
def _found(source: str) -> Dependence | None:
    tree = parse(source)
    if tree is None:
        return None
    walk = _Walk()
    try:
        walk.visit(tree)
    except RecursionError:
        return None
    return walk.found()


_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_OwnScope = _Named | ast.Lambda | _Comprehension


class _Walk:
    """A walk through a cell that knows which names are local where it is.

    It keeps apart the names and attributes in code that runs with the cell (`_now`) and those in
    the bodies of functions (`_later`).
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._origins: set[tuple[str, str]] = set()
        self._bound: set[str] = set()
        self._changed: set[str] = set()
        self._modules: set[str] = set()
        self._now: set[str] = set()
        self._later: set[str] = set()
        self._calls = False
        self._local: frozenset[str] = frozenset()
        self._in_function = False

    def found(self) -> Dependence:
        """What the walk has come upon."""
        used = self._now | self._later
        dunders = {name for name in used if name.startswith("__")} - PLAIN_DUNDERS - BUILT_IN
        foreign = {name for name in self._modules if name.partition(".")[0] not in MODULES}
        return Dependence(
            names=frozenset(self._names),
            origins=frozenset(self._origins),
            imports=frozenset(name for name, _ in self._origins),
            bound=frozenset(self._bound),
            changed=frozenset(self._changed),
            reaches=bool(dunders or foreign or self._names & REACHING),
            shares=_begins(self._now, SETS) or _draws(self._now),
            sets=_begins(used, SETS),
            draws=_draws(used),
            calls=self._calls,
        )

    def visit(self, node: ast.AST) -> None:
        """Go through `node` and all that is inside it."""
        match node:
            case ast.expr_context():
                pass  # one of these stands in each name and attribute
            case ast.Name():
                self._name(node.id, bind=not isinstance(node.ctx, ast.Load))
            case ast.Attribute():
                self._attribute(node)
            case ast.Call():
                self._calls = self._calls or not self._in_function
                self._visit_all(ast.iter_child_nodes(node), self._local)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._name(node.name, bind=True)
                self._function(node)
            case ast.Lambda():
                self._function(node)
            case ast.ClassDef():
                self._name(node.name, bind=True)
                self._class(node)
            case ast.Import():
                self._import(node)
            case ast.ImportFrom():
                self._import_from(node)
            case _:
                for name in _bound_by(node):
                    self._name(name, bind=True)
                self._visit_all(ast.iter_child_nodes(node), self._local)

    def _visit_all(self, nodes: Iterable[ast.AST], local: frozenset[str]) -> None:
        """Go through `nodes`, where the names `local` are local."""
        outside, self._local = self._local, local
        for each in nodes:
            self.visit(each)
        self._local = outside

    def _attribute(self, node: ast.Attribute) -> None:
        self._use(node.attr)
        if not isinstance(node.ctx, ast.Load):
            self._changed |= {_root(node)} - self._local
        self._visit_all(ast.iter_child_nodes(node), self._local)

    def _comprehension(self, node: _Comprehension) -> None:
        self.visit(node.generators[0].iter)
        targets = set(_stored(_within(each.target for each in node.generators)))
        self._visit_all(ast.iter_child_nodes(node), self._local | targets)

    def _class(self, node: ast.ClassDef) -> None:
        heads = [*node.bases, *node.keywords, *node.decorator_list, *_type_parameters(node)]
        self._visit_all(heads, self._local)
        for each in node.body:
            # A method's name is not a name of the cell.
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(each)
            elif isinstance(each, ast.ClassDef):
                self._class(each)
            else:
                self.visit(each)

    def _function(self, node: _Function) -> None:
        self._visit_all(_run_with_the_definition(node), self._local)
        body: Sequence[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else node.body
        within = list(_within(body))
        own = {*(each.arg for each in _parameters(node)), *_stored(within)}
        outside, self._in_function = self._in_function, True
        self._visit_all(body, (self._local | own) - set(_declared_global(within)))
        self._in_function = outside

    def _import(self, node: ast.Import) -> None:
        for each in node.names:
            self._modules.add(each.name)
            top = each.name.partition(".")[0]
            self._imported(each.asname or top, each.name if each.asname else top)

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." if node.level else node.module or ""
        self._modules.add(module)
        for each in node.names:
            if each.name == "*":
                self._modules.add("*")
            else:
                self._imported(each.asname or each.name, f"{module}:{each.name}")

    def _use(self, name: str) -> None:
        (self._later if self._in_function else self._now).add(name)

    def _name(self, name: str, bind: bool) -> None:
        self._use(name)
        if name not in self._local:
            self._names.add(name)
            if bind:
                self._bound.add(name)

    def _imported(self, name: str, origin: str) -> None:
        if name not in self._local:
            self._names.add(name)
            self._origins.add((name, origin))


def _begins(names: Iterable[str], beginnings: tuple[str, ...]) -> bool:
    return any(name.startswith(beginnings) and name not in OF_ONE_CALL for name in names)


def _draws(names: Collection[str]) -> bool:
    return "nn" in names or _begins(names, DRAWS)


def _root(node: ast.AST) -> str:
    """The name at the root of an attribute or item, such as a in `a.b[0].c`; "" for none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _parameters(function: _Function) -> list[ast.arg]:
    of = function.args
    several = [each for each in (of.vararg, of.kwarg) if each is not None]
    return [*of.posonlyargs, *of.args, *of.kwonlyargs, *several]


def _run_with_the_definition(function: _Function) -> list[ast.AST]:
    """The parts of `function` that run, if at all, when it is defined and not when it is called."""
    parts = [*function.args.defaults, *function.args.kw_defaults]
    parts += [each.annotation for each in _parameters(function)]
    if isinstance(function, ast.Lambda):
        return [each for each in parts if each is not None]
    parts += [*function.decorator_list, function.returns]
    return [*(each for each in parts if each is not None), *_type_parameters(function)]


def _type_parameters(definition: ast.AST) -> list[ast.AST]:
    """Those of `def f[T: bound]` and `class A[T: bound]`, which Python has from 3.12 on."""
    return getattr(definition, "type_params", [])


def _bound_by(node: ast.AST) -> Iterator[str]:
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
        if not isinstance(node, _OwnScope):
            waiting += ast.iter_child_nodes(node)


def _stored(within: Iterable[ast.AST]) -> Iterator[str]:
    """The names to which the nodes that are `_within` some others give values where these stand."""
    for node in within:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, _Named):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (each.asname or each.name.partition(".")[0] for each in node.names)
        elif not isinstance(node, ast.Global):
            yield from _bound_by(node)


def _declared_global(within: Iterable[ast.AST]) -> Iterator[str]:
    for node in within:
        if isinstance(node, ast.Global):
            yield from node.names
