"""`checkpoint`: save a function's inputs instead of its intermediates, which backward recomputes.

With `use_reentrant=False`, saved-tensor hooks leave empty places in the graph. When backward reads
the first of them, the function runs again, and all that it saves is put into the places. With
`use_reentrant=True`, the whole function is one node: its backward runs the function again, and then
a backward inside the backward.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import weakref
from collections.abc import Callable
from typing import Any

from autograd_core import autograd
from autograd_core.autograd.graph import saved_tensors_hooks
from autograd_core.function import Function
from autograd_core.graph.running import running
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import enable_grad, is_grad_enabled, no_grad
from autograd_core.nn.containers import Sequential
from autograd_core.random.generator import fork_rng, get_rng_state, set_rng_state
from autograd_core.tensor import Tensor

_IMPLICIT = (
    "torch.utils.checkpoint{}: the use_reentrant parameter should be passed explicitly. {} "
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, "
    "you can pass use_reentrant=True. Refer to docs for more details on the differences between "
    "the two variants."
)
_WILL_RAISE = (
    "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
)
_WILL_RAISE_TOO = "In version 2.9 we will raise an exception if use_reentrant is not passed."
_NOT_THE_WHOLE = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
    "`inputs` parameter to .backward(). To resolve this error, you can either set "
    "use_reentrant=False, or call .backward() without passing the `inputs` argument."
)
_NO_HISTORY = "none of output has requires_grad=True, this checkpoint() is not necessary"
_OTHER_COUNT = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward "
    "and recomputation.\nNumber of tensors saved during forward: {}\nNumber of tensors saved "
    "during recomputation: {}.\n"
)
_OTHER_KIND = (
    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata "
    "than during the forward pass.\n{}.\n"
)
_MORE = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
    "original forward pass.\n"
)
_UNPACKED = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked "
    "once. If you are calling ctx.saved_tensors in backward, make sure to do so only once. "
    "Otherwise please open an issue with details on your use case."
)
_KIND_AT = "tensor at position {}:\nsaved metadata: {}\nrecomputed metadata: {}\n"
# Numbers used instead of a backward's id when a node's saved tensors are read outside of one.
_outside = itertools.count(-1, -1)

# The options that contexts have set; they override the arguments of `checkpoint`.
_set: dict[str, bool] = {}


@contextlib.contextmanager
def _setting(option: str, enabled: bool | None) -> Any:
    """Set an option for checkpoints made within this context, unless it is None."""
    global _set
    before, after = _set, {**_set, option: enabled}
    _set = {name: said for name, said in after.items() if said is not None}
    try:
        yield
    finally:
        _set = before


def set_checkpoint_early_stop(enable: bool) -> Any:
    """Set, within this context, whether checkpoints stop as soon as all saved tensors are there."""
    return _setting("early_stop", enable)


def set_checkpoint_debug_enabled(enabled: bool | None) -> Any:
    """Set, within this context, the `debug` option of checkpoints; None leaves it to them."""
    return _setting("debug", enabled)


class CheckpointError(RuntimeError):
    """Raised if a function does not save the same tensors when it is run again."""


def noop_context_fn() -> tuple[Any, Any]:
    """Return two contexts that change nothing, for the first run and for the second."""
    return contextlib.nullcontext(), contextlib.nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Return function(*args), whose intermediates are not saved but computed again in backward.

    `preserve_rng_state` (True) makes both runs draw the same random numbers. Raises ValueError for
    options that need `use_reentrant=False`, or do not go together. `debug` does nothing here, where
    errors do not list what was computed. (PyTorch: torch.utils.checkpoint.)
    """
    if use_reentrant is None:
        warn(_IMPLICIT.format("", _WILL_RAISE))
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug:
            raise ValueError(
                "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
            )
        return CheckpointFunction.apply(function, preserve, *args)
    if _set.get("debug", debug) and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    if determinism_check not in ("default", "none"):
        raise ValueError(
            f"determinism_check should be one of ['default', 'none'], but got {determinism_check}"
        )
    now, later = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    rerun = _Rerun(function, args, kwargs, preserve, later)
    rerun.compares = determinism_check == "default"
    rerun.early_stop = _set.get("early_stop", early_stop)
    with saved_tensors_hooks(rerun.place, rerun.recomputed), now:
        results = function(*args, **kwargs)
        rerun.is_over = True
        return results


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Apply a chain of functions to `input`, with all segments but the last checkpointed.

    Raises PyTorch's ValueError for more segments than functions.
    """
    if use_reentrant is None:
        warn(_IMPLICIT.format(".checkpoint_sequential", _WILL_RAISE_TOO))
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if isinstance(functions, Sequential):
        # As in PyTorch, a module that occurs twice is applied once.
        functions = list(functions.children())
    length, done = len(functions) // segments, 0
    for start in range(0, length * (segments - 1), length):
        done = start + length
        chain = _chain(functions[start:done])
        input = checkpoint(chain, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _chain(functions[done:])(input)


def _chain(functions: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    return lambda value: functools.reduce(lambda made, function: function(made), functions, value)


@contextlib.contextmanager
def _drawing_from(state: Any) -> Any:
    """Draw random numbers from `state` on, then restore the generator's own state."""
    with fork_rng(enabled=state is not None):
        if state is not None:
            set_rng_state(state)
        yield


class CheckpointFunction(Function):
    """z = function(x), without a graph;  dL/dx by running it again with one."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        """Run the function without a graph, and save its arguments."""
        if not any(isinstance(arg, Tensor) and arg.requires_grad for arg in args):
            warn("None of the inputs have requires_grad=True. Gradients will be None")
        ctx.function = function
        ctx.state = get_rng_state() if preserve else None
        ctx.others = [None if isinstance(arg, Tensor) else arg for arg in args]
        ctx.places = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
        ctx.save_for_backward(*[args[i] for i in ctx.places])
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Run the function again with a graph, and send the gradients through that."""
        task = running.task
        if task is None or not task.whole:
            raise RuntimeError(_NOT_THE_WHOLE)
        args = list(ctx.others)
        for i, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            args[i] = tensor.detach().requires_grad_(tensor.requires_grad)
        with _drawing_from(ctx.state), enable_grad():
            outputs = ctx.function(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        with_history = [
            i for i, each in enumerate(outputs) if isinstance(each, Tensor) and each.requires_grad
        ]
        if not with_history:
            raise RuntimeError(_NO_HISTORY)
        autograd.backward([outputs[i] for i in with_history], [grads[i] for i in with_history])
        return None, None, *[arg.grad if isinstance(arg, Tensor) else None for arg in args]


class _Arguments(Function):
    """Saves the arguments of a function that will be run again, as saved tensors of its node."""

    node_name = "torch::utils::Checkpoint"


class _StopRecomputationError(Exception):
    """All that was saved has been computed again."""


class _Place(dict[int, Tensor | None]):
    """What a node saves in place of a tensor: for each backward, the tensor computed again."""


class _Rerun:
    """What is needed to run a function again, and notes on what its first run has saved."""

    compares = early_stop = True

    def __init__(self, function: Any, args: Any, kwargs: Any, preserve: bool, context: Any) -> None:
        self._function, self._kwargs = function, kwargs
        self._arguments = _Arguments._node_class()
        self._arguments._links = []
        self._arguments.keep(args)
        self._state = get_rng_state() if preserve else None
        self._context = context
        self._kinds: list[dict[str, Any]] = []
        # Weakly, so that tensors are not kept for places that no node holds any more.
        self._saved: list[weakref.ref[_Place]] = []
        self._backwards_served: set[int] = set()
        self.is_over = False

    def place(self, tensor: Tensor) -> _Place:
        """Return a place for a tensor, of which only shape, dtype and device are noted."""
        place = _Place()
        self._saved.append(weakref.ref(place))
        self._kinds.append(_kind(tensor))
        return place

    def recomputed(self, place: _Place) -> Tensor:
        """Return a saved tensor, and forget it: only the caller holds it from then on.

        The function runs once for each backward, and for each access outside of one.
        """
        task = running.task
        backward = next(_outside) if task is None else task.id
        if backward not in self._backwards_served:
            self._run(backward)
            self._backwards_served.add(backward)
        tensor, place[backward] = place[backward], None
        if tensor is None:
            raise CheckpointError(_UNPACKED)
        return tensor

    def _run(self, backward: int) -> None:
        args, kinds, again = self._arguments._kept(), list(self._kinds), 0

        def collect(tensor: Tensor) -> Tensor:
            nonlocal again
            tensor, again = tensor.detach(), again + 1
            if again <= len(kinds):
                place = self._saved[again - 1]()
                if place is not None:
                    place[backward] = tensor
                    kinds[again - 1] = _kind(tensor)
            elif self.is_over:
                raise CheckpointError(_MORE)
            if self.early_stop and again == len(kinds):
                raise _StopRecomputationError
            return tensor

        with contextlib.suppress(_StopRecomputationError):
            hooks = saved_tensors_hooks(collect, lambda tensor: tensor)
            with hooks, enable_grad(), _drawing_from(self._state), self._context:
                self._function(*args, **self._kwargs)
        # A backward inside the first run may come before all was saved.
        if again > len(kinds):
            return
        if again < len(kinds):
            raise CheckpointError(_OTHER_COUNT.format(len(kinds), again))
        if self.compares and kinds != self._kinds:
            pairs = enumerate(zip(self._kinds, kinds, strict=True))
            others = [_KIND_AT.format(i, *pair) for i, pair in pairs if pair[0] != pair[1]]
            raise CheckpointError(_OTHER_KIND.format("".join(others)))


def _kind(tensor: Tensor) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}
