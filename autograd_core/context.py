"""The context that a Function's forward and backward share: it is the node of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograd_core import forward_ad, saved_tensor_hooks
from autograd_core.creation import zeros_of
from autograd_core.node import Node, gradient_edge
from autograd_core.saved_tensor import FREED, SavedTensor
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.function import Function


class FunctionCtx(Node):
    """The context that forward and backward share, and at the same time the node of the graph.

    Each `Function` subclass gets its own subclass of this, named `<Function>Backward`.
    """

    _function: type[Function]
    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads = True

    _to_save: tuple[Any, ...] = ()
    _saved: tuple[SavedTensor, ...] = ()
    _for_forward: tuple[Any, ...] = ()
    _without_tangent: tuple[int, ...] = ()
    _freed = False
    _dirty: tuple[Tensor, ...] = ()
    _non_differentiable: tuple[Tensor, ...] = ()
    _arguments = 0
    _numbers: Sequence[int] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, where `saved_tensors` returns them.

        They are kept with their version after forward; reading one that has been changed in place
        since raises RuntimeError. Raises TypeError for anything but tensors and None.
        """
        for position, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {position} is of "
                    f"type {type(tensor).__name__}"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`, where `saved_tensors` returns them."""
        for tensor in tensors:
            assert tensor is None or isinstance(tensor, Tensor), (
                "save_for_forward expects all arguments to be tensors; you should save non-tensors "
                "as attributes on ctx."
            )
        if forward_ad.levels_open:
            self._for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Say which inputs forward changes in place; all of them must be returned as outputs.

        Changes and repairs nothing: it bumps the version, so that tensors saved before the change
        raise in backward instead of giving a wrong gradient, and it moves the changed tensor's
        place in the graph to this node.
        """
        if not all(isinstance(arg, Tensor) for arg in args):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")
        self._dirty = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which outputs have no gradient, such as indices."""
        if not all(isinstance(arg, Tensor) for arg in args):
            raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
        self._non_differentiable = args
        if forward_ad.levels_open:
            self._without_tangent = tuple([id(arg) for arg in args])

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs without a gradient."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept; RuntimeError when changed in place since, or freed."""
        if self._freed:
            raise RuntimeError(FREED)
        if self._to_save:
            return self._to_save
        return tuple([saved.read(self) for saved in self._saved])

    @property
    def saved(self) -> tuple[SavedTensor, ...]:  # type: ignore[override]
        """The slots behind `saved_tensors`, to look at: tensor, version, stale or freed."""
        names = self._function.saved_names
        for position, slot in enumerate(self._saved):
            slot.name = names[position] if position < len(names) else str(position)
        return tuple([slot for slot in self._saved if slot.freed or slot.tensor is not None])

    def edges_to(self, args: tuple[Any, ...]) -> None:
        """Connect this node to the makers of its tensor arguments."""
        edges, numbers = [], []
        for position, arg in enumerate(args):
            if isinstance(arg, Tensor):
                edges.append(gradient_edge(arg))
            else:
                numbers.append(position)
                if self._function.edges_for_numbers:
                    edges.append((None, 0))
        self.next_functions = tuple(edges)
        self._arguments, self._numbers = len(args), numbers

    def keep_saved(self, outputs: tuple[Any, ...]) -> None:
        """Turn what forward asked to save into slots with versions; forward is over."""
        if self._to_save:

            def keep(each: Any) -> Any:
                return each if isinstance(each, SavedTensor) else SavedTensor(each, outputs)

            if saved_tensor_hooks.anywhere():
                names = self._function.saved_names
                self._saved = saved_tensor_hooks.slots(self, self._to_save, keep, names)
            else:
                self._saved = tuple([keep(each) for each in self._to_save])
            self._to_save = ()

    def release(self) -> None:
        """Forget the saved tensors; reading them from now on raises."""
        for slot in self._saved:
            slot.free()
        self._freed = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_saved_", "_raw_saved_", "saved_variables")):
            return saved_tensor_hooks.attribute(self, name)
        raise AttributeError(f"'{self.name()}' object has no attribute '{name}'")

    def name(self) -> str:
        """Return the node's name, such as `MulBackward0` or `SquareBackward`."""
        return self._function.node_name or type(self).__name__

    def __repr__(self) -> str:
        module = "" if self._function.node_name else "torch.autograd.function."
        return f"<{module}{self.name().rpartition('::')[2]} object at {id(self):#x}>"

    def __call__(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Run the Function's backward and check that it returned one gradient per input."""
        for grad in grads:
            if grad is None:
                if self._function.node_name and not any(each is not None for each in grads):
                    # PyTorch's own operators hand "no gradient" on; only custom ones get zeros.
                    return (None,) * len(self.next_functions)
                if self.materialize_grads:
                    grads = self._materialized(grads)
                break
        result = self._function.backward(self, *grads)
        if not isinstance(result, tuple):
            result = (result,)
        if len(result) != self._arguments:
            result = self._of_expected_length(result)
        if self._numbers:
            result = self._of_tensors(result)
        for grad in result:
            if grad is not None and not isinstance(grad, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
        return result

    def _materialized(self, grads: tuple[Tensor | None, ...]) -> tuple[Tensor | None, ...]:
        return tuple(
            [
                zeros_of(*metadata) if grad is None and metadata is not None else grad
                for grad, metadata in zip(grads, self.output_metadata, strict=True)
            ]
        )

    def _of_expected_length(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        expected = self._arguments
        if len(grads) < expected or any(grad is not None for grad in grads[expected:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {expected}, got {len(grads)})"
            )
        return grads[:expected]

    def _of_tensors(self, grads: tuple[Any, ...]) -> tuple[Tensor | None, ...]:
        """Drop the gradients of arguments that are no tensors; they have to be None."""
        for position in self._numbers:
            if grads[position] is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{position + 1}, but the corresponding forward input was not a Variable"
                )
        if self._function.edges_for_numbers:
            return grads
        return tuple([grad for i, grad in enumerate(grads) if i not in self._numbers])
