"""Runs a learner's own backward once more, for the variants, without side effects.

A replay gives it gradients that the program never did. This is done only if the learner cannot
notice: it works on copies of what was saved, with a stand-in for `ctx`, and must not use anything
outside.
"""

from __future__ import annotations

import builtins
import dis
import inspect
import itertools
import numbers
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from autograd_core import Tensor, dtype
from autograd_core.function import Function

# Whose functions and classes remember nothing of having been called, chance apart.
_KNOWN = ("autograd_core", "torch", "numpy", "math", "builtins", "functools", "operator")
_CHANCE = (
    "rand", "rand_like", "randn", "randn_like", "randint", "randint_like", "randperm", "random",
    "random_", "normal", "normal_", "uniform", "uniform_", "bernoulli", "bernoulli_", "multinomial",
    "dropout", "shuffle", "choice", "seed", "manual_seed",
)  # fmt: skip
_REACHING_OUT = ("open", "input", "next", "exec", "eval", "globals", "setattr", "delattr", "vars")


class StandIn:
    """The `ctx` of a replayed backward: it reads like the node, but does not change the node.

    Attributes that are set stay here, and tensors are copies.
    """

    def __init__(self, node: Any) -> None:
        vars(self)["_node"] = node

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._node, name)
        if isinstance(value, list | dict | set):
            value = vars(self)[name] = value.copy()
        elif isinstance(value, Tensor):
            value = vars(self)[name] = value.clone()
        return value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """Copies of what was kept; RuntimeError as the node raises it."""
        kept = self._node.saved_tensors
        return tuple([each.clone() if isinstance(each, Tensor) else each for each in kept])


def of(node: Any) -> Any:
    """Return the backward (or vjp) that a learner has written for a node."""
    function = node._forward_cls
    return function.vjp if function.vjp is not Function.vjp else function.backward


def name_of_function(node: Any) -> str:
    """Return what the learner has called the Function of a node."""
    return str(node._forward_cls.__name__)


def has_jvp(node: Any) -> bool:
    """Return whether the learner's Function has a `jvp` for forward mode."""
    return node._forward_cls.jvp is not Function.jvp


def why_not_again(node: Any) -> str:
    """Say why the backward of a node is not run again, "" if it may be."""
    function = node._forward_cls
    if function.clear_saved_tensors_on_access or function.boxed_grads_call:
        return "uses up what it gets"
    own = [(name, value) for name, value in vars(node).items() if not hasattr(type(node), name)]
    found = _outside(of(node), set())
    called = [_remembered_by(f"ctx.{name}", value, set()) for name, value in own if callable(value)]
    return next(itertools.chain(found, *called), "")


def _outside(function: Any, seen: set[Any]) -> Iterator[str]:
    """Yield what a function does or uses that could reveal that it has run."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(function, FunctionType):
        yield "is no plain function"
        return
    if function in seen:
        return
    seen.add(function)
    code = function.__code__
    used = dict(inspect.getclosurevars(function).nonlocals)
    sets_attributes = False
    for step in _steps(code):
        name = step.argval
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") or (
            step.opname == "STORE_DEREF" and name in code.co_freevars
        ):
            yield f"changes {name} outside of it"
        elif step.opname in ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD") and name in _CHANCE:
            yield "uses random numbers"
        elif step.opname == "IMPORT_NAME" and not _is_known_module(name):
            yield f"uses {name}, which may remember it"
        elif step.opname == "LOAD_GLOBAL" and name in function.__globals__:
            used[name] = function.__globals__[name]
        elif step.opname == "LOAD_GLOBAL" and name in _REACHING_OUT:
            yield f"calls {name}"
        sets_attributes |= step.opname == "STORE_ATTR"
    for name, value in used.items():
        if isinstance(value, type) and sets_attributes and not _is_known(value):
            yield f"uses {name}, which may remember it"
        else:
            yield from _remembered_by(name, value, seen)


def _remembered_by(name: str, value: Any, seen: set[Any]) -> Iterator[str]:
    if value is None or isinstance(value, numbers.Number | str | bytes | dtype):
        return
    if isinstance(value, ModuleType):
        if not _is_known_module(value.__name__):
            yield f"uses {name}, which may remember it"
    elif isinstance(value, tuple):
        for each in value:
            yield from _remembered_by(name, each, seen)
    elif isinstance(value, type) and issubclass(value, Function) and not _is_known(value):
        yield from _outside(value.backward, seen)
        yield from _outside(value.forward, seen)
    elif isinstance(value, FunctionType) and not _is_known(value):
        yield from _outside(value, seen)
    elif not (isinstance(value, type | FunctionType | BuiltinFunctionType) and _is_known(value)):
        yield f"uses {name}, which may remember it"


def _is_known(value: Any) -> bool:
    if not isinstance(getattr(value, "__self__", None), ModuleType | None):
        # The method of some object, such as a list's.
        return False
    return _is_known_module(str(getattr(value, "__module__", None) or builtins.__name__))


def _is_known_module(name: str) -> bool:
    return name.partition(".")[0] in _KNOWN


def _steps(code: CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _steps(each)
