"""Modules that hold modules: `Sequential`, `ModuleList`, `ModuleDict`; and `ParameterList`."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any

from autograd_core.nn.module import Module, listed
from autograd_core.nn.parameter import Parameter
from autograd_core.tensor import Tensor


class _Growing(Module):
    """A container that grows at its end; its members are named "0", "1" and so on."""

    def extend(self, values: Iterable[Any]) -> Any:
        """Add values at the end and return self."""
        for value in values:
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> Any:
        return self.extend(values)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self)[idx])
        return getattr(self, self._name_at(idx))

    def _name_at(self, idx: Any) -> str:
        return str(_place_in(self, idx))


class _Row(_Growing):
    """Modules in order."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return super().__getitem__(idx)
        return self._modules[self._name_at(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._name_at(idx), module)

    def __delitem__(self, idx: int | slice) -> None:
        for name in self._names()[idx] if isinstance(idx, slice) else [self._name_at(idx)]:
            delattr(self, name)
        self._modules = {str(position): module for position, module in enumerate(self)}

    def _names(self) -> list[str]:
        """Return the names by which the modules are found, in order."""
        return list(self._modules)

    def _name_at(self, idx: Any) -> str:
        return self._names()[_place_in(self, idx)]

    def _make_room(self, index: int, module: Module) -> None:
        """Insert a module at a number and move each later one a place further, the last one first.

        KeyError if a later module's name is not its number; some have been moved by then.
        """
        for place in range(len(self), index, -1):
            self._modules[str(place)] = self._modules[str(place - 1)]
        self._modules[str(index)] = module

    def append(self, module: Module) -> Any:
        """Add a module at the end and return self."""
        self.add_module(str(len(self)), module)
        return self


def _taken_from(row: _Row, key: int | slice) -> Any:
    taken = row[key]
    del row[key]
    return taken


class Sequential(_Row):
    """Modules that are applied one after the other, given as arguments or as an `OrderedDict`."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = len(modules) == 1 and isinstance(modules[0], OrderedDict)
        items = modules[0].items() if named else enumerate(modules)
        for name, module in items:
            self.add_module(str(name), module)

    def forward(self, input: Tensor) -> Tensor:
        """Apply every module in turn."""
        for module in self:
            input = module(input)
        return input

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return super().__getitem__(idx)

    def __add__(self, other: Any) -> Sequential:
        return Sequential(*self, *_sequential(other))

    def __iadd__(self, values: Any) -> Sequential:
        return self.extend(list(_sequential(values)))

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*list(self) * _factor(self, other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Sequential:
        return self.extend(list(self) * (_factor(self, other) - 1))

    def insert(self, index: int, module: Module) -> Sequential:
        """Insert a module before the one at `index` and return self."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        self._make_room(index + len(self) if index < 0 else index, module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Remove a module and return it."""
        return _taken_from(self, key)


class ModuleList(_Row):
    """Modules in a list, so that they and their parameters are found."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def _names(self) -> list[str]:
        # As in PyTorch, a module that was added under another name is not found by its place.
        return list(map(str, range(len(self))))

    def insert(self, index: int, module: Module) -> None:
        """Insert a module before the one at `index`, which must not be negative."""
        self._make_room(index, module)

    def pop(self, key: int | slice) -> Any:
        """Remove a module and return it."""
        return _taken_from(self, key)

    def extend(self, values: Iterable[Module]) -> ModuleList:
        """Add modules at the end and return self; TypeError for what cannot be iterated."""
        return super().extend(_iterated(values, "ModuleList.extend", "an iterable"))

    def __repr__(self) -> str:
        # Neighbours with the same text are shown once, with their number.
        entries, first = [], 0
        for text, alike in groupby(map(repr, self)):
            count = len(list(alike))
            many = f"({first}-{first + count - 1}): {count} x {text}"
            entries.append(many if count > 1 else f"({first}): {text}")
            first += count
        return listed(self._get_name(), entries)


class ModuleDict(Module):
    """Modules in a dict, in the order in which they were added."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module

    def keys(self) -> Any:
        """Return the names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Return the names with their modules."""
        return self._modules.items()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a mapping or from pairs; errors are PyTorch's."""
        for key, module in _pairs_of(modules):
            self[key] = module


class ParameterList(_Growing):
    """Parameters in a list. Tensors become parameters; other values are kept as they are."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __setitem__(self, idx: int, param: Any) -> None:
        plain = isinstance(param, Tensor) and not isinstance(param, Parameter)
        setattr(self, self._name_at(idx), Parameter(param) if plain else param)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[position] for position in range(len(self)))

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end and return self."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end and return self; TypeError for a tensor or what is no iterable."""
        return super().extend(_iterated(values, "ParameterList.extend", "an iterable", Tensor))

    def extra_repr(self) -> str:
        """Return the values, one a line."""
        return "\n".join(
            [f"  ({position}): {_described(value)}" for position, value in enumerate(self)]
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a list computes nothing."""
        raise RuntimeError("ParameterList should not be called.")


def _described(value: Any) -> str:
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    sizes = "x".join(map(str, value.shape))
    return f"{kind} containing: [{value.dtype} of size {sizes}]"


def _place_in(row: Any, idx: Any) -> int:
    """Return an index counted from the front; IndexError if it is out of range."""
    idx = operator.index(idx)
    if not -len(row) <= idx < len(row):
        raise IndexError(f"index {idx} is out of range")
    return idx % len(row)


def _iterated(given: Any, function: str, wanted: str, refused: Any = ()) -> list[Any]:
    """Return what is in `given`, or raise PyTorch's TypeError."""
    if not isinstance(given, Iterable) or isinstance(given, refused):
        text = f"{function} should be called with {wanted}, but got {type(given).__name__}"
        raise TypeError(text)
    return list(given)


def _pairs_of(given: Any) -> list[tuple[str, Any]]:
    """Return the keys and values of a mapping, or of pairs, or raise PyTorch's errors."""
    pairs = _iterated(given, "ModuleDict.update", "an iterable of key/value pairs")
    if isinstance(given, Mapping | ModuleDict):
        return list(given.items())
    for position, pair in enumerate(pairs):
        where = f"ModuleDict update sequence element #{position}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{where} should be Iterable; is{type(pair).__name__}")
        if len(list(pair)) != 2:
            raise ValueError(f"{where} has length {len(list(pair))}; 2 is required")
    return pairs


def _sequential(other: Any) -> Sequential:
    if not isinstance(other, Sequential):
        raise ValueError(
            f"add operator supports only objects of Sequential class, but {type(other)} is given."
        )
    return other


def _factor(row: Sequential, other: Any) -> int:
    if not isinstance(other, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(row)} and {type(other)}")
    if other <= 0:
        raise ValueError(f"Non-positive multiplication factor {other} for {type(row)}")
    return other
