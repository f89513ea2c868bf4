"""Forward mode: dual tensors carry a tangent, and every operator pushes it forward with `jvp`."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from autograd_core import tangents
from autograd_core.creation import zeros_of
from autograd_core.grad_mode import mode
from autograd_core.messages.type_name import wrong_type
from autograd_core.tangents import tangent_of
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.context import Context

# Whether a level is open: while none is, no operator looks for tangents.
levels_open = 0

_NOT_IN_PLACE = (
    "An inplace custom Function is not modifying the forward mode gradients inplace. If the "
    "forward is modifying an input inplace, then the jvp function must modify the corresponding "
    "gradient inplace."
)
_NO_VIEW = (
    "A custom Function's forward is returning a view (or an input as-is) but the jvp is not "
    "returning a view."
)


class _ForwardMode(threading.local):
    enabled = True


_forward_mode = _ForwardMode()


class UnpackedDualTensor(NamedTuple):
    """A dual tensor's two halves; `tangent` is None where the input plays no part."""

    primal: Tensor
    tangent: Tensor | None


# Where users find it.
UnpackedDualTensor.__module__ = "autograd_core.autograd.forward_ad"


def active() -> bool:
    """Return whether tangents are pushed forward here and now: never inside of a forward."""
    return bool(levels_open) and _is_fwd_grad_enabled()


def enter_dual_level() -> int:
    """Open the level in which dual tensors live; PyTorch too allows one at a time."""
    global levels_open
    if levels_open:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    levels_open = 1
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """Close the level: all tangents are gone."""
    global levels_open
    if level is not None and level != levels_open - 1:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    if not levels_open:
        raise RuntimeError("Dual level must be a positive number.")
    levels_open = 0
    tangents.clear()


class dual_level(contextlib.ContextDecorator):  # noqa: N801 - PyTorch's name
    """Open a level for a `with`, or for each call of a decorated function."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        exit_dual_level()


class _set_fwd_grad_enabled(contextlib.ContextDecorator):  # noqa: N801 - PyTorch's name
    """Push tangents forward or not, at once; as a context manager, put the former mode back."""

    def __init__(self, mode: bool) -> None:
        self.prev = _forward_mode.enabled
        _forward_mode.enabled = bool(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        _forward_mode.enabled = self.prev


def _is_fwd_grad_enabled() -> bool:
    return _forward_mode.enabled and mode.enabled is not None and not mode.inference


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a view of `tensor` that carries `tangent`, a floating tensor of the same shape.

    The tangent is kept as it is, or copied where its memory layout is not the tensor's. Raises
    RuntimeError outside of a level, for other shapes, and when one of the two is dual already;
    ValueError for integers.
    """
    level = levels_open - 1 if level is None else level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    for role, each in (("primal", tensor), ("tangent", tangent)):
        if not each.is_floating_point():
            raise ValueError(
                f"Expected {role} to be floating point or complex, but got: {each.dtype}"
            )
    if level >= levels_open:
        raise RuntimeError("Invalid level given to _make_dual")
    if tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {level} is not supported."
        )
    if tangent_of(tangent) is not None:
        raise RuntimeError(
            "Setting a forward grad that itself has a forward gradient at the same "
            f"level{level} is not supported."
        )
    dual = tensor.view_as(tensor)
    if active():
        tangents.attach(dual, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return a view of the primal, which carries no tangent, and the tangent or None."""
    if not levels_open:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, Tensor):
        raise wrong_type("_unpack_dual(): argument 'dual' (position 1)", "Tensor", tensor)
    from autograd_core.ops.shape import Primal

    tangent = tangent_of(tensor) if active() else None
    if tangent is not None and level is not None and level >= levels_open:
        raise RuntimeError("Invalid level given to _fw_primal")
    with _set_fwd_grad_enabled(False):
        primal = Primal.apply(tensor)
    tangents.attach(primal, None)
    return UnpackedDualTensor(primal, tangent)


def push_tangents(
    ctx: Context, args: tuple[Any, ...], output: Any, node: Context | None = None
) -> None:
    """Give the outputs of a Function their tangents, if one of its inputs has one.

    `node` is what was recorded, where that is not `ctx` itself.
    """
    node = ctx if node is None else node
    if not active():
        return
    given = [tangent_of(arg) if isinstance(arg, Tensor) else None for arg in args]
    if all(tangent is None for tangent in given):
        return
    outputs = _as_tuple(output)
    built_in = bool(ctx._function.node_name)
    if built_in and not any(_takes_tangent(each) for each in outputs):
        return
    # An operator says for itself whether it needs zeros; a custom Function tells its context.
    materialized = (ctx._function if built_in else ctx).materialize_grads
    offered = [
        _zeros(arg, built_in) if tangent is None and materialized else tangent
        for arg, tangent in zip(args, given, strict=True)
    ]
    # What computes tangents has none itself: inside, no tensor is dual.
    with _set_fwd_grad_enabled(False):
        if built_in:
            results = _of_built_in(ctx, args, offered, outputs)
        else:
            results = _of_custom(ctx, args, given, offered, outputs)
        for position, (each, tangent) in enumerate(zip(outputs, results, strict=True)):
            if not _takes_tangent(each) or tangent is None:
                continue
            if any(each is arg for arg in args):
                tangents.overwrite(each, tangent)
            else:
                tangents.attach(each, tangent)
            if each._grad_fn is node:
                tangents.remember(node, position, tangent)


def _zeros(arg: Any, also_of_integers: bool) -> Tensor | None:
    """Return the tangent of a constant; custom Functions get none of integers."""
    if not _takes_tangent(arg) and not (also_of_integers and isinstance(arg, Tensor)):
        return None
    return zeros_of(arg._array.shape, arg._array.dtype)


def _takes_tangent(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _of_built_in(
    ctx: Context, args: tuple[Any, ...], offered: list[Any], outputs: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Call an operator's jvp; only a view's tangent shares memory with that of the input."""
    if outputs[0] is args[0] and offered[0] is not None:
        # It is about to be overwritten, but may have been kept for a backward through tangents.
        offered[0] = offered[0].clone()
    results = list(_as_tuple(ctx._function.jvp(ctx, *offered)))
    if not ctx._function.makes_views:
        taken = [each._storage for each in offered if each is not None]
        for i, result in enumerate(results):
            if result is not None and any(result._storage is each for each in taken):
                results[i] = result.clone()
    return tuple(results)


def _of_custom(
    ctx: Context,
    args: tuple[Any, ...],
    given: list[Tensor | None],
    offered: list[Tensor | None],
    outputs: tuple[Any, ...],
) -> tuple[Any, ...]:
    """Call a custom Function's jvp, which finds in `saved_tensors` what was saved for forward.

    Raises PyTorch's RuntimeErrors for what it must not return.
    """
    versions = [0 if tangent is None else tangent._version for tangent in given]
    if ctx.saved_for_forward is None:
        # What is saved for backward is out of reach here.
        ctx.saved_for_forward = ()
    results = _as_tuple(ctx._function.jvp(ctx, *offered))
    for position, tangent in enumerate(results):
        if tangent is not None and not isinstance(tangent, Tensor):
            raise RuntimeError(
                f"expected Variable or None (got {type(tangent).__name__}) for grad output "
                f"{position}."
            )
    if len(results) != len(outputs):
        raise RuntimeError(
            "Function's jvp returned an invalid number of forward gradients (expected "
            f"{len(outputs)} but got {len(results)})"
        )
    for position, (each, tangent) in enumerate(zip(outputs, results, strict=True)):
        if not _takes_tangent(each) or id(each) in ctx._without_tangent:
            if tangent is not None:
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {position}, but  the "
                    "corresponding forward output is not a differentiable Tensor.You should return "
                    "None at that position instead."
                )
            continue
        changed = next((i for i, arg in enumerate(args) if arg is each), None)
        if changed is not None:
            old = given[changed]
            if old is not None and not (tangent is old and old._version > versions[changed]):
                raise RuntimeError(_NOT_IN_PLACE)
        elif tangent is None:
            raise RuntimeError("Expected both tensor and its forward grad to be floating point")
        elif each._is_view() and not tangent._is_view():
            raise RuntimeError(_NO_VIEW)
    return results
