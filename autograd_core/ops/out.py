"""`out=`: the result of a function is written into a tensor that the caller gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from autograd_core.creation.options import NO_GRADIENT_IN_OUT
from autograd_core.forward_mode import levels, tangents
from autograd_core.messages import check_argument, warn
from autograd_core.messages.arguments import (
    REFUSALS,
    check_arguments,
    check_of_kinds,
    explained,
    standing_for,
    tried_otherwise,
)
from autograd_core.modes.grad_mode import mode, no_grad
from autograd_core.ops.in_place import Copy_, apply, check_castable, not_the_shape
from autograd_core.ops.order_in_memory import reach, restrided
from autograd_core.ops.resizing import resized
from autograd_core.rules.overlap import check_overlap, repeats
from autograd_core.tensor import Tensor
from autograd_core.tensors.dtypes import uint8

_NO_TANGENT = (
    "Trying to use forward AD with {name}_out that does not support it because it is an out= "
    "function"
)
_RESIZED = (
    "An output with one or more elements was resized since it had shape {have}, which does not "
    "match the required output shape {want}. This behavior is deprecated, and in a future PyTorch "
    "release outputs will not be resized unless they have zero elements. You can explicitly reuse "
    "an out tensor t by resizing it, inplace, to zero elements with t.resize_(0)."
)


# Errors of functions that do not cast their result, of dtype `made`, to `have`, that of `out`.
_UNCAST: dict[str, str] = {
    **dict.fromkeys(
        ("neg", "negative", "abs", "absolute", "clamp", "clip", "round", "floor", "ceil", "trunc",
         "sign", "sgn", "bitwise_not", "clamp_min", "clamp_max", "lerp", "fix"),
        "Found dtype {have.title} but expected {made.title}",
    ),
    **dict.fromkeys(
        ("mm", "matmul", "bmm", "mv", "addmm", "gather", "softmax", "triu", "tril", "argmax",
         "argmin", "log_softmax", "norm", "scatter", "cross", "diag", "max", "min", "sort", "topk",
         "aminmax", "baddbmm", "index_add", "index_copy", "isin", "linalg_cross", "linalg_matmul",
         "linalg_vector_norm", "scatter_add", "scatter_reduce", "take_along_dim"),
        "Expected out tensor to have dtype {made.in_c}, but got {have.in_c} instead",
    ),
    **dict.fromkeys(
        ("amax", "amin"),
        "Expected the dtype for input and out to match, but got {made.title} for input's dtype and "
        "{have.title} for out's dtype.",
    ),
    **dict.fromkeys(
        ("cummax", "cummin"), "expected scalar_type {made.title} but found {have.title}"
    ),
    "kthvalue": "output values must be of same type as input",
    "mode": "expected scalar type '{made.title}' but got '{have.title}' for values output",
    "median": "Expected tensor for 'values' to have the same type as tensor for argument #2 "
    "'self'; but type torch.{have.legacy} does not equal torch.{made.legacy} (while checking "
    "arguments for median)",
    **dict.fromkeys(
        ("all", "any"), "{name} only supports bool tensor for result, got: {have.title}"
    ),
    **dict.fromkeys(
        ("isposinf", "isneginf", "signbit"), "{name} does not support non-boolean outputs."
    ),
    "inner": "tensordot: Expected the output tensor to have dtype {made.title}, but got an output "
    "tensor with dtype {have.title}",
    "dot": "result dtype {have.title} does not match input dtype {made.title}",
    "masked_select": "masked_select(): self and result must have the same scalar type",
    "nonzero": "nonzero: Expected out tensor to have scalar type {made.title} but got scalar type"
    "{have.title}",
    "linalg_norm": "linalg.norm expected out tensor dtype {made.title} but got: {have.title}",
    "where": "Expected out type to be {made.title} but got {have.title}",
    "index_select": "index_select(): self and result must have the same scalar type",
    "take": "take(): self and out expected to have the same dtype, but got self.dtype = "
    "{made.title} and out.dtype = {have.title}",
}  # fmt: skip
# Some of these cast unless this many arguments are tensors.
_UNCAST_OF = {"clamp": 1, "clip": 1, "clamp_min": 1, "clamp_max": 1, "lerp": 3}
# These return bools in uint8, too.
_ALSO_IN_BYTES = {"all", "any"}
# These compute in the dtype of `out`.
_COMPUTED_IN_ANY = {"sum", "prod", "cumsum", "cumprod"}
_JOINED = {"cat", "concat", "concatenate", "hstack", "row_stack", "stack", "vstack"}
# Errors of their own for indices that are not of int64.
_INDICES: dict[str, str] = {
    "kthvalue": "output indices must be of scalar type Long",
    "mode": "expected scalar type 'Long' but got '{have.title}' for indices output",
    "median": "Expected tensor for argument #1 'indices' to have scalar type Long; but got "
    "torch.{have.legacy} instead (while checking arguments for median)",
}
# Functions that are computed by others, which are named if a gradient would be lost.
_COMPUTED_BY = {
    "hstack": "cat", "log_softmax": "aten::log_softmax", "norm": "linalg_vector_norm",
    "outer": "mul", "softmax": "aten::softmax", "square": "pow", "take_along_dim": "gather",
    "vector_norm": "linalg_vector_norm", "vstack": "cat",
}  # fmt: skip
# Of one dimension, these need an `out` of the same dtype; of all elements or of pairs, they cast.
_EXTREMES = {"max", "min"}
# Only some forms of these have an `out`.
_IN_SOME_FORMS = _EXTREMES | {"argsort", "median", "prod", "sort", "sum", "where"}
# These move elements, so that `out` must not even be an operand itself.
_MOVING = _JOINED | {
    "cross", "gather", "index_select", "linalg_cross", "masked_select", "nonzero", "take",
}  # fmt: skip
# For these, `out` may overlap with an operand.
_OVERLAPPING = {
    "addmm", "all", "amax", "amin", "any", "argmax", "argmin", "baddbmm", "bmm", "dot",
    "linalg_matmul", "linalg_norm", "linalg_vector_norm", "log_softmax", "logsumexp", "matmul",
    "mean", "mm", "mv", "norm", "prod", "softmax", "std", "sum", "tril", "triu", "var",
}  # fmt: skip
# These resize an `out` of another shape first, so that its elements may have shared memory before.
_RESIZING_FIRST = _OVERLAPPING | _MOVING | {
    "cummax", "cummin", "cumprod", "cumsum", "inner", "kthvalue", "max", "median", "min", "mode",
    "sort", "topk",
}  # fmt: skip
# Functions of the package that have no `out=`: views, questions and their like.
_WITHOUT_OUT = {
    "allclose", "argwhere", "as_strided", "atleast_1d", "atleast_2d", "broadcast_to", "chunk",
    "clone", "count_nonzero", "detach", "diag_embed", "diagonal", "dist", "equal", "flatten",
    "flip", "fliplr", "flipud", "hsplit", "index_fill", "index_put", "isclose", "isfinite", "isinf",
    "isnan", "masked_fill", "masked_scatter", "moveaxis", "movedim", "narrow", "permute",
    "positive", "put", "ravel", "relu", "repeat_interleave", "reshape", "roll", "rsub", "select",
    "split", "split_with_sizes", "squeeze", "std_mean", "swapaxes", "swapdims", "t", "tensor_split",
    "tile", "trace", "transpose", "unbind", "unflatten", "unsafe_chunk", "unsafe_split",
    "unsafe_split_with_sizes", "unsqueeze", "var_mean", "vsplit",
}  # fmt: skip


def shown(name: str, function: Callable[..., Any], out: bool) -> Callable[..., Any]:
    """Return a function as the package exports it: with an `out` if PyTorch's may have one.

    It bears the name under which pickle finds it there.
    """
    out = out and name not in _WITHOUT_OUT and not name.endswith("_")
    call = with_out(function, name) if out else explained(function, name=name)
    call.__name__ = call.__qualname__ = name
    call.__module__ = "autograd_core"
    return call


def with_out(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Return `function` with an argument `out`, a tensor or a tuple of them for several results.

    Each is resized to fit, with a warning if it held elements, and returned. Raises RuntimeError
    if a gradient would be needed or a dtype cannot be cast.
    """

    name = name or function.__name__
    by = _COMPUTED_BY.get(function.__name__, function.__name__)
    unchecked, check = check_of_kinds(function, name, False)

    def call(*args: Any, out: Any = None, **options: Any) -> Any:
        if options or len(args) > unchecked:
            check(args, options if out is None else {**options, "out": out})
        try:
            if out is None:
                return function(*args, **options) if options else function(*args)
            if name in _IN_SOME_FORMS or not isinstance(out, Tensor):
                check_arguments(name, args, {**options, "out": out}, TypeError(), False, function)
            in_its_dtype = name in _COMPUTED_IN_ANY and isinstance(out, Tensor)
            computed_in = {"dtype": out.dtype} if in_its_dtype else {}
            with no_grad():
                result = function(*args, **computed_in | options)
        except REFUSALS as error:
            again = partial(call, out=out)
            return tried_otherwise(again, function, name, args, options, error, out=out)
        if not isinstance(result, tuple):
            _write_all(name, by, (out,), (result,), (args, options))
            return out
        check_argument(name, "out", out, tuple | list, wanted="tuple of Tensors")
        if len(out) != len(result):
            raise TypeError(f"expected tuple of {len(result)} elements but got {len(out)}")
        _write_all(name, by, out, result, (args, options))
        kind: Any = type(f"{type(result).__name__}_out", (type(result),), {})
        return kind._make(out)

    return standing_for(function, call)


def _write_all(name: str, by: str, targets: Any, results: Any, given: Any) -> None:
    """Write each result; raise for targets that are no tensors, or if a derivative is needed."""
    for target in targets:
        check_argument(name, "out", target, Tensor)
    involved = list(_tensors((given, targets)))
    # Integer results have no gradient; for bools not even a target that requires grad is refused.
    floating = name in _COMPUTED_IN_ANY or any(each.is_floating_point() for each in results)
    watched = involved if floating else targets if results[0].dtype.category else ()
    if mode.enabled and any(each.requires_grad for each in watched):
        raise RuntimeError(NO_GRADIENT_IN_OUT.format(by))
    if levels.active() and any(tangents.tangent_of(each) is not None for each in involved):
        raise NotImplementedError(_NO_TANGENT.format(name=name))
    with no_grad():
        pairs = list(zip(targets, results, strict=True))
        taken = tuple(_tensors(given))
        # Whether this form of the function does not cast its results.
        some = len(pairs) > 1 if name in _EXTREMES else _UNCAST_OF.get(name) in (None, len(taken))
        uncast = name in _UNCAST and some
        # PyTorch checks the indices of a median first.
        for place in reversed(range(len(pairs))) if name == "median" else range(len(pairs)):
            _check_dtype(name, *pairs[place], given[1].get("dtype"), uncast, place)
        for target, result in pairs:
            read = () if name in _OVERLAPPING else taken
            fits = target._array.shape == result._array.shape
            if fits or name not in _RESIZING_FIRST or not repeats(target):
                check_overlap(target, *read, moving=name in _MOVING)
            if not fits:
                _resize(target, result._array, read)
            apply(Copy_, target, result)


def _resize(target: Tensor, result: Any, read: Sequence[Tensor]) -> None:
    """Give a target the shape of NumPy data, and its layout if that leaves no gaps.

    RuntimeError if it is one of the operands itself.
    """
    shape = result.shape
    if any(target is each for each in read):
        with suppress(ValueError):
            if np.broadcast_shapes(*(each.shape for each in read)) == shape:
                raise RuntimeError(not_the_shape(target.shape, shape))
    if target.numel():
        warn(_RESIZED.format(have=list(target.shape), want=list(shape)))
    resized(target, shape)
    steps = [step // result.itemsize for step in result.strides]
    if not result.flags.c_contiguous and result.size == reach(shape, steps):
        # Dimensions in another order.
        steps = [step * target._array.itemsize for step in steps]
        target._array = restrided(target._array, shape, steps)


def _check_dtype(
    name: str, target: Tensor, result: Tensor, asked: Any, uncast: bool, place: int
) -> None:
    if asked is not None and target.dtype is not asked:
        raise RuntimeError(
            f"Expected out tensor to have dtype {asked.in_c}, but got {target.dtype.in_c} instead"
        )
    if uncast and target.dtype is not result.dtype:
        if name in _ALSO_IN_BYTES and target.dtype is uint8:
            return
        words = _INDICES.get(name, _UNCAST[name]) if place else _UNCAST[name]
        raise RuntimeError(words.format(name=name, have=target.dtype, made=result.dtype))
    if name in _COMPUTED_IN_ANY:
        return
    if name in _JOINED and result.dtype.category > target.dtype.category:
        title = target.dtype.title
        raise TypeError(
            f"torch.cat(): input types can't be cast to the desired output type {title}"
        )
    check_castable(target, result.dtype)


def _tensors(values: Any) -> Iterable[Tensor]:
    if isinstance(values, Tensor):
        yield values
    elif isinstance(values, tuple | list):
        for each in values:
            yield from _tensors(each)
    elif isinstance(values, dict):
        yield from _tensors(tuple(values.values()))
