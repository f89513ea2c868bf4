"""Restores the observers, the engine and their tools to what they were before a student's code ran.

A solution should be judged by what it does itself, not by what it does to NumPy, the engine or the
observers. So before a solution is observed, everything that was replaced in them is put back:
functions, classes and methods in their modules. Numbers, modes and caches are left alone, except
for the observers' own, and so is what was only added.

Only frames should hold what is remembered for this: students' code could rewrite what a module
holds or a cached function returns. What is in no dict is left to `graders.observe.parts`, and
restoring this module itself to `graders.observe.first_aid`.

This is no wall. Code in the same process can reach everything, and the judge trusts no record. But
a wrong answer does not become right by a single line that patches a comparison.
"""

from __future__ import annotations

import builtins
import sys

# Bound now: builtins that a student's code replaces must not decide whether anything was replaced.
from builtins import (  # noqa: UP029
    all,
    any,
    callable,
    getattr,
    isinstance,
    len,
    list,
    map,
    property,
    range,
    staticmethod,
    tuple,
    type,
    vars,
    zip,
)
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress
from operator import is_, is_not, ne
from types import CellType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from graders.observe.closures import full_cells
from graders.observe.dict_versions import contents_of, read_at_once, versions_of

OBSERVERS = ("graders.observe",)
ENGINE = ("autograd_core", "autograd_core.autograd")
"""Packages whose modules are watched, together with the classes in them."""

OPERATORS = ("autograd_core.ops",)

TOOLS = (
    "ast",
    "base64",
    "binascii",
    "builtins",
    "collections",
    "contextlib",
    "functools",
    "gc",
    "inspect",
    "io",
    "json",
    "json.decoder",
    "json.encoder",
    "linecache",
    "math",
    "numpy",
    "numpy._core.fromnumeric",
    "numpy._core.multiarray",
    "numpy._core.numeric",
    "os",
    "random",
    "weakref",
    "zlib",
)
"""Modules that the observers and the engine use."""

WITH_CLASSES = ("contextlib", "json.decoder", "json.encoder")
"""Modules with classes, written in Python, that the observers instantiate."""

_MEMBERS = (
    classmethod,
    property,
    staticmethod,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
)
_MISSING = object()

ROUNDS = 5
"""How often to look for changes, because restoring something may run code that changes more."""

_BUILTIN_NAMES = frozenset(vars(builtins))


class Pristine:
    """The state of some modules, of their classes and of the functions in them."""

    def __init__(self, modules: Sequence[ModuleType], own_classes_of: tuple[str, ...]) -> None:
        """Remember `modules`, and the classes in them that are defined below `own_classes_of`."""
        self.modules = tuple(modules)
        self.classes = tuple(_classes(modules, own_classes_of))
        self._by_name = {module.__name__: module for module in modules}
        self._loaded = sys.modules
        self._places = [_Place(each) for each in (*modules, *self.classes)]
        self._cells = [_Cell(each) for each in _cells_of(self._places)]
        tables = [(place, table) for place in self._places for table in place.tables()]
        self._owners: list[_Place | _Cell] = [*(place for place, _ in tables), *self._cells]
        counted = versions_of(table for _, table in tables)
        if counted is not None:
            counted += contents_of(each.cell for each in self._cells)
        self._numbers_now = None if counted is None else read_at_once(counted)
        self._numbers = b"" if self._numbers_now is None else self._numbers_now()

    def classes_of(self, names: Iterable[str]) -> list[type]:
        """The classes that are defined in the modules of these `names`."""
        return [each for each in self.classes if each.__module__ in names]

    def restore(self) -> bool:
        """Put back whatever was replaced, and return whether anything was."""
        changed = self._restore_modules()
        for _ in range(ROUNDS):
            # A student's object that is removed here may replace something else as it is deleted.
            suspects = self._suspects()
            for place in suspects:
                changed = place.restore() or changed
            if not suspects or self._numbers_now is None:
                break
        return changed

    def _restore_modules(self) -> bool:
        # Imports use the first dict of modules, even if `sys.modules` has been set to another one.
        changed = sys.modules is not self._loaded
        if changed:
            sys.modules = self._loaded
        if not all(map(is_, map(self._loaded.get, self._by_name), self._by_name.values())):
            self._loaded.update(self._by_name)
            changed = True
        return changed

    def _suspects(self) -> Sequence[_Place | _Cell]:
        """The places in which something may have changed since the last call.

        Where dicts have no versions these are all places.
        """
        if self._numbers_now is None:
            return [*self._places, *self._cells]
        now, before = self._numbers_now(), self._numbers
        if now == before:
            return []
        self._numbers = now
        each_now, each_before = (memoryview(numbers).cast("Q") for numbers in (now, before))
        return list(compress(self._owners, map(ne, each_now, each_before)))


class _Place:
    """The names in one module or class, and what they stood for."""

    def __init__(self, thing: Any) -> None:
        self._thing = thing
        self._members: Mapping[str, Any] = vars(thing)
        # The observers' own numbers and texts are watched too: nobody else has reason to set them.
        self._counts = _is_anything if self.is_below(OBSERVERS) else _is_made_of_code
        self._kept = {name: each for name, each in self._members.items() if self._counts(each)}
        # A dict of functions is a lookup table, such as the library of scenarios.
        self._tables = [
            (each, dict(each))
            for name, each in self._members.items()
            if type(each) is dict and each and name != "__builtins__"
            if all(map(_is_made_of_code, each.values()))
        ]
        self._look()

    def tables(self) -> Iterator[Mapping[str, Any]]:
        """The dicts in which code is looked up: the members, and the tables among them."""
        yield self._members
        for table, _ in self._tables:
            yield table

    def _look(self) -> None:
        """Remember all members as they are now, to see quickly whether any has changed."""
        self._seen = [list(chain.from_iterable(table.items())) for table in self.tables()]

    def _as_seen(self) -> bool:
        """Whether no watched member has been added, removed or replaced since `_look`."""
        for table, seen in zip(self.tables(), self._seen, strict=True):
            if 2 * len(table) != len(seen):
                return False
            now = list(chain.from_iterable(table.items()))
            # By identity: a student's object may claim to equal any other.
            for place in compress(range(len(seen)), map(is_not, now, seen)):
                if self._counts(now[place]) or self._counts(seen[place]) or not place % 2:
                    return False
                seen[place] = now[place]
        return True

    def is_below(self, packages: Iterable[str]) -> bool:
        """Whether this is a module of one of the `packages`, or a class that is defined in one."""
        a_module = isinstance(self._thing, ModuleType)
        name: str = self._thing.__name__ if a_module else self._thing.__module__
        return name.rpartition(".")[0] in packages

    def functions(self) -> Iterator[tuple[str, FunctionType]]:
        """The functions in this module or class, each with the name of its member."""
        for name, each in self._kept.items():
            for inner in (each, *(getattr(each, part, None) for part in ("__func__", "fget"))):
                if type(inner) is FunctionType:
                    yield name, inner

    def restore(self) -> bool:
        """Put back whatever was replaced, and return whether anything was."""
        if self._as_seen():
            return False
        changed = False
        for table, content in self._tables:
            if not _same(table, tuple(content.values())):
                table.clear()
                table.update(content)
                changed = True
        for name, value in self._kept.items():
            if self._members.get(name, _MISSING) is not value:
                self._set(name, value)
                changed = True
        for name in [name for name in self._members if name not in self._kept]:
            if self._hides_another(name):
                self._delete(name)
                changed = True
        self._look()
        return changed

    def _hides_another(self, name: str) -> bool:
        """Whether the added `name` shadows a builtin, or something that the class inherits."""
        if not _is_made_of_code(self._members[name]):
            return False
        if isinstance(self._thing, ModuleType):
            return name in _BUILTIN_NAMES and self._thing is not builtins
        bases = type.__getattribute__(self._thing, "__mro__")[1:]
        return any(_is_made_of_code(vars(base).get(name)) for base in bases)

    def _set(self, name: str, value: Any) -> None:
        if isinstance(self._thing, ModuleType):
            vars(self._thing)[name] = value
        else:
            type.__setattr__(self._thing, name, value)

    def _delete(self, name: str) -> None:
        if isinstance(self._thing, ModuleType):
            del vars(self._thing)[name]
        else:
            type.__delattr__(self._thing, name)


class _Cell:
    """A cell of a function's closure, and what it held."""

    def __init__(self, cell: CellType) -> None:
        self.cell = cell
        self._content = cell.cell_contents

    def restore(self) -> bool:
        """Put back what the cell held, and return whether that was needed."""
        try:
            changed = self.cell.cell_contents is not self._content
        except ValueError:
            changed = True  # the cell is empty
        if changed:
            self.cell.cell_contents = self._content
        return changed


def _cells_of(places: Iterable[_Place]) -> list[CellType]:
    """The closure cells of the observers' functions, and of other functions that these name."""
    functions = [(place, name, each) for place in places for name, each in place.functions()]
    own = [each for place, _, each in functions if place.is_below(OBSERVERS)]
    named = {name for each in own for name in each.__code__.co_names}
    own += [each for _, name, each in functions if name in named]
    cells = {id(cell): cell for each in own for cell in full_cells(each)}
    return list(cells.values())


def observers() -> Pristine:
    """The observers themselves and Python's builtins, as they are now."""
    return Pristine([*_below(OBSERVERS), builtins], OBSERVERS)


def surroundings() -> Pristine:
    """The observers, the engine, and the modules that they use, as they are now."""
    modules = [sys.modules[name] for name in TOOLS if name in sys.modules]
    own = (*OBSERVERS, "autograd_core", *WITH_CLASSES)
    return Pristine([*_below((*OBSERVERS, *ENGINE)), *modules], own)


def operators() -> Pristine:
    """The modules of the engine's operators, as they are now; apart, because they are many."""
    return Pristine(_below(OPERATORS), ())


def _below(packages: Iterable[str]) -> list[ModuleType]:
    return [
        module
        for name, module in list(sys.modules.items())
        if name in packages or name.rpartition(".")[0] in packages
    ]


def _classes(modules: Iterable[ModuleType], packages: tuple[str, ...]) -> Iterator[type]:
    found: dict[int, type] = {}
    for module in modules:
        for each in vars(module).values():
            # Chosen by the module that holds a class: the engine's classes claim to be PyTorch's.
            # The operators' classes are left out because they are too many.
            if isinstance(each, type) and module.__name__.startswith(packages):
                found[id(each)] = each
    return (each for each in found.values() if each.__flags__ & HEAP_TYPE)


HEAP_TYPE = 1 << 9
"""The flag of classes that are written in Python, and so can be changed."""


def _is_made_of_code(value: Any) -> bool:
    return callable(value) or isinstance(value, _MEMBERS)


def _is_anything(value: Any) -> bool:
    return True


def _same(members: Mapping[str, Any], values: tuple[Any, ...]) -> bool:
    # By identity: a student's object may claim to equal any other.
    return len(members) == len(values) and all(map(is_, members.values(), values))
