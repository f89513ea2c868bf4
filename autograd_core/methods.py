"""Which operator is reachable under which name on `Tensor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core import creation, inspection, python_protocols
from autograd_core.messages import unsupported
from autograd_core.messages.arguments import explained, taking_nothing
from autograd_core.ops import (
    arithmetic,
    comparison,
    conversion,
    copying,
    diagonals,
    dimensions,
    extremes,
    functions,
    in_place,
    in_place_arithmetic,
    in_place_views,
    index_put,
    index_select,
    indexing,
    joining,
    matmul,
    mixtures,
    pairwise,
    placing,
    power,
    probabilities,
    products,
    quotients,
    random_fills,
    reductions,
    running,
    scattering,
    shape,
    sorting,
    splitting,
    spreads,
    steps,
    strided,
    transcendentals,
)
from autograd_core.ops.arithmetic import reflected
from autograd_core.ops.operator import Operator
from autograd_core.ops.out import with_out
from autograd_core.tensor import Tensor

# Functions of these names are attributes of the package and, given a tensor first, its methods,
# but for those of `_NO_METHODS`.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        arithmetic.add, arithmetic.sub, arithmetic.mul, arithmetic.reciprocal,
        arithmetic.rsub,
        shape.broadcast_to,
        comparison.isclose, comparison.allclose, comparison.equal, comparison.isin,
        comparison.eq, comparison.ne, comparison.lt, comparison.le, comparison.gt, comparison.ge,
        comparison.logical_not, comparison.logical_and, comparison.logical_or,
        comparison.logical_xor, comparison.bitwise_and, comparison.bitwise_or,
        comparison.bitwise_xor, comparison.bitwise_not, comparison.isnan, comparison.isfinite,
        comparison.isinf, comparison.isposinf, comparison.isneginf, comparison.signbit,
        comparison.bitwise_left_shift, comparison.bitwise_right_shift,
        copying.clone, copying.flip, copying.fliplr, copying.flipud,
        diagonals.diagonal, diagonals.diag, diagonals.diag_embed, diagonals.tril, diagonals.triu,
        diagonals.trace,
        dimensions.permute, dimensions.transpose, dimensions.t, dimensions.unsqueeze,
        dimensions.squeeze, dimensions.adjoint,
        transcendentals.exp2, transcendentals.expm1, transcendentals.log1p, transcendentals.log2,
        transcendentals.log10, transcendentals.rsqrt, transcendentals.erf,
        extremes.maximum, extremes.minimum, extremes.max, extremes.min, extremes.amax,
        extremes.amin, extremes.aminmax, extremes.argmax, extremes.argmin,
        functions.neg, functions.exp, functions.log, functions.positive, functions.sqrt,
        functions.sin, functions.cos, functions.tanh, functions.sigmoid, functions.relu,
        functions.abs, functions.square,
        index_put.index_put,
        index_select.index_select, index_select.index_fill, index_select.index_add,
        index_select.index_copy,
        indexing.masked_fill, indexing.masked_select, indexing.nonzero, indexing.where,
        joining.cat, joining.stack, joining.hstack, joining.vstack, joining.tile,
        joining.repeat_interleave, joining.roll, joining.atleast_1d,
        joining.atleast_2d,
        matmul.mm, matmul.mv, matmul.dot, matmul.addmm, matmul.matmul, matmul.outer, matmul.bmm,
        mixtures.addcmul, mixtures.addcdiv, mixtures.lerp,
        sorting.median, sorting.mode, sorting.kthvalue,
        pairwise.hypot, pairwise.fmax, pairwise.fmin, pairwise.xlogy,
        placing.masked_scatter, placing.put, placing.scatter_reduce,
        power.pow,
        probabilities.softmax, probabilities.log_softmax,
        products.inner, products.baddbmm, products.cross, products.kron,
        quotients.div, quotients.floor_divide, quotients.remainder, quotients.fmod,
        shape.ravel, shape.unflatten, dimensions.movedim, dimensions.swapaxes,
        reductions.sum, reductions.mean, reductions.prod, reductions.all, reductions.any,
        reductions.count_nonzero,
        running.cumsum, running.cumprod, running.cummax, running.cummin,
        scattering.gather, scattering.scatter, scattering.scatter_add, scattering.take_along_dim,
        scattering.take,
        shape.flatten,
        sorting.sort, sorting.argsort, sorting.topk,
        splitting.narrow, splitting.select, splitting.split, splitting.split_with_sizes,
        splitting.chunk, splitting.unsafe_split, splitting.unsafe_chunk,
        splitting.unsafe_split_with_sizes, splitting.tensor_split, splitting.hsplit,
        splitting.vsplit, splitting.unbind,
        spreads.var, spreads.std, spreads.var_mean, spreads.std_mean, spreads.logsumexp,
        spreads.norm,
        steps.trunc, steps.clamp_min, steps.clamp_max, steps.clamp, steps.sign, steps.sgn,
        steps.round, steps.floor, steps.ceil,
        strided.as_strided,
        transcendentals.tan, transcendentals.asin, transcendentals.acos, transcendentals.atan,
        transcendentals.sinh, transcendentals.cosh, pairwise.atan2,
    )
}  # fmt: skip
FUNCTIONS |= inspection.FUNCTIONS | {
    "reshape": shape.reshape_to,
    "detach": Tensor.detach,
    "detach_": Tensor.detach_,
}
# What else PyTorch calls them, in place too.
_OTHER_NAMES = {
    "multiply": "mul", "divide": "div", "true_divide": "div", "subtract": "sub",
    "negative": "neg", "absolute": "abs", "clip": "clamp", "fix": "trunc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne",
    "swapdims": "transpose", "moveaxis": "movedim", "argwhere": "nonzero", "ger": "outer",
    "concat": "cat", "concatenate": "cat", "row_stack": "vstack",
}  # fmt: skip
FUNCTIONS |= {other: FUNCTIONS[name] for other, name in _OTHER_NAMES.items()}

_METHODS: dict[str, Callable[..., Any]] = {
    "view": shape.view,
    "view_as": shape.view_as,
    "reshape": shape.reshape,
    "reshape_as": shape.reshape_as,
    "expand": shape.expand,
    "expand_as": shape.expand_as,
    "contiguous": copying.contiguous,
    "repeat": joining.repeat,
    "split": splitting.method_split,
    "new_zeros": creation.new_zeros,
    "new_ones": creation.new_ones,
    "new_empty": creation.new_empty,
    "new_full": creation.new_full,
    "new_empty_strided": creation.new_empty_strided,
    "new_tensor": creation.new_tensor,
    "is_set_to": inspection.is_set_to,
    "where": lambda self, condition, other: indexing.where(condition, self, other),
    "sum_to_size": reductions.sum_to_size,
    "__getitem__": indexing.getitem,
    "__matmul__": matmul.of_tensors,
    "__rmatmul__": matmul.reflected_of_tensors,
    "__setitem__": index_put.setitem,
    "__neg__": functions.neg,
    "__pos__": functions.positive,
    "__abs__": functions.abs,
    "__invert__": comparison.invert,
}

_BINARY: dict[str, Callable[..., Any]] = {
    "__add__": arithmetic.add,
    "__radd__": arithmetic.add,
    "__sub__": arithmetic.sub,
    "__rsub__": arithmetic.rsub,
    "__mul__": arithmetic.mul,
    "__rmul__": arithmetic.mul,
    "__truediv__": quotients.div,
    "__rtruediv__": arithmetic.rdiv,
    "__floordiv__": quotients.floor_divide,
    "__rfloordiv__": lambda self, other: quotients.floor_divide(other, self),
    "__mod__": quotients.remainder,
    "__rmod__": lambda self, other: quotients.remainder(other, self),
    "__pow__": power.pow,
    "__rpow__": power.rpow,
    "__ne__": comparison.ne,
    "__lt__": comparison.lt,
    "__le__": comparison.le,
    "__gt__": comparison.gt,
    "__ge__": comparison.ge,
    "__and__": comparison.bitwise_and,
    "__or__": comparison.bitwise_or,
    "__rand__": comparison.bitwise_and,
    "__ror__": comparison.bitwise_or,
    "__rxor__": comparison.bitwise_xor,
    "__lshift__": comparison.bitwise_left_shift,
    "__rshift__": comparison.bitwise_right_shift,
    "__rlshift__": lambda self, other: comparison.bitwise_left_shift(other, self),
    "__rrshift__": lambda self, other: comparison.bitwise_right_shift(other, self),
    "__xor__": comparison.bitwise_xor,
} | in_place_arithmetic.OPERATORS

_IN_PLACE: dict[str, Callable[..., Any]] = in_place_arithmetic.METHODS | {
    "fill_": in_place.fill_,
    "zero_": in_place.zero_,
    "copy_": in_place.copy_,
    "index_put_": index_put.index_put_,
    **random_fills.METHODS,
    **in_place_views.METHODS,
}
_IN_PLACE |= {
    f"{other}_": _IN_PLACE[f"{name}_"]
    for other, name in _OTHER_NAMES.items()
    if f"{name}_" in _IN_PLACE
}
# Those that are functions of the package too.
FUNCTIONS |= random_fills.FUNCTIONS | {
    name: _IN_PLACE[name]
    for name in (
        "abs_", "acos_", "arccos_", "arcsin_", "arctan_", "asin_", "atan_", "ceil_", "clamp_",
        "clamp_max_", "clamp_min_", "clip_", "cos_", "cosh_", "erf_", "exp2_", "exp_", "expm1_",
        "fill_", "fix_", "floor_", "log10_", "log1p_", "log2_", "log_", "neg_", "negative_",
        "reciprocal_", "relu_", "round_", "rsqrt_", "sigmoid_", "sin_", "sinh_", "sqrt_",
        "square_", "tan_", "tanh_", "trunc_", "zero_",
        "as_strided_", "resize_as_", "index_put_",
    )
}  # fmt: skip

_NO_METHODS = {
    "atleast_1d", "atleast_2d", "cat", "concat", "concatenate", "hstack", "isin", "normal",
    "row_stack", "rsub", "stack", "std_mean", "var_mean", "vstack",
}  # fmt: skip
# The flags of code that has *args or **options.
_TAKES_MORE = 0x0C
# What takes no arguments and is called so often that Python's own words do for surplus ones.
_IN_HASTE = {
    "abs", "cos", "detach", "exp", "is_floating_point", "log", "neg", "numel", "relu", "sigmoid",
    "sin", "sqrt", "square", "t", "tanh", "zero_",
}  # fmt: skip
# Functions of the package that have no `out=`: views, questions and their like.
_WITHOUT_OUT = {
    "allclose", "argwhere", "as_strided", "atleast_1d", "atleast_2d", "broadcast_to", "chunk",
    "clone", "count_nonzero", "detach", "diag_embed", "diagonal", "equal", "flatten", "flip",
    "fliplr", "flipud", "hsplit", "index_fill", "index_put", "isclose", "isfinite", "isinf",
    "isnan", "masked_fill", "masked_scatter", "moveaxis", "movedim", "narrow", "permute",
    "positive", "put", "ravel", "relu", "repeat_interleave", "reshape", "roll", "rsub", "select",
    "split", "split_with_sizes", "squeeze", "std_mean", "swapaxes", "swapdims", "t", "tensor_split",
    "tile", "trace", "transpose", "unbind", "unflatten", "unsafe_chunk", "unsafe_split",
    "unsafe_split_with_sizes", "unsqueeze", "var_mean", "vsplit",
}  # fmt: skip
# What the package shows of these tables.
PACKAGE: dict[str, Callable[..., Any]] = {
    name: explained(function, name=name)
    if name in _WITHOUT_OUT or name in inspection.FUNCTIONS or name.endswith("_")
    else with_out(function, name)
    for name, function in FUNCTIONS.items()
}


# The operators behind those of `_BINARY` when both operands are tensors.
_OF_TENSORS: dict[str, type[Operator]] = {
    "__add__": arithmetic.Add,
    "__radd__": arithmetic.Add,
    "__sub__": arithmetic.Sub,
    "__mul__": arithmetic.Mul,
    "__rmul__": arithmetic.Mul,
    "__truediv__": arithmetic.Div,
    "__pow__": power.PowTensor,
}


def attach() -> None:
    """Give `Tensor` its operators."""
    for name, function in (FUNCTIONS | _METHODS | _IN_PLACE).items():
        if name not in _NO_METHODS:
            setattr(Tensor, name, _explained_method(name, function))
    properties = inspection.PROPERTIES | dimensions.PROPERTIES
    for table in (
        {name: reflected(function, _OF_TENSORS.get(name)) for name, function in _BINARY.items()},
        inspection.METHODS,
        {name: inspection.read_only(name, function) for name, function in properties.items()},
        {
            name: inspection.read_only(name, vars(Tensor)[name].fget)
            for name in inspection.READ_ONLY
        },
        {name: _explained_method(name, each) for name, each in conversion.METHODS.items()},
        python_protocols.METHODS,
        unsupported.METHODS,
    ):
        for name, attribute in table.items():
            setattr(Tensor, name, attribute)


def _explained_method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that explains errors of its arguments, unless it takes none and is in haste.

    Python's operators explain themselves.
    """
    if name in _IN_HASTE or name.startswith("__"):
        return function
    code: Any = getattr(function, "__code__", None)
    count = 0 if code is None else code.co_argcount + code.co_kwonlyargcount
    if count == 1 and not code.co_flags & _TAKES_MORE:
        return taking_nothing(function, name)
    return explained(function, method=True, name=name)
