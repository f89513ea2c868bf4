"""One program, one engine, one observation made of plain data.

A program is a function that takes an engine (`torch` or `autograd_core`) and returns what it saw.
`observe` turns that into JSON-ready data, so that observations of two engines, or of an engine
and a record, can be compared by `differences`.
"""

import math
import warnings
from collections.abc import Callable, Iterable
from itertools import takewhile
from types import ModuleType
from typing import Any

import numpy as np

Plain = Any
Program = Callable[[ModuleType], object]

# How much of what two long texts share is shown before the place where they part.
_CONTEXT = 40
_TAIL_OF_TORCH = " (Triggered internally at"


def observe(program: Program, torch: ModuleType) -> Plain:
    """What `program` returned, raised and warned of when it ran in the engine `torch`."""
    observation: dict[str, Plain] = {}
    # What is said once a process would otherwise depend on the order of the programs.
    torch.set_warn_always(True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            observation["returned"] = plain(program(torch))
        except Exception as error:
            observation.update(error_of(error))
        finally:
            torch.set_grad_enabled(True)
    observation["warnings"] = _texts(caught)
    return observation


def outcome(call: Callable[[], object]) -> Plain:
    """The plain result of `call`, or type and text of the exception that it raised."""
    try:
        return plain(call())
    except Exception as error:
        return error_of(error)


def warned(call: Callable[[], object]) -> Plain:
    """The warnings that `call` gave, as `["UserWarning: its text"]`."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return _texts(caught)


def error_of(error: BaseException) -> dict[str, str]:
    """Type and text of an exception."""
    return {"raises": type(error).__name__, "says": str(error)}


def short_name(node: Any) -> str:
    """The name of a node without the C++ namespace that PyTorch puts before AccumulateGrad."""
    return node.name().rpartition("::")[2]


def graph(node: Any) -> Plain:
    """The graph behind a `grad_fn`: its name, then each edge as `[graph, input number]`."""
    if node is None:
        return None
    edges = [[graph(child), number] for child, number in node.next_functions]
    return [short_name(node), *edges]


def node_names(node: Any) -> list[str]:
    """The names of all nodes reached from a `grad_fn`, each node once, parents first."""
    seen: list[Any] = []
    waiting = [node]
    while waiting:
        current = waiting.pop(0)
        if current is not None and not any(current is other for other in seen):
            seen.append(current)
            waiting.extend(child for child, _ in current.next_functions)
    return [short_name(current) for current in seen]


def plain(value: Any) -> Plain:
    """`value` as JSON-ready data; a tensor with its dtype, shape, values and grad_fn."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return {"array": value.dtype.name, "values": plain(value.tolist())}
    if hasattr(value, "requires_grad"):
        return {
            "tensor": str(value.dtype).rpartition(".")[2],
            "shape": list(value.shape),
            "values": plain(value.detach().tolist()),
            "requires_grad": value.requires_grad,
            "grad_fn": short_name(value.grad_fn) if value.grad_fn is not None else None,
        }
    return f"{type(value).__name__}: {value}"


def state(tensor: Any) -> dict[str, Plain]:
    """A tensor with its version.

    Gradients are observed without: how often a sum was formed in place is no promise of PyTorch.
    """
    return {**plain(tensor), "version": tensor._version}


def differences(expected: Plain, got: Plain, ulps: int = 0) -> list[str]:
    """Where two observations differ, one line each; none when they agree.

    Values of tensors may be `ulps` units in the last place of their dtype apart.
    """
    return list(_differences(expected, got, "", ulps, None))


def _differences(
    expected: Plain, got: Plain, path: str, ulps: int, dtype: str | None
) -> Iterable[str]:
    if isinstance(expected, dict) and isinstance(got, dict):
        inner = expected.get("tensor")
        for key in dict.fromkeys((*expected, *got)):
            where = f"{path}.{key}" if path else key
            if key not in got:
                yield f"{where}: expected {expected[key]!r}, got nothing"
            elif key not in expected:
                yield f"{where}: expected nothing, got {got[key]!r}"
            else:
                kind = inner if key == "values" else None
                yield from _differences(expected[key], got[key], where, ulps, kind)
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (left, right) in enumerate(zip(expected, got, strict=True)):
            yield from _differences(left, right, f"{path}[{index}]", ulps, dtype)
    elif not _equal(expected, got, ulps, dtype):
        left, right = _from_where_they_part(expected, got)
        yield f"{path}: expected {left!r}, got {right!r}"


def _from_where_they_part(expected: Plain, got: Plain) -> tuple[Plain, Plain]:
    if not (isinstance(expected, str) and isinstance(got, str)):
        return expected, got
    shared = zip(expected, got, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], shared))
    if common <= _CONTEXT:
        return expected, got
    start = common - _CONTEXT
    return f"…{expected[start:]}", f"…{got[start:]}"


def _equal(expected: Plain, got: Plain, ulps: int, dtype: str | None) -> bool:
    if type(expected) is not type(got):
        return False
    if expected == got:
        return True
    if ulps == 0 or dtype is None or not isinstance(expected, float):
        return False
    unit = np.spacing(np.asarray(max(abs(expected), abs(got)), dtype=dtype))
    return abs(expected - got) <= ulps * float(unit)


def _texts(caught: Iterable[warnings.WarningMessage]) -> list[str]:
    return [
        f"{entry.category.__name__}: {str(entry.message).partition(_TAIL_OF_TORCH)[0]}"
        for entry in caught
    ]
