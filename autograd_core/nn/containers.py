"""Modules that hold modules in order: `Sequential` and `ModuleList`."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from autograd_core.nn.module import Module, listed
from autograd_core.tensor import Tensor


class _Row(Module):
    """What the two have in common: modules in order, under the names "0", "1" and so on."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, idx: Any) -> Any:
        return self._modules[self._name_at(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._name_at(idx), module)

    def __delitem__(self, idx: int | slice) -> None:
        names = list(self._modules)
        for name in names[idx] if isinstance(idx, slice) else [self._name_at(idx)]:
            delattr(self, name)
        self._renumber(list(self))

    def _name_at(self, idx: int) -> str:
        idx = operator.index(idx)
        if not -len(self) <= idx < len(self):
            raise IndexError(f"index {idx} is out of range")
        return list(self._modules)[idx]

    def _renumber(self, modules: list[Any]) -> None:
        self._modules = {str(position): module for position, module in enumerate(modules)}

    def append(self, module: Module) -> Any:
        """Add a module at the end and return self."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Take a module out and return it."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Row):
    """Modules one after the other; or a dict of them by name."""

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = len(modules) == 1 and isinstance(modules[0], dict)
        items = modules[0].items() if named else enumerate(modules)
        for name, module in items:
            self.add_module(str(name), module)

    def forward(self, input: Tensor) -> Tensor:
        """Map through every module in turn."""
        for module in self:
            input = module(input)
        return input

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(dict(list(self._modules.items())[idx]))
        return super().__getitem__(idx)

    def __add__(self, other: Sequential) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                "add operator supports only objects of Sequential class, but "
                f"{type(other)} is given."
            )
        return Sequential(*self, *other)

    def insert(self, index: int, module: Module) -> Sequential:
        """Put a module ahead of the one at `index` and return self."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Add modules at the end and return self."""
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_Row):
    """Modules in a list, so that they and their parameters are found."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self)[idx])
        return super().__getitem__(idx)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def insert(self, index: int, module: Module) -> None:
        """Put a module ahead of the one at `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end and return self; TypeError for what cannot be iterated."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        # Neighbours that read the same are shown once, with their number.
        runs: list[tuple[int, int, str]] = []
        for position, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], position, text)
            else:
                runs.append((position, position, text))
        return listed(
            self._get_name(),
            [
                f"({first}): {text}"
                if first == last
                else f"({first}-{last}): {last - first + 1} x {text}"
                for first, last, text in runs
            ],
        )
