"""Programs that nobody wrote: steps drawn at random, run in either engine.

A program is a list of steps; each works on the tensors made so far and may make another. All
values stay small whole numbers, so that both engines have to agree to the last digit.
"""

import warnings
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from .harness import Plain, error_of, short_name

BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
}
UNARY = {
    "neg": lambda a: -a,
    "relu": lambda a: a.relu(),
    "times two": lambda a: a * 2,
    "minus": lambda a: 3 - a,
    "square": lambda a: a**2,
    "sum": lambda a: a.sum(),
    "sum of dim": lambda a: a.sum(0),
    "max": lambda a: a.max(),
    "clone": lambda a: a.clone(),
    "detach": lambda a: a.detach(),
    "data": lambda a: a.data,
    "t": lambda a: a.t(),
    "view": lambda a: a.view(-1),
    "reshape": lambda a: a.reshape(-1),
    "first": lambda a: a[0],
    "rest": lambda a: a[1:],
    "column": lambda a: a[:, 1],
    "picked": lambda a: a[[0, 0]],
    "unsqueeze": lambda a: a.unsqueeze(0),
    "squeeze": lambda a: a.squeeze(),
    "expand": lambda a: a.expand(2, *a.shape),
    "transposed": lambda a: a.transpose(0, -1),
    "mean times six": lambda a: a.sum() / 1,
}
IN_PLACE = {
    "add_": lambda a, b: a.add_(b),
    "sub_": lambda a, b: a.sub_(b),
    "mul_": lambda a, b: a.mul_(b),
    "copy_": lambda a, b: a.copy_(b),
    "set first": lambda a, b: a.__setitem__(0, b),
    "set rest": lambda a, b: a.__setitem__(slice(1, None), b),
}
IN_PLACE_ALONE = {
    "neg_": lambda a: a.neg_(),
    "relu_": lambda a: a.relu_(),
    "zero_": lambda a: a.zero_(),
    "fill_": lambda a: a.fill_(2),
    "add_ one": lambda a: a.add_(1),
    "mul_ two": lambda a: a.mul_(2),
    "square_": lambda a: a.pow_(2),
    "set first to five": lambda a: a.__setitem__(0, 5),
}
FLAGS = {
    "retain_grad": lambda a: a.retain_grad(),
    "requires_grad_": lambda a: a.requires_grad_(),
    "detach_": lambda a: a.detach_(),
}

_which = st.integers(0, 7)


def _steps(kind: str, table: dict[str, Any], operands: int) -> st.SearchStrategy:
    return st.tuples(st.just(kind), st.sampled_from(sorted(table)), *[_which] * operands)


programs = st.lists(
    st.one_of(
        _steps("binary", BINARY, 2),
        _steps("unary", UNARY, 1),
        _steps("unary", UNARY, 1),
        _steps("in place", IN_PLACE, 2),
        _steps("in place alone", IN_PLACE_ALONE, 1),
        _steps("flags", FLAGS, 1),
        st.tuples(st.just("grad mode"), st.booleans()),
        st.tuples(st.just("backward"), _which),
    ),
    min_size=1,
    max_size=12,
)


def run(program: list[tuple], torch: ModuleType) -> Plain:
    """Run `program` in the engine `torch`: how each step ended, and all tensors afterwards."""
    tensors = [
        torch.tensor([[1.0, -2.0, 3.0], [0.0, 2.0, -1.0]], requires_grad=True),
        torch.tensor([1.0, 2.0, -1.0], requires_grad=True),
        torch.tensor([[2.0, 1.0, 0.0], [1.0, -1.0, 3.0]]),
        torch.tensor(2.0, requires_grad=True),
    ]
    ends = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for step in program:
                ends.append(_end_of(step, tensors, torch))
            ends.append(_end_of(("backward", len(tensors) - 1), tensors, torch))
        finally:
            torch.set_grad_enabled(True)
        return {"ends": ends, "tensors": [_look_at(tensor) for tensor in tensors]}


def _end_of(step: tuple, tensors: list[Any], torch: ModuleType) -> Plain:
    try:
        return _do(step, tensors, torch)
    except (RuntimeError, IndexError, TypeError) as error:
        return error_of(error)


def _do(step: tuple, tensors: list[Any], torch: ModuleType) -> Plain:
    kind, *rest = step
    if kind == "grad mode":
        torch.set_grad_enabled(rest[0])
        return None
    if kind == "backward":
        total = tensors[rest[0] % len(tensors)].sum()
        total.backward(retain_graph=True)
        return None
    name, *which = rest
    chosen = [tensors[each % len(tensors)] for each in which]
    if kind == "binary":
        tensors.append(BINARY[name](*chosen))
    elif kind == "unary":
        tensors.append(UNARY[name](*chosen))
    elif kind == "in place":
        IN_PLACE[name](*chosen)
    elif kind == "in place alone":
        IN_PLACE_ALONE[name](*chosen)
    else:
        FLAGS[name](*chosen)
    return None


def _look_at(tensor: Any) -> Plain:
    seen = {"version": tensor._version, "values": tensor.detach().tolist()}
    try:
        seen |= {
            "grad": None if tensor.grad is None else tensor.grad.tolist(),
            "requires_grad": tensor.requires_grad,
            "is_leaf": tensor.is_leaf,
            "grad_fn": None if tensor.grad_fn is None else short_name(tensor.grad_fn),
            "is_view": tensor._is_view(),
            "shares with the first": tensor._base is not None and tensor._base.dim() == 2,
        }
    except RuntimeError as error:
        seen |= error_of(error)
    return seen
