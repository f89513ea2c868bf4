"""The node of a custom Function, which is also the `ctx` that its forward and backward get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograd_core.context import WHEN_READ, Context
from autograd_core.messages import type_name, warn
from autograd_core.node import DEAD, Edge, ReadOnly
from autograd_core.tensor import Tensor

_BACKWARD_AND_VJP = (
    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
    "implement one of them."
)
_READ_ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
    "autograd.Function. Either access saved_tensors only once, or set "
    "clear_saved_tensors_on_access=False."
)


class BackwardCFunction(Context):
    """The context of a Function that a user has written.

    PyTorch treats these differently from its own operators in a few ways: `saved_tensors` is empty
    until forward is over, the node cannot be called, and what forward tells `ctx` is checked only
    after forward.
    """

    _forward_cls: Any
    is_built_in = False
    _needs_input_grad: Any = None
    _has_been_read = False

    def __call__(self, *grads: Any, **names: Any) -> Any:
        """Refuse: PyTorch lets only its own operators' nodes be called."""
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def apply(self, *grads: Any) -> Any:
        """Run the Function's backward on gradients of its outputs."""
        return self._user_backward()(self, *grads)

    def __repr__(self) -> str:
        return object.__repr__(self)

    @ReadOnly
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved for backward; RuntimeError if it was changed in place since, or freed."""
        if self.saved_for_forward is not None:
            return tuple(self.saved_for_forward)
        return self._read_once() if self._function.clear_saved_tensors_on_access else self._kept()

    @ReadOnly
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """PyTorch's old name of `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    def maybe_clear_saved_tensors(self) -> None:
        """Free the saved tensors in the middle of a backward, unless the graph is retained."""
        if self._freed is WHEN_READ:
            self._release()

    def _read_once(self) -> tuple[Tensor | None, ...]:
        if self._has_been_read:
            raise RuntimeError(_READ_ONCE)
        values = self._kept()
        self._has_been_read, self._links = True, list(self._makers)
        return values

    def _not_yet_kept(self) -> tuple[Tensor | None, ...]:
        return ()

    @ReadOnly
    def next_functions(self) -> tuple[Edge, ...]:
        """The edges towards the leaves; none as long as this is not part of a graph."""
        if not self.is_recorded:
            return ()
        return super().next_functions

    @property
    def needs_input_grad(self) -> Any:
        """Which arguments of forward require grad, or what a user has assigned instead."""
        given = self._needs_input_grad
        if given is not None:
            return given
        return tuple([nr >= 0 or nr == DEAD for nr in self._output_nrs])

    @needs_input_grad.setter
    def needs_input_grad(self, value: Any) -> None:
        self._needs_input_grad = value

    @property
    def materialize_grads(self) -> bool:
        """Whether backward gets zeros instead of None; as in PyTorch, it can only be set."""
        raise AttributeError(
            "attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable"
        )

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but "
                "expected (bool)"
            )
        self.materializes = value

    def _keep_saved(self, outputs: tuple[Any, ...]) -> None:
        """Turn what forward asked to save into slots; TypeError for anything but tensors."""
        told = self.to_save
        Context.keep(self, told if type(told) is tuple else tuple_of(self, "to_save"), outputs)
        self.to_save = None

    def _check_to_save(self) -> None:
        """RuntimeError if `to_save` is no tuple, TypeError if a node is to save a non-tensor."""
        for position, each in enumerate(tuple_of(self, "to_save")):
            if self.is_recorded and not (each is None or isinstance(each, Tensor)):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {position} is of "
                    f"type {type_name(each)}"
                )

    def _user_backward(self) -> Any:
        """Return backward or vjp, whichever the user has written; RuntimeError if both are."""
        function = self._function
        has_vjp = function._defines("vjp")
        if has_vjp and function._defines("backward"):
            raise RuntimeError(_BACKWARD_AND_VJP)
        written = function.vjp if has_vjp else function.backward
        if function.boxed_grads_call:
            return lambda ctx, *grads: written(ctx, list(grads))
        return written


class CallsOtherwise(BackwardCFunction):
    """The context of a Function that has a `vjp`, or whose backward takes gradients as one list."""

    def _run(
        self, grads: list[Tensor | None], retain_graph: bool, backward: Any = None
    ) -> Sequence[Tensor | None]:
        return Context._run(self, grads, retain_graph, self._user_backward())


def tuple_of(ctx: Any, name: str) -> tuple[Any, ...]:
    """Return what forward noted on `ctx` under `name`, or (); RuntimeError if it is no tuple."""
    told = getattr(ctx, name)
    if isinstance(told, tuple):
        return told
    if told is None:
        return ()
    raise RuntimeError(
        f"autograd internal error: {name} attribute is expected to be a tuple but is "
    )
