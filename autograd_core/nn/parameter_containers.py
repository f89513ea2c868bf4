"""Modules that hold parameters: `ParameterList` and `ParameterDict`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from autograd_core.nn.containers import pairs_of, place_in
from autograd_core.nn.module import Module
from autograd_core.nn.parameter import Parameter
from autograd_core.tensor import Tensor


class ParameterList(Module):
    """Parameters in a list. Tensors become parameters; other values are kept as they are."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)([self[position] for position in range(*idx.indices(len(self)))])
        return getattr(self, str(place_in(self, idx)))

    def __setitem__(self, idx: int, param: Any) -> None:
        setattr(self, str(place_in(self, idx)), _learning(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[position] for position in range(len(self))])

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end and return self."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end and return self; TypeError for a tensor or what is no iterable."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                + type(values).__name__
            )
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """Return the values, one a line."""
        return _listed(enumerate(self), lambda tensor: str(tensor.dtype))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a list computes nothing."""
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """Parameters by name. Tensors become parameters; other values are kept as they are."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._name(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[self._name(key)] = None
        setattr(self, key, _learning(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._name(key))

    def _name(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type "
                f"is '{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        return key

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        return self.copy().__ior__(other)

    def __ror__(self, other: Any) -> Any:
        together = other.copy()
        together.update(self.items())
        return together

    def __ior__(self, other: Any) -> ParameterDict:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """Return another dict of the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, which is `default` if there was none."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Take all values out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Take a value out and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Take the last key and value out and return them."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, or `default`."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Return another dict with these keys and one value."""
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> Any:
        """Return the names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return names and values."""
        return [(key, self[key]) for key in self._keys]

    def values(self) -> Iterable[Any]:
        """Return the values."""
        return [self[key] for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Take values over from a mapping, sorted unless it is an ordered one, or from pairs."""
        if isinstance(parameters, ParameterDict):
            parameters = OrderedDict(parameters.items())
        pairs = pairs_of(parameters, "ParameterDict", "ParametersDict")
        if isinstance(parameters, dict) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        """Return the values, one a line."""
        return _listed(self.items(), lambda tensor: tensor.type())

    def __call__(self, input: Any) -> Any:
        """Refuse: a dict computes nothing."""
        raise RuntimeError("ParameterDict should not be called.")


def _learning(value: Any) -> Any:
    plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


def _listed(items: Iterable[tuple[Any, Any]], type_of: Any) -> str:
    lines = []
    for key, value in items:
        if isinstance(value, Tensor):
            kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
            sizes = "x".join(map(str, value.shape))
            lines.append(f"  ({key}): {kind} containing: [{type_of(value)} of size {sizes}]")
        else:
            lines.append(f"  ({key}): Object of type: {type(value).__name__}")
    return "\n".join(lines)
