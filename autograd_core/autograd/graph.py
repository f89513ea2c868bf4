"""The graph and its hooks, under PyTorch's names `torch.autograd.graph`."""

from __future__ import annotations

import abc
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple

from autograd_core import node as nodes
from autograd_core.graph.graph_task import GraphTask
from autograd_core.graph.running import running
from autograd_core.hooks.handles import RemovableHandle
from autograd_core.hooks.saved_mutation import _AllowMutationOnSavedContext
from autograd_core.hooks.saved_tensor_hooks import check_callable, enter, entered, leave
from autograd_core.messages.unsupported import refusing
from autograd_core.node import gradient_edge
from autograd_core.tensor import Tensor

__getattr__ = refusing(__name__)
__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_override_stale_capture_stream",
    "set_warn_on_accumulate_grad_stream_mismatch",
]


class Node(abc.ABC):
    """The abstract class of every `grad_fn`; their real base is `autograd_core.node.Node`."""

    @abc.abstractmethod
    def name(self) -> str:
        """Return the operation's name; other methods are those of the real base class."""

    next_functions = metadata = _input_metadata = _sequence_nr = name
    register_hook = register_prehook = _register_hook_dict = name


Node.register(nodes.Node)


class GradientEdge(NamedTuple):
    """A place where a gradient arrives: output number `output_nr` of `node`.

    `autograd.grad` and `autograd.backward` take it in place of a tensor.
    """

    node: Any
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Return where the gradient of `tensor` arrives; RuntimeError if it does not require grad.

    AssertionError for a view without a history whose base was made to require grad later.
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    return GradientEdge(_get_grad_fn_or_grad_acc(tensor), tensor._output_nr)


def _get_grad_fn_or_grad_acc(t: Tensor | GradientEdge) -> Any:
    """Return the node at which the gradient of a tensor, or of an edge, arrives."""
    if isinstance(t, GradientEdge):
        return t.node
    node = gradient_edge(t)[0] if t.requires_grad else None
    assert node is not None, "Expected gradient function to be set"
    return node


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Bump the versions of one or several tensors whose memory was changed unnoticed."""
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for each in (tensor,) if isinstance(tensor, Tensor) else tensor:
        if not isinstance(each, Tensor):
            raise RuntimeError(
                "increment_version expects each element of the iterable to be a tensor"
            )
        # Inference tensors have no version.
        if not each.is_inference():
            each._storage.version += 1


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Accepted for compatibility: there are no streams. RuntimeError for anything but a bool."""
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")


set_override_stale_capture_stream = set_warn_on_accumulate_grad_stream_mismatch


class saved_tensors_hooks:  # noqa: N801 - PyTorch's name
    """Inside it, nodes save `pack_hook(tensor)`, and backward reads `unpack_hook` of that.

    If several are nested, the innermost counts. Backward computes with the values that the unpack
    hook returns, in the saved tensor's place in the graph.
    """

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        check_callable(self.pack_hook, self.unpack_hook, "_push_saved_tensors_default_hooks")
        if entered.refusal is not None:
            raise RuntimeError(entered.refusal)
        enter((self.pack_hook, self.unpack_hook))

    def __exit__(self, *exception: object) -> None:
        leave()


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 - PyTorch's name
    """Keep saved tensors in the cpu's memory, the only one here."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Tensor) -> Any:
            # It is in the cpu's memory already; pinned memory would be a copy. An output would keep
            # itself alive, but a leaf is kept itself: backward reads the data it has by then.
            kept = tensor if tensor.is_leaf else tensor.detach()
            return tensor.device, kept.clone() if pin_memory else kept

        super().__init__(pack, lambda packed: packed[1])


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Inside it, entering `saved_tensors_hooks` raises RuntimeError(error_message)."""
    if not isinstance(error_message, str):
        raise TypeError(
            "_saved_tensors_hooks_disable(): incompatible function arguments. The following "
            "argument types are supported:\n    1. (error_message: str, fail_if_non_empty: bool = "
            f"True) -> None\n\nInvoked with: {error_message!r}"
        )
    if entered.pairs:
        raise RuntimeError(error_message)
    before, entered.refusal = entered.refusal, error_message
    try:
        yield
    finally:
        entered.refusal = before


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_AllowMutationOnSavedContext]:
    """Inside it, saved tensors may be changed in place: backward reads their values from before.

    Forward and backward both belong inside; backward raises AssertionError outside.
    """
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack), context:
        yield context


class _MultiHandle(RemovableHandle):
    """Removes several hooks at once."""

    def __init__(self, handles: tuple[RemovableHandle, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` in each backward when the gradients of `tensors` are there.

    Mode "all": once, with a list of the gradients, None for tensors that this backward does not
    reach. Mode "any": with the gradient that comes first. Raises ValueError for other modes.
    """
    if not isinstance(mode, str) or mode not in _MODES:
        raise ValueError(f"Expects mode to be one of {tuple(_MODES)} but got {mode}")
    return _MultiHandle(_MODES[mode](tensors, fn))


def _when_all(tensors: Sequence[Tensor], fn: Callable) -> tuple[RemovableHandle, ...]:
    places = [_place(tensor) for tensor in tensors]
    # For each backward, by its id: how many gradients are still to come, and those that have come.
    noted: dict[int, list[Any]] = {}

    def hook(position: int) -> Callable[[Tensor], None]:
        def inner_hook(grad: Tensor) -> None:
            task = _running_task()
            if task.id not in noted:
                coming = sum([task.will_run(place()) for place in places])
                noted[task.id] = [coming, *[None] * len(places)]
            noted[task.id][0] -= 1
            noted[task.id][position + 1] = grad
            if not noted[task.id][0]:
                fn(noted.pop(task.id)[1:])

        return inner_hook

    return tuple([tensor.register_hook(hook(at)) for at, tensor in enumerate(tensors)])


def _when_any(tensors: Sequence[Tensor], fn: Callable) -> tuple[RemovableHandle, ...]:
    # Not the hook itself, which would refer to itself and stay alive.
    mark = object()

    @wraps(fn)
    def hook(grad: Tensor) -> None:
        task = _running_task()
        if mark not in task.served:
            task.served = (*task.served, mark)
            fn(grad)

    return tuple([tensor.register_hook(hook) for tensor in tensors if tensor.requires_grad])


def _place(tensor: Tensor) -> Callable[[], Any]:
    """Return a function that gives the node at which the gradient of `tensor` arrives.

    It holds neither tensor nor node: they hold the hook, which holds this function.
    """
    node = _get_grad_fn_or_grad_acc(tensor)
    if tensor.grad_fn is not None:
        return weakref.ref(node)
    leaf = weakref.ref(tensor)

    def accumulator() -> Any:
        tensor = leaf()
        made = None if tensor is None else tensor._accumulator
        return None if made is None else made()

    return accumulator


_MODES = {"all": _when_all, "any": _when_any}


def _running_task() -> GraphTask:
    if running.task is None:
        raise AssertionError("expected this hook to be called inside a backward call")
    return running.task
