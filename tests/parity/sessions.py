"""What somebody sees who types one expression after another: results as Python shows them.

Expressions are Python text, one a line, evaluated in one namespace with `torch`, `np` and a few
names for what is typed often; a line may also be a statement that prepares the next ones.
"""

import copy
import io
import pickle
import re
import warnings
from typing import Any

import numpy as np

from .harness import Plain, short_name

_TAIL = " (Triggered internally at"
# What NumPy says where `__array__` takes no `copy`: how often, and in which words, differs from
# version to version.
_OF_NUMPY = "__array__ implementation doesn't accept a copy keyword"


def shown(torch: Any, text: str) -> list[Plain]:
    """For each line of `text` the expression and what it gave: type and repr, or the error."""
    names = {
        "torch": torch,
        "t": torch.tensor,
        "np": np,
        "copy": copy,
        "io": io,
        "pickle": pickle,
        "inf": float("inf"),
        "nan": float("nan"),
        "A": torch.arange(24).reshape(2, 3, 4),
        "S": torch.tensor(5.0),
        "X": torch.arange(4.0).reshape(2, 2).requires_grad_(),
        "chain": _chain,
    }
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [[line, _result(line, names)] for line in lines]


def _result(line: str, names: dict[str, Any]) -> Plain:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            seen = _evaluated(line, names)
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
    said = [
        f"{each.category.__name__}: {each.message}".partition(_TAIL)[0]
        for each in caught
        if not str(each.message).startswith(_OF_NUMPY)
    ]
    return _neutral([seen, *said] if said else seen)


def _evaluated(line: str, names: dict[str, Any]) -> str | None:
    try:
        code = compile(line, "session", "eval")
    except SyntaxError:
        exec(line, names)
        return None
    result = eval(code, names)
    return f"{type(result).__name__} {result!r}"


def _neutral(seen: Plain) -> Plain:
    """Leave out addresses, the engine's own module paths, and what only some Pythons say."""
    if isinstance(seen, list):
        return [_neutral(each) for each in seen]
    if seen is None:
        return None
    # Python 3.15 no longer mentions it.
    seen = re.sub(r" at 0x\w+", "", seen).replace("be integers or None or", "be integers or")
    return re.sub(r"\bautograd_core(\.[a-z_]+)*", "torch", seen)


def _chain(tensor: Any) -> list[str]:
    """The names of the nodes from a tensor back along each node's first input."""
    names, node = [], tensor.grad_fn
    while node is not None:
        names.append(short_name(node))
        node = node.next_functions[0][0] if node.next_functions else None
    return names
