"""Named pairs that some operators return, such as values and indices; they print as PyTorch's."""

from __future__ import annotations

from collections import namedtuple
from typing import Any


def _named(name: str, *fields: str) -> Any:
    kind = namedtuple(name, fields)  # type: ignore[misc]  # PyTorch's names are given at run time

    def show(self: Any) -> str:
        parts = ",\n".join(f"{field}={value!r}" for field, value in zip(fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{parts})"

    kind.__repr__ = show  # type: ignore[method-assign]  # as PyTorch prints it
    return kind


max = _named("max", "values", "indices")
min = _named("min", "values", "indices")
median = _named("median", "values", "indices")
mode = _named("mode", "values", "indices")
kthvalue = _named("kthvalue", "values", "indices")
sort = _named("sort", "values", "indices")
topk = _named("topk", "values", "indices")
cummax = _named("cummax", "values", "indices")
cummin = _named("cummin", "values", "indices")
aminmax = _named("aminmax", "min", "max")
