"""Programs that nobody wrote: steps drawn at random, run in either engine.

A program is a list of steps; each works on the tensors made so far and may make another. All
values stay small whole numbers, so that both engines have to agree to the last digit.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from .drawn_functions import TAKING_ONE, TAKING_TWO, functions
from .harness import Plain, error_of, node_names


def _alike(a: Any, b: Any) -> bool:
    return a.shape == b.shape and a.is_inference() == b.is_inference()


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
    "all of it": lambda a: a[...],
    "strided": lambda a: a[::2],
    "alias": lambda a: a.view_as(a),
}
SEVERAL = {
    "unbind": lambda a: a.unbind(0),
    "unbind of the last": lambda a: a.unbind(-1),
    "split": lambda a: a.split(1),
    "split in sections": lambda a: a.split([1, a.shape[0] - 1]),
    "chunk": lambda a: a.chunk(2, -1),
    "tensor_split": lambda a: a.tensor_split(2),
    "iteration": tuple,
}
IN_PLACE = {
    "add_": lambda a, b: a.add_(b),
    "sub_": lambda a, b: a.sub_(b),
    "mul_": lambda a, b: a.mul_(b),
    "copy_": lambda a, b: a.copy_(b),
    "set first": lambda a, b: a.__setitem__(0, b),
    "set rest": lambda a, b: a.__setitem__(slice(1, None), b),
    "set all": lambda a, b: a.__setitem__(slice(None), b),
    "set data": lambda a, b: setattr(a, "data", (b if _alike(a, b) else a).data),
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
    "set all to five": lambda a: a.__setitem__(Ellipsis, 5),
    "add to data": lambda a: a.data.add_(1),
}
FLAGS = {
    "retain_grad": lambda a: a.retain_grad(),
    "requires_grad_": lambda a: a.requires_grad_(),
    "detach_": lambda a: a.detach_(),
    "requires_grad_(False)": lambda a: a.requires_grad_(False),
    "forget the gradient": lambda a: setattr(a, "grad", None),
}
MODES = ("grad", "no_grad", "inference", "normal in inference")
RESULTS = {"binary": BINARY, "unary": UNARY}
CHANGES = {"in place": IN_PLACE, "in place alone": IN_PLACE_ALONE, "flags": FLAGS}
HOOKS = {"see": lambda g: None, "double": lambda g: None if g is None else g * 2}

_which = st.integers(0, 7)


def _steps(kind: str, table: Iterable[str], operands: int) -> st.SearchStrategy:
    return st.tuples(st.just(kind), st.sampled_from(sorted(table)), *[_which] * operands)


programs = st.lists(
    st.one_of(
        _steps("binary", BINARY, 2),
        _steps("unary", UNARY, 1),
        _steps("unary", UNARY, 1),
        _steps("in place", IN_PLACE, 2),
        _steps("in place alone", IN_PLACE_ALONE, 1),
        _steps("flags", FLAGS, 1),
        _steps("several", SEVERAL, 1),
        _steps("function", TAKING_ONE, 1),
        _steps("function", TAKING_TWO, 2),
        _steps("hook", HOOKS, 1),
        st.tuples(st.just("mode"), st.sampled_from(MODES)),
        st.tuples(st.just("backward"), _which),
        st.tuples(st.just("backward to"), _which, _which),
        st.tuples(st.just("grad"), _which, _which),
    ),
    min_size=1,
    max_size=14,
)


def run(program: list[tuple], torch: ModuleType) -> Plain:
    """Run `program` in the engine `torch`: how each step ended, and all tensors afterwards."""
    tensors = [
        torch.tensor([[1.0, -2.0, 3.0], [0.0, 2.0, -1.0]], requires_grad=True),
        torch.tensor([1.0, 2.0, -1.0], requires_grad=True),
        torch.tensor([[2.0, 1.0, 0.0], [1.0, -1.0, 3.0]]),
        torch.tensor(2.0, requires_grad=True),
    ]
    engine = _Run(torch, tensors)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for step in (*program, ("mode", "grad"), ("backward", len(tensors) - 1)):
                engine.end_of(step)
        finally:
            engine.enter("grad")
        looks = [_look_at(tensor) for tensor in tensors]
        return {"ends": engine.ends, "hooks": engine.seen_by_hooks, "tensors": looks}


class _Run:
    """A program under way in one engine: its tensors, and what was seen so far."""

    def __init__(self, torch: ModuleType, tensors: list[Any]) -> None:
        self.torch, self.tensors = torch, tensors
        self.ends: list[Plain] = []
        self.seen_by_hooks: list[Plain] = []
        self._modes = contextlib.ExitStack()

    def enter(self, mode: str) -> None:
        """Leave the mode that the program is in, and enter another."""
        torch = self.torch
        self._modes.close()
        if "inference" in mode:
            self._modes.enter_context(torch.inference_mode())
        if mode == "normal in inference":
            self._modes.enter_context(torch.inference_mode(False))
        if mode == "no_grad":
            self._modes.enter_context(torch.no_grad())

    def end_of(self, step: tuple) -> None:
        """Do one step and note how it ended."""
        try:
            self.ends.append(self._do(step))
        except (RuntimeError, IndexError, TypeError) as error:
            self.ends.append(error_of(error))

    def _do(self, step: tuple) -> Plain:
        kind, name, *which = step
        if kind == "mode":
            return self.enter(name)
        if kind in ("backward", "backward to", "grad"):
            return self._backward(kind, *self._chosen([name, *which]))
        chosen = self._chosen(which)
        if kind == "several":
            self.tensors.extend(SEVERAL[name](*chosen)[:3])
        elif kind == "function":
            made = functions(self.torch)[name].apply(*chosen)
            self.tensors.extend(made if isinstance(made, tuple) else (made,))
        elif kind == "hook":
            if self.torch.is_inference_mode_enabled():
                # PyTorch crashes when it has to renew the history of a view there.
                return None
            # Where it cannot be renewed at all, PyTorch crashes here as well, but tells who asks.
            _ = chosen[0].grad_fn
            chosen[0].register_hook(self._hook(len(self.ends), HOOKS[name]))
        elif name == "retain_grad" and _is_a_later_output(chosen[0]):
            return None
        elif kind in CHANGES:
            CHANGES[kind][name](*chosen)
        else:
            self.tensors.append(RESULTS[kind][name](*chosen))
        return None

    def _chosen(self, which: Sequence[int]) -> list[Any]:
        return [self.tensors[each % len(self.tensors)] for each in which]

    def _backward(self, kind: str, root: Any, *target: Any) -> Plain:
        if kind == "backward to" and _is_a_later_output(target[0]):
            return None
        total = root.sum()
        if kind == "grad":
            (grad,) = self.torch.autograd.grad(total, target, retain_graph=True)
            return grad.tolist()
        return total.backward(retain_graph=True, inputs=list(target) or None)

    def _hook(self, step: int, hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def seeing(grad: Any) -> Any:
            self.seen_by_hooks.append([step, None if grad is None else grad.tolist()])
            return hook(grad)

        return seeing


def _is_a_later_output(tensor: Any) -> bool:
    """Whether PyTorch would fail an assertion if `tensor` kept its gradient and was changed."""
    return bool(tensor.output_nr) and not tensor._is_view()


def _look_at(tensor: Any) -> Plain:
    inference = tensor.is_inference()
    seen: dict[str, Plain] = {
        "inference": inference,
        "version": None if inference else tensor._version,
        "values": tensor.detach().tolist(),
        "is_view": tensor._is_view(),
        "shares with the first": tensor._base is not None and tensor._base.dim() == 2,
    }
    try:
        seen |= {
            "grad": None if tensor.grad is None else tensor.grad.tolist(),
            "requires_grad": tensor.requires_grad,
            "retains_grad": tensor.retains_grad,
            "is_leaf": tensor.is_leaf,
            "output_nr": tensor.output_nr,
            "graph": None if tensor.grad_fn is None else node_names(tensor.grad_fn),
        }
    except RuntimeError as error:
        seen |= error_of(error)
    return seen
