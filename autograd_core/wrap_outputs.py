"""What a Function's outputs become: new tensors, changed inputs, or views of unchanged ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograd_core.custom_node import tuple_of
from autograd_core.forward_mode import levels, tangents
from autograd_core.messages import warn
from autograd_core.node import metadata_of
from autograd_core.rules.view_creation import mark_creation, mark_several
from autograd_core.tensor import Tensor
from autograd_core.views import alias, rebase_history

if TYPE_CHECKING:
    from autograd_core.context import Context

LEAF_IN_PLACE = "a leaf Variable that requires grad has been used in an in-place operation."
DIRTY_NO_TENSOR = "mark_dirty can only accept variables, but argument "
NON_DIFFERENTIABLE_NO_TENSOR = "mark_non_differentiable only accepts variable arguments, but got "
DIRTY_NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty()."
)
DIRTY_NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. "
    "The inputs that are modified inplace must all be outputs of the Function."
)
SAVED_AND_RETURNED = (
    "An input that has been returned as-is as output is being saved for backward. This is not "
    "supported if you override setup_context. You should return and save a view of the input "
    "instead, e.g. with x.view_as(x) or setup ctx inside the forward function itself."
)
VIEW_AND_MORE = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function "
    "cannot return more than one Tensor. This is not supported by the current autograd engine. You "
    "should either make sure the input is not a view (using .clone() for example) or make your "
    "Function only return one Tensor (potentially splitting it into two Functions: one doing the "
    "inplace that returns a single Tensor and a second one that does the other operations). You "
    "can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)


def wrap_outputs(ctx: Context, args: tuple[Any, ...], output: Any, recording: bool) -> Any:
    """Give each tensor that forward returned its place in the graph, and return them all.

    Raises RuntimeError when a tensor marked dirty was not returned, or is a leaf that requires
    grad.
    """
    if (
        type(output) is not Tensor
        or ctx.dirty_tensors is not None
        or ctx.non_differentiable is not None
    ):
        return _wrap_all(ctx, args, output, recording)
    if not recording:
        return _wrap(ctx, args, output, 0, False)
    # Is `output` new? A lone argument is usual, and compared fastest.
    if (
        not output._requires_grad
        and output._base is None
        and (output is not args[0] if len(args) == 1 else not _contains(args, output))
    ):
        ctx._record_output(output)
    else:
        ctx.output_metadata = (metadata_of(output._array),)
        output = _wrap(ctx, args, output, 0, True)
    if ctx.to_save is not None and not levels.entered:
        ctx._keep_saved((output,))
    return output


def _wrap_all(ctx: Context, args: tuple[Any, ...], output: Any, recording: bool) -> Any:
    outputs = output if isinstance(output, tuple) else (output,)
    ctx._check_to_save()
    ctx.non_differentiable = _told(ctx, "non_differentiable", NON_DIFFERENTIABLE_NO_TENSOR)
    ctx.dirty_tensors = _told(ctx, "dirty_tensors", DIRTY_NO_TENSOR)
    for dirty in ctx.dirty_tensors:
        dirty._storage.version += 1
    if recording:
        # As in PyTorch, operators' nodes do not count non-differentiable outputs, which come last.
        built_in = ctx._function.node_name
        counted = len(outputs) - len(ctx.non_differentiable) if built_in else None
        ctx.output_metadata = tuple(
            [
                metadata_of(each._array) if isinstance(each, Tensor) else None
                for each in outputs[:counted]
            ]
        )
    wrapped = [
        _wrap(ctx, args, each, position, recording) if isinstance(each, Tensor) else each
        for position, each in enumerate(outputs)
    ]
    if recording and not ctx._function.makes_views:
        mark_several(wrapped, ctx)
    if not all(_contains(outputs, dirty) for dirty in ctx.dirty_tensors):
        raise RuntimeError(DIRTY_NOT_RETURNED)
    if not levels.entered:
        if recording:
            ctx._keep_saved(tuple(wrapped))
        # Outputs hold the context as their `grad_fn`: to hold them in turn would be a cycle.
        ctx.dirty_tensors = ctx.non_differentiable = None
    if not isinstance(output, tuple):
        return wrapped[0]
    # An operator may return a named tuple.
    make = getattr(type(output), "_make", tuple) if ctx._function.node_name else tuple
    return make(wrapped)


def _wrap(
    ctx: Context, args: tuple[Any, ...], output: Tensor, position: int, recording: bool
) -> Tensor:
    is_input = _contains(args, output)
    is_dirty = ctx.dirty_tensors and _contains(ctx.dirty_tensors, output)
    differentiable = (
        recording
        and output._array.dtype.kind == "f"
        and not (ctx.non_differentiable and _contains(ctx.non_differentiable, output))
    )
    if is_dirty and differentiable and output.requires_grad and output._grad_fn is None:
        raise RuntimeError(LEAF_IN_PLACE)
    if is_input and is_dirty:
        if not differentiable:
            # Whether the input requires grad is not for this Function to change: return an alias.
            return output.detach() if output.requires_grad else output
        if output._base is not None and len(ctx.output_metadata) > 1:
            raise RuntimeError(VIEW_AND_MORE)
        if not ctx._function.node_name:
            # As in PyTorch: it was the gradient of the values before the change.
            output._grad = None
        rebase_history(output, ctx, position)
        return output
    if is_input and (differentiable or not output.requires_grad):
        if _is_saved_by_setup_context(ctx, output):
            raise RuntimeError(SAVED_AND_RETURNED)
        # An unchanged input comes back as a view of itself: one tensor cannot have two histories.
        returned, output = output, alias(output)
        if levels.entered:
            tangents.carry(output, returned)
    elif is_input:
        output = output.detach()
    elif is_dirty and differentiable:
        if output._base is not None:
            raise RuntimeError(DIRTY_NO_INPUT)
        warn(DIRTY_NO_INPUT)
    elif not differentiable and output.requires_grad and output._base is None:
        # As in PyTorch: a tensor that is neither an input nor new loses its history.
        output.detach_()
    if differentiable:
        output._requires_grad = True
        output._grad_fn, output._output_nr = ctx, position
    if output._base is not None:
        mark_creation(output, ctx._function)
        if differentiable:
            # What forward has changed in place so far does not make this history stale.
            output._history_version = output._storage.version
    return output


def _is_saved_by_setup_context(ctx: Context, tensor: Tensor) -> bool:
    saved = (*(ctx.to_save or ()), *(ctx.saved_for_forward or ()))
    return ctx._function._defines("setup_context") and _contains(saved, tensor)


def _told(ctx: Context, name: str, complaint: str) -> tuple[Tensor, ...]:
    told = tuple_of(ctx, name)
    for each in told:
        if not isinstance(each, Tensor):
            raise RuntimeError(complaint)
    return told


def _contains(tensors: tuple[Any, ...], tensor: Tensor) -> bool:
    for each in tensors:
        if each is tensor:
            return True
    return False
