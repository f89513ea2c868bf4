"""Telling a listener what the engine does.

The engine never checks for listeners: only while there is one, functions that tell it of events
replace the engine's own. A listener hears only of what its own thread does.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

from autograd_core import engine
from autograd_core.events import kinds
from autograd_core.events.kinds import Event, Listener
from autograd_core.function import Function
from autograd_core.graph.running import running
from autograd_core.node import AccumulateGrad, Node
from autograd_core.storage import Storage
from autograd_core.tensor import Tensor


class _Hearing(threading.local):
    listener: Listener | None = None
    # Inside an operation or the listener itself, where nothing is told.
    inside = False
    watched: dict[int, tuple[weakref.ref[Storage], int]]


_hearing = _Hearing()
_lock = threading.Lock()
_count = 0


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Inside it, call `listener(event)` for each event of this thread.

    RuntimeError if this thread has a listener already. Operations that the listener itself runs
    make no events.
    """
    if _hearing.listener is not None:
        raise RuntimeError("somebody is listening to this thread's events already")
    _hearing.listener, _hearing.watched, _hearing.inside = listener, {}, False
    _count_listeners(1)
    try:
        yield
        _tell_changes()
    finally:
        _count_listeners(-1)
        _hearing.listener = None


def _count_listeners(change: int) -> None:
    global _count
    with _lock:
        before, _count = _count, _count + change
        if not before:
            _put_in()
        elif not _count:
            while _replaced:
                setattr(*_replaced.pop())


# What was replaced, to be put back: owner, name, and the original.
_replaced: list[tuple[Any, str, Any]] = []


def _put_in() -> None:
    for function in _with_own("apply", Function):
        _replace(function, "apply", _tell_apply)
    for kind in _with_own("_run", Node):
        _replace(kind, "_run", _tell_run)
    for kind in _with_own("_release", Node):
        _replace(kind, "_release", _tell_release)
    for name in ("detach", "detach_"):
        _replace(Tensor, name, _tell_alias)
    for name, method in list(vars(Tensor).items()):
        if hasattr(method, "without_short_cut"):
            _put(Tensor, name, method.without_short_cut)
    _replace(engine, "run", _tell_walk)


def _replace(owner: Any, name: str, telling: Callable[..., Any]) -> None:
    """Replace a function of `owner` by `telling`, which gets the original as its first argument."""
    own = vars(owner)[name]
    function = own.__func__ if isinstance(own, classmethod) else own

    @wraps(function)
    def instead(*args: Any, **kwargs: Any) -> Any:
        return telling(function, *args, **kwargs)

    _put(owner, name, classmethod(instead) if isinstance(own, classmethod) else instead)


def _put(owner: Any, name: str, instead: Any) -> None:
    _replaced.append((owner, name, vars(owner)[name]))
    setattr(owner, name, instead)


def _with_own(name: str, kind: type) -> list[type]:
    """Return the subclasses of `kind`, and itself, that define `name` themselves."""
    found, waiting = [], [kind]
    while waiting:
        each = waiting.pop()
        waiting += type.__subclasses__(each)
        if name in vars(each) and each not in found:
            found.append(each)
    return found


def _is_heard() -> bool:
    """Whether this thread has a listener and runs no backward, during which only nodes are told."""
    return _hearing.listener is not None and not _hearing.inside and running.task is None


def _is_heard_in_walk() -> bool:
    task = running.task
    return _hearing.listener is not None and not _hearing.inside and bool(task and not task.depth)


@contextmanager
def _unheard() -> Iterator[None]:
    _hearing.inside = True
    try:
        yield
    finally:
        _hearing.inside = False


def _tell(event: Event) -> None:
    listener = _hearing.listener
    if listener is not None:
        with _unheard():
            listener(event)


def _watch(tensors: Sequence[Tensor]) -> None:
    for tensor in tensors:
        storage = tensor._storage
        if id(storage) not in _hearing.watched:
            _hearing.watched[id(storage)] = weakref.ref(storage), storage.version


def _tell_changes() -> None:
    for key, (reference, version) in list(_hearing.watched.items()):
        storage = reference()
        if storage is None:
            del _hearing.watched[key]
        elif storage.version != version:
            _hearing.watched[key] = reference, storage.version
            _tell(kinds.Mutate(storage, storage.version))


def _tensors(values: Any) -> tuple[Tensor, ...]:
    values = values if isinstance(values, (tuple, list)) else (values,)
    return tuple([value for value in values if isinstance(value, Tensor)])


def _tell_apply(apply: Any, cls: Any, *args: Any, **kwargs: Any) -> Any:
    if not _is_heard():
        return apply(cls, *args, **kwargs)
    inputs = (*args, *kwargs.values())
    given = _tensors(inputs)
    _tell_changes()
    _watch(given)
    before = _makers(given)
    with _unheard():
        output = apply(cls, *args, **kwargs)
    outputs = _tensors(output)
    made = [maker for maker in _makers(outputs) if maker not in before]
    node = made[0] if made else None
    _tell_changes()
    _watch(outputs)
    _tell(kinds.Create(cls.node_name or cls._node_class.__name__, node, inputs, outputs))
    if node is not None and node.saved_slots:
        _tell(kinds.Save(node, node.saved_slots))
    return output


def _makers(tensors: Sequence[Tensor]) -> list[Node]:
    """Return the `grad_fn` of each tensor and of its base, which an in-place change may replace."""
    bases = [tensor._base for tensor in tensors if tensor._base is not None]
    return [each._grad_fn for each in (*bases, *tensors) if each._grad_fn is not None]


def _tell_alias(make: Any, self: Tensor) -> Tensor:
    if not _is_heard():
        return make(self)
    _tell_changes()
    output = make(self)
    _watch((self, output))
    _tell(kinds.Create(make.__name__, None, (self,), (output,)))
    return output


def _tell_walk(run: Any, roots: Any, grads: Any, **options: Any) -> Any:
    if not _is_heard():
        return run(roots, grads, **options)
    _tell_changes()
    told = {"accumulate": True, "targets": None} | options
    if told["targets"] is not None:
        told["targets"] = tuple(told["targets"])
    _tell(kinds.Begin(tuple(roots), tuple(grads), **told))
    try:
        results = run(roots, grads, **options)
    except BaseException as error:
        _tell(kinds.End(error))
        raise
    _tell(kinds.End(None))
    return results


def _tell_run(
    run: Any, self: Node, grads: list[Tensor | None], retain_graph: bool, *others: Any
) -> Sequence[Tensor | None]:
    if not _is_heard_in_walk():
        return run(self, grads, retain_graph, *others)
    _tell(kinds.Visit(self, tuple(grads)))
    kept = _keeps(self)
    with _unheard():
        results = run(self, grads, retain_graph, *others)
        results = _fitted(self, results)
    if isinstance(self, AccumulateGrad):
        _tell(kinds.Accumulate(self.variable))
    else:
        _tell(kinds.Send(self, tuple(results)))
    if kept and not _keeps(self):
        _tell(kinds.Free(self))
    return results


def _tell_release(release: Any, self: Node) -> None:
    # Not within `_run`: `_tell_run` tells of that, after the gradients have been sent.
    kept = _is_heard_in_walk() and _keeps(self)
    release(self)
    if kept:
        _tell(kinds.Free(self))


def _fitted(node: Node, results: Sequence[Tensor | None]) -> Sequence[Tensor | None]:
    try:
        return engine._checked(node, results)
    except RuntimeError:
        # Whether this is an error is for the engine to decide, which checks only what it needs.
        return results


def _keeps(node: Node) -> bool:
    return any(not slot.freed for slot in node.saved_slots)
