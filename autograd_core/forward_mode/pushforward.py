"""What forward mode does for a Function: its `jvp` computes the tangents of the outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from autograd_core.creation import zeros_like, zeros_of
from autograd_core.forward_mode import tangents
from autograd_core.forward_mode.levels import _set_fwd_grad_enabled, active
from autograd_core.forward_mode.tangents import tangent_of
from autograd_core.messages import type_name
from autograd_core.modes import grad_mode
from autograd_core.modes.inference import escapes_recording
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.context import Context
    from autograd_core.function import Function

_DIRTY_NO_INPUT = (
    "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is "
    "no need to pass it to mark_dirty()."
)
_NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the "
    "forward is modifying an input inplace, then the jvp function must modify the corresponding "
    "gradient inplace."
)
_NOT_AS_IS = (
    "An inplace custom Function is not returning the forward mode gradients as-is. If the forward "
    "is modifying an input inplace, then the jvp function must modify the gradient inplace and "
    "return it as-is."
)
_NO_VIEW = (
    "A custom Function's forward is returning a view (or an input as-is) but the jvp is not "
    "returning a view."
)
_OTHER_VIEW = (
    "A custom Function is returning a view but the jvp is not returning a view of the {}given grad "
    "input."
)
_Args = tuple[Any, ...]


def reaches(function: type[Function], args: _Args) -> bool:
    """Return whether the outputs of `function` get tangents now, because an argument has one.

    A view gets its part of the tangent whatever mode it is made in.
    """
    if not (active() or function.makes_views):
        return False
    if grad_mode.inference_used and escapes_recording(function, args):
        return False
    return any(isinstance(arg, Tensor) and tangent_of(arg) is not None for arg in args)


def primals(function: type[Function], args: _Args) -> _Args:
    """Return the arguments for a jvp to save: without tangents, as tangents must not have any."""
    if function.makes_views:
        return args
    # Here, because operators are built on this file.
    from autograd_core.ops.shape import Primal

    def primal(arg: Any) -> Any:
        if not isinstance(arg, Tensor) or not (arg._requires_grad or tangent_of(arg) is not None):
            return arg
        kept = Primal.apply(arg)
        tangents.attach(kept, None)
        return kept

    return tuple(map(primal, args))


def push_tangents(
    ctx: Context, args: _Args, output: Any, wrapped: Any, node: Context | None = None
) -> None:
    """Give the outputs of a Function their tangents, if one of its inputs has one.

    `output` is what forward has returned, `wrapped` what it has become in the graph, and `node` the
    recorded node, if that is not `ctx` itself.
    """
    node = ctx if node is None else node
    returned, become = _as_tuple(output), _as_tuple(wrapped)

    def positions(noted: Any) -> list[int]:
        return [at for at, each in enumerate(returned) if any(each is one for one in noted or ())]

    dirty, constant = positions(ctx.dirty_tensors), positions(ctx.non_differentiable)
    # Outputs hold the context as their `grad_fn`: to hold them in turn would be a cycle.
    ctx.dirty_tensors = ctx.non_differentiable = None
    ctx = vars(ctx).pop("tangent_ctx", ctx)
    if not reaches(ctx._function, args):
        keep_apart(ctx._function, args, wrapped)
        return
    given = [tangent_of(arg) if isinstance(arg, Tensor) else None for arg in args]
    # For a dirty output the changed input itself, even if an alias of it is returned.
    outputs = tuple([returned[at] if at in dirty else each for at, each in enumerate(become)])
    is_custom = not ctx._function.node_name
    # Tangents are computed with forward mode off: they have no tangents themselves.
    with _set_fwd_grad_enabled(False):
        results: Iterable[Tensor | None]
        if is_custom:
            results = _of_custom(ctx, args, given, outputs, dirty, constant)
        else:
            results = _of_operator(ctx, args, given, outputs)
        for position, (each, tangent) in enumerate(zip(outputs, results, strict=False)):
            if not _takes_tangent(each) or tangent is None:
                continue
            if is_custom and tangent_of(each) is None:
                # A changed input without a tangent: the tensor returned for it, perhaps an alias,
                # gets one.
                each = become[position]
            changed = any(each is arg for arg in args)
            if changed or _source_tangent(each, args, given) is None:
                tangents.overwrite(each, tangent)
            else:
                tangents.attach(each, tangent)
            maker = each._grad_fn
            if maker is node or (changed and maker is not None):
                # A view that was changed is saved as its custom Function's output, or with the
                # maker that its base has given it.
                tangents.remember(node if is_custom else maker, each._output_nr, tangent)


def keep_apart(function: type[Function], args: _Args, output: Any) -> None:
    """Mark views that got no tangent if they are views of a primal."""
    if function.makes_views:
        for each in _as_tuple(output):
            tangents.keep_apart(each, args[0])


def _whole(tensor: Tensor | None) -> Tensor | None:
    return tensor if tensor is None or tensor._base is None else tensor._base


def _source_tangent(view: Tensor, args: _Args, given: list[Tensor | None]) -> Any:
    """Return the tangent of the first argument of which `view` shows a part; `...` if of none.

    Several dual tensors may share a base that has no tangent; then the tangents show which it is.
    """
    shown = _whole(tangent_of(view))
    for arg, tangent in zip(args, given, strict=True):
        if isinstance(arg, Tensor) and _whole(arg) is view._base and _whole(tangent) is shown:
            return tangent
    return ...


def _takes_tangent(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _of_operator(
    ctx: Context, args: _Args, given: list[Tensor | None], outputs: _Args
) -> Sequence[Tensor | None]:
    """Call an operator's jvp; only a view's tangent shares memory with that of the input."""
    if not any(_takes_tangent(each) for each in outputs):
        return [None] * len(outputs)
    function, in_place = ctx._function, outputs[0] is args[0]
    offered = list(given)
    for i, arg in enumerate(args):
        if given[i] is None and function.materialize_grads and isinstance(arg, Tensor):
            zeros = zeros_of(arg._array.shape, arg._array.dtype)
            # What is changed in place has had a tangent of plain zeros.
            changed = in_place and i == 0
            offered[i] = -zeros if i in function.negative_zeros and not changed else zeros
    if in_place and given[0] is not None and not function.changes_tangent:
        # It is about to be overwritten, but may have been saved for a backward through tangents.
        offered[0] = given[0].clone()
    results = list(_as_tuple(function.jvp(ctx, *offered)))
    taken = [each._storage for each in offered if each is not None]
    for i, (result, each) in enumerate(zip(results, outputs, strict=True)):
        if result is None or (function.changes_tangent and result is offered[0]):
            continue
        # Without some tangents, the result may not be broadcast or promoted as the output is.
        if result._array.shape != each._array.shape:
            with suppress(RuntimeError):
                result = result.to(each.dtype).expand(each.shape)
        shared = any(result._storage is its for its in taken)
        is_narrow = result._array.dtype.itemsize < each._array.dtype.itemsize
        # What is copied in place brings the dtype of its tangent.
        if is_narrow and not (shared and each is args[0]):
            result = result.to(each.dtype)
        elif shared and not function.makes_views:
            result = result.clone()
        results[i] = result
    return results


def _of_custom(
    ctx: Context,
    args: _Args,
    given: list[Tensor | None],
    outputs: _Args,
    dirty: list[int],
    constant: list[int],
) -> Iterator[Tensor | None]:
    """Call a custom Function's jvp, which finds in `saved_tensors` what was saved for forward.

    `dirty` and `constant` are the positions of outputs marked as dirty and as non-differentiable.
    Raises PyTorch's RuntimeError for a wrong tangent only after yielding those before it.
    """
    versions = [0 if tangent is None else tangent._version for tangent in given]
    if ctx.saved_for_forward is None:
        # As in PyTorch, jvp does not get what was saved for backward.
        ctx.saved_for_forward = ()
    offered = [
        zeros_like(arg) if tangent is None and ctx.materializes and _takes_tangent(arg) else tangent
        for arg, tangent in zip(args, given, strict=True)
    ]
    results = _as_tuple(ctx._function.jvp(ctx, *offered))
    for position, tangent in enumerate(results):
        if tangent is not None and not isinstance(tangent, Tensor):
            raise RuntimeError(
                f"expected Variable or None (got {type_name(tangent)}) for grad output {position}."
            )
    if len(results) != len(outputs):
        raise RuntimeError(
            "Function's jvp returned an invalid number of forward gradients (expected "
            f"{len(outputs)} but got {len(results)})"
        )
    for position, (each, tangent) in enumerate(zip(outputs, results, strict=True)):
        if not _takes_tangent(each) or position in constant:
            if tangent is not None and isinstance(each, Tensor):
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {position}, but  the "
                    "corresponding forward output is not a differentiable Tensor.You should return "
                    "None at that position instead."
                )
            yield None
            continue
        changed = next((i for i, arg in enumerate(args) if arg is each), None)
        if changed is not None:
            old = given[changed]
            if old is not None:
                if tangent is None or tangent._version == versions[changed]:
                    raise RuntimeError(_NOT_IN_PLACE)
                if tangent is not old:
                    raise RuntimeError(_NOT_AS_IS)
        elif position in dirty:
            raise RuntimeError(_DIRTY_NO_INPUT)
        elif tangent is None:
            raise RuntimeError("Expected both tensor and its forward grad to be floating point")
        elif each._base is not None:
            source = _source_tangent(each, args, given)
            if source is None:
                # As in PyTorch, which looks at no output after this one.
                yield tangent
                return
            if source is not ...:
                _check_view(tangent, source)
        yield tangent


def _check_view(tangent: Tensor, given: Any) -> None:
    """Raise RuntimeError unless a view's tangent is a view of `given`, its source's tangent."""
    if tangent._base is None:
        raise RuntimeError(_NO_VIEW)
    if tangent._base is not _whole(given):
        raise RuntimeError(_OTHER_VIEW.format("" if given._base is None else "same base as the "))
