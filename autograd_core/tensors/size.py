"""`Size`: a shape that prints as PyTorch's."""

from __future__ import annotations

import math
from typing import Any


class Size(tuple):
    """A tensor's shape: a tuple of ints that prints as PyTorch's and stays a Size in arithmetic."""

    __slots__ = ()

    def __new__(cls, lengths: Any = ()) -> Size:
        """Return the lengths as a Size; TypeError for a length that is no integer."""
        made = tuple.__new__(cls, lengths)
        if set(map(type, made)) <= {int}:
            return made
        for position, length in enumerate(made):
            if isinstance(length, float) or not hasattr(length, "__index__"):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {position} is "
                    f"'{type(length).__name__}')"
                )
        return tuple.__new__(cls, [length.__index__() for length in made])

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return math.prod(self)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            found = type(other).__name__
            raise TypeError(f"can only concatenate tuple (not {found}) to torch.Size")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple.__add__(other, self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: Any) -> Any:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"
