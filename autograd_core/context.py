"""The context that a Function's forward and backward share: it is the node of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograd_core.creation import zeros_of
from autograd_core.function_ctx import FunctionCtx
from autograd_core.hooks import saved_tensor_hooks
from autograd_core.modes import anomaly, grad_mode
from autograd_core.modes.inference import escapes_recording
from autograd_core.node import (
    DEAD,
    NO_TENSOR,
    UNNEEDED,
    USUAL_OUTPUT_NRS,
    Edge,
    Node,
    accumulator_of,
    gradient_edge,
    metadata_of_scalar_output,
    order,
    usual_output_nrs,
)
from autograd_core.saved_tensor import FREED, FREED_SLOT, SavedTensor
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.function import Function

_KEPT = (Tensor, SavedTensor)
# A value of `_freed` in a backward without `retain_graph`: reading `saved_tensors` frees them. It
# is false, because they are still there. An attribute of its own would make every node larger.
WHEN_READ = None
# The edges of a context for `jvp`: as every argument has one, operators save all they ever save.
_SOMEWHERE: Edge = (Node(), 0)


def _needs(output_nrs: tuple[int, ...]) -> tuple[bool, ...]:
    return tuple([output_nr >= 0 for output_nr in output_nrs])


_NEEDS = {numbers: _needs(numbers) for numbers in USUAL_OUTPUT_NRS}


def _unrecorded_nr(arg: Any) -> int:
    if not isinstance(arg, Tensor):
        return NO_TENSOR
    return DEAD if arg.requires_grad else UNNEEDED


class Context(FunctionCtx, Node):
    """The context that forward and backward share, and at the same time the node of the graph.

    Each `Function` subclass gets its own subclass of this, named `<Function>Backward`. There is a
    slot for each value that was saved:

        a tensor          that has never been changed, as it is
        a `SavedTensor`   a tensor of which there is more to know
        `FREED_SLOT`      a tensor that backward has freed
        None, a number    itself; only operators save numbers
    """

    _function: type[Function]

    # Whether saved-tensor hooks have packed a slot.
    is_packed = False
    # Whether backward has freed the slots, or WHEN_READ.
    _freed: bool | None = False

    @property
    def _slots(self) -> Sequence[Any]:
        return self._links[len(self._output_nrs) :]

    def keep(self, values: tuple[Any, ...], outputs: tuple[Any, ...] = ()) -> None:
        """Save what an operator's backward needs: tensors, and numbers as they are.

        Operators save at once; what `save_for_backward` notes is saved when forward is over.
        """
        if saved_tensor_hooks.entered_anywhere:
            self._links += self._packed(values, outputs)
            return
        links = self._links
        for value in values:
            if value is not None:
                if not isinstance(value, Tensor):
                    self._check_to_save()
                elif value._grad_fn is self or (
                    (shared := value._shared) is not None
                    and (shared.version or value._base is not None or value._was_detached)
                ):
                    # Its version, or that it is an output of this node, has to be saved with it.
                    value = SavedTensor(value, self, outputs)
            links.append(value)

    def _check_to_save(self) -> None:
        """Raise TypeError for what cannot be saved; here for nothing: operators save numbers."""

    def _packed(self, values: tuple[Any, ...], outputs: tuple[Any, ...]) -> list[Any]:
        def keep(value: Any) -> Any:
            if isinstance(value, Tensor):
                return SavedTensor(value, self, outputs)
            if value is not None:
                self._check_to_save()
            return value

        return saved_tensor_hooks.slots(self, values, keep, self._function.saved_names)

    def _kept(self) -> tuple[Tensor | None, ...]:
        """Return what was saved; RuntimeError if it was changed in place since, or freed."""
        if self._freed:
            raise RuntimeError(FREED)
        saved = self._links[len(self._output_nrs) :]
        for slot in saved:
            # A tensor without a storage of its own cannot have been changed.
            if slot is not None and not (isinstance(slot, Tensor) and slot._shared is None):
                return self._checked(saved)
        return tuple(saved) or self._not_yet_kept()

    def _checked(self, saved: list[Any]) -> tuple[Any, ...]:
        """Return the values of these slots; RuntimeError if one was changed in place since."""
        try:
            for position, slot in enumerate(saved):
                if isinstance(slot, Tensor):
                    shared = slot._shared
                    if shared is not None and (shared.version or slot._was_detached):
                        _as_kept(slot).read(self)
                elif isinstance(slot, SavedTensor):
                    if self.is_packed:
                        return saved_tensor_hooks.unpacked(self)
                    saved[position] = slot.read(self)
            return tuple(saved)
        except RuntimeError:
            if self.is_packed:
                raise
        # If several tensors have changed, the one that PyTorch unpacks first is named.
        return saved_tensor_hooks.unpacked(self)

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved, as `_kept` returns it; without `retain_graph`, backward frees it here.

        An operator reads it only once, and for small tensors `_release` would double the time.
        """
        if self._freed is not WHEN_READ:
            return self._kept()
        links, makers = self._links, len(self._output_nrs)
        saved = links[makers:]
        freed: list[Any] = []
        unchanged = True
        for slot in saved:
            if slot is None:
                freed.append(None)
            elif isinstance(slot, Tensor) and slot._shared is None:
                freed.append(FREED_SLOT)
            elif isinstance(slot, _KEPT):
                unchanged = False
                freed.append(FREED_SLOT)
            else:
                freed.append(slot)
        values = tuple(saved) if unchanged else self._checked(saved)
        links[makers:] = freed
        self._freed = True
        return values

    def _not_yet_kept(self) -> tuple[Tensor | None, ...]:
        # What an in-place operator has noted whose change of x went through, but not its tangent's.
        noted = self.to_save or ()
        return tuple([each.read(self) if isinstance(each, SavedTensor) else each for each in noted])

    def _release(self) -> None:
        """Free the saved tensors; FREED_SLOT shows where they were."""
        self._freed = True
        links = self._links
        for position in range(len(self._output_nrs), len(links)):
            if isinstance(links[position], _KEPT):
                links[position] = FREED_SLOT

    def _slot(self, position: int) -> Any:
        """Return one of the slots: a SavedTensor, None or a number; freed ones hold no tensor."""
        slot = self._slots[position]
        return SavedTensor.of(None, 0, True) if slot is FREED_SLOT else _as_kept(slot)

    @property
    def saved_slots(self) -> tuple[SavedTensor, ...]:  # type: ignore[override]  # read only
        """The slots behind `saved_tensors`, for inspection: tensor, version, stale or freed."""
        names = self._function.saved_names
        slots = []
        for position in range(len(self._slots)):
            slot = self._slot(position)
            if isinstance(slot, SavedTensor):
                slot.name = names[position] if position < len(names) else str(position)
                slots.append(slot)
        return tuple(slots)

    @classmethod
    def unrecorded(cls, args: tuple[Any, ...]) -> Context:
        """Return a context for a forward that leaves no trace in the graph."""
        ctx = (_tangent_class(cls) if cls._function.node_name else cls)()
        ctx._links = [None] * len(args)
        ctx._output_nrs = tuple([_unrecorded_nr(arg) for arg in args])
        return ctx

    def _record_output(self, output: Tensor) -> None:
        """Become the `grad_fn` of `output`, a new tensor and the only output."""
        data = output._array
        kind = data.dtype
        self.output_metadata = ((data.shape, kind),)
        if kind.kind == "f":
            output._grad_fn = self
            output._requires_grad = True

    @classmethod
    def for_tangents(cls, args: tuple[Any, ...]) -> Context:
        """Return a context for `jvp`, which holds all that backward could ever need."""
        ctx = _tangent_class(cls)()
        ctx._edges = [_SOMEWHERE] * len(args)
        return ctx

    @property
    def is_recorded(self) -> bool:
        """Whether this context is a node of the graph."""
        return self._order <= 0

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """Which arguments of forward a gradient goes to."""
        return _NEEDS.get(self._output_nrs) or _needs(self._output_nrs)

    def _keep_saved(self, outputs: tuple[Any, ...]) -> None:
        """Save what forward has asked to save, with the versions that it has after forward."""
        if self.to_save:
            Context.keep(self, self.to_save, outputs)
            self.to_save = None

    def name(self) -> str:
        """Return the node's name, such as `MulBackward0` or `SquareBackward`."""
        return self._function.node_name or type(self).__name__

    def __repr__(self) -> str:
        return f"<{self.name().rpartition('::')[2]} object at {id(self):#x}>"

    def _run(
        self, grads: list[Tensor | None], retain_graph: bool, backward: Any = None
    ) -> Sequence[Tensor | None]:
        """Run the Function's backward and check that it returned one gradient per argument."""
        if len(grads) == 1 and grads[0] is not None:
            if not self._freed:
                self._freed = False if retain_graph else WHEN_READ
            # Popped, so that only backward refers to the gradient and may reuse its memory.
            results = (backward or self._function.backward)(self, grads.pop())
        else:
            results = self._run_on_several(grads, backward or self._function.backward)
        if not isinstance(results, tuple):
            results = (results,)
        if len(results) != len(self._output_nrs):
            results = self._of_expected_length(results)
        return results

    def _run_on_several(self, grads: Sequence[Tensor | None], backward: Any) -> Any:
        if any(grad is None for grad in grads):
            if self._function.node_name and all(grad is None for grad in grads):
                # PyTorch's own operators pass "no gradient" on; only custom ones get zeros. They
                # raise for saved tensors that were changed or freed all the same.
                if self._slots:
                    self._kept()
                return (None,) * len(self._output_nrs)
            if self.materializes:
                grads = self._materialized(grads)
        return backward(self, *grads)

    def _materialized(self, grads: Sequence[Tensor | None]) -> Sequence[Tensor | None]:
        return [
            zeros_of(*metadata) if grad is None and metadata is not None else grad
            for grad, metadata in zip(grads, self.output_metadata, strict=True)
        ]

    def _of_expected_length(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        expected = len(self._output_nrs)
        if len(grads) < expected or any(grad is not None for grad in grads[expected:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {expected}, got {len(grads)})"
            )
        return grads[:expected]


def _as_kept(slot: Any) -> Any:
    """Return a slot as it is, but a SavedTensor for a tensor that was kept as it is."""
    if isinstance(slot, Tensor):
        return SavedTensor.of(slot, 0, slot._grad_fn is None and not slot._was_detached)
    return slot


def record(
    function: type[Function], args: tuple[Any, ...], output: Tensor | None = None
) -> Context | None:
    """Return a node with edges to the makers of the arguments; None if no argument requires grad.

    The node becomes the `grad_fn` of `output`, a new tensor, if that is given.
    """
    needed = False
    makers: list[Node | None] = []
    output_nrs: list[int] = []
    for arg in args:
        if not isinstance(arg, Tensor):
            makers.append(None)
            output_nrs.append(UNNEEDED if function.edges_for_numbers else NO_TENSOR)
        elif arg._base is not None:
            maker, output_nr = arg._grad_fn, arg._output_nr
            if maker is None or arg._history_version != arg._storage.version:
                maker, output_nr = gradient_edge(arg)
            makers.append(maker)
            output_nrs.append(output_nr)
            needed = needed or output_nr != UNNEEDED
        elif arg._requires_grad:
            makers.append(arg._grad_fn or accumulator_of(arg))
            output_nrs.append(arg._output_nr)
            needed = True
        else:
            makers.append(None)
            output_nrs.append(UNNEEDED)
    if not needed or (grad_mode.inference_used and escapes_recording(function, args)):
        return None
    node = function._node_class()
    node._links = makers
    numbers = tuple(output_nrs)
    node._output_nrs = usual_output_nrs(numbers, numbers)
    node._order = next(order)
    if anomaly.mode.enabled:
        anomaly.remember(node)
    if output is None:
        return node
    metadata = metadata_of_scalar_output(type(output._array))
    if metadata is None:
        node._record_output(output)
    else:
        node.output_metadata = metadata
        output._grad_fn = node
        output._requires_grad = True
    return node


class InPlaceCtx(Context):
    """A context whose `keep` only notes what to save.

    An in-place operator decides what to save before it changes memory, and saves it after that.
    `jvp` reads the notes at once, so nothing is saved for it; while a dual level is open, an
    in-place operator has a second context for `jvp`, its `tangent_ctx`.
    """

    def keep(self, values: tuple[Any, ...], outputs: tuple[Any, ...] = ()) -> None:
        """Note what the operator needs."""
        self.to_save = values


_NOTING: dict[type[Context], type[Context]] = {}


def _tangent_class(node_class: type[Context]) -> type[Context]:
    if issubclass(node_class, InPlaceCtx):
        return node_class
    if node_class not in _NOTING:
        _NOTING[node_class] = type(node_class.__name__, (InPlaceCtx, node_class), {})
    return _NOTING[node_class]
