"""The tables that say which function is a method of `Tensor`, or of the package, by which name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core import creation
from autograd_core.messages import unsupported
from autograd_core.messages.arguments import explained_method
from autograd_core.ops import (
    arithmetic,
    comparison,
    conversion,
    copying,
    cumulative,
    diagonals,
    dimensions,
    division,
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
    matrix_products,
    norms,
    pairwise,
    piecewise,
    placing,
    power,
    products,
    random_fills,
    reductions,
    scattering,
    shape,
    softmax,
    sorting,
    splitting,
    strided,
    ternary,
    transcendentals,
    variance,
)
from autograd_core.ops.arithmetic import reflected
from autograd_core.ops.operator import Operator
from autograd_core.ops.out import shown
from autograd_core.tensor import Tensor
from autograd_core.tensors import inspection, python_protocols

# Functions of the package, `torch.add(x, y)`, that are methods of their first argument as well,
# `x.add(y)`, unless `_NO_METHODS` has them.
_IN_MODULES: dict[Any, str] = {
    arithmetic: "add sub mul reciprocal rsub",
    comparison: (
        "isclose allclose equal isin eq ne lt le gt ge logical_not logical_and logical_or "
        "logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not isnan isfinite isinf "
        "isposinf isneginf signbit bitwise_left_shift bitwise_right_shift"
    ),
    copying: "clone flip fliplr flipud",
    cumulative: "cumsum cumprod cummax cummin",
    diagonals: "diagonal diag diag_embed tril triu trace",
    dimensions: "permute transpose t unsqueeze squeeze adjoint movedim swapaxes",
    division: "div floor_divide remainder fmod",
    extremes: "maximum minimum max min amax amin aminmax argmax argmin",
    functions: "neg exp log positive sqrt sin cos tanh sigmoid relu abs square",
    index_put: "index_put",
    index_select: "index_select index_fill index_add index_copy",
    indexing: "masked_fill masked_select nonzero where",
    joining: "cat stack hstack vstack tile repeat_interleave roll atleast_1d atleast_2d",
    matmul: "matmul",
    matrix_products: "mm mv dot addmm outer bmm",
    norms: "dist norm",
    pairwise: "hypot fmax fmin xlogy atan2",
    piecewise: "trunc clamp_min clamp_max clamp sign sgn round floor ceil",
    placing: "masked_scatter put scatter_reduce",
    power: "pow",
    products: "inner baddbmm cross kron",
    reductions: "sum mean prod all any count_nonzero",
    scattering: "gather scatter scatter_add take_along_dim take",
    shape: "ravel unflatten flatten",
    softmax: "softmax log_softmax logsumexp",
    sorting: "median mode kthvalue sort argsort topk",
    splitting: (
        "narrow select split split_with_sizes chunk unsafe_split unsafe_chunk "
        "unsafe_split_with_sizes tensor_split hsplit vsplit unbind"
    ),
    strided: "as_strided",
    ternary: "addcmul addcdiv lerp",
    transcendentals: "exp2 expm1 log1p log2 log10 rsqrt erf tan asin acos atan sinh cosh",
    variance: "var std var_mean std_mean",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(module, name) for module, names in _IN_MODULES.items() for name in names.split()
}
FUNCTIONS |= inspection.FUNCTIONS | {
    "reshape": shape.reshape_to,
    "broadcast_to": shape.expand,
    "detach": Tensor.detach,
    "detach_": Tensor.detach_,
}
# PyTorch's aliases, which in-place methods have too.
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
    "repeat_interleave": joining.repeat_each,
    "split": splitting.method_split,
    "squeeze": dimensions.method_squeeze,
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
    "__truediv__": division.div,
    "__rtruediv__": arithmetic.rdiv,
    "__floordiv__": division.floor_divide,
    "__rfloordiv__": lambda self, other: division.floor_divide(other, self),
    "__mod__": division.remainder,
    "__rmod__": lambda self, other: division.remainder(other, self),
    "__pow__": power.pow,
    "__rpow__": lambda self, other: power.pow(other, self),
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
# The in-place methods that are functions of the package too: `torch.exp_(x)`.
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
# The functions as the package exports them.
PACKAGE: dict[str, Callable[..., Any]] = {
    name: shown(name, function, out=name not in inspection.FUNCTIONS)
    for name, function in FUNCTIONS.items()
}
# Short cuts: what the methods of `_BINARY` apply when both operands are tensors.
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
    for name in unsupported.OTHERS["torch.Tensor"].split():
        setattr(Tensor, name, unsupported.Absent(name))
    for name, function in (FUNCTIONS | _METHODS | _IN_PLACE).items():
        if name not in _NO_METHODS:
            setattr(Tensor, name, explained_method(name, function))
    properties = inspection.PROPERTIES | dimensions.PROPERTIES
    for table in (
        {name: reflected(function, _OF_TENSORS.get(name)) for name, function in _BINARY.items()},
        inspection.METHODS,
        {name: inspection.read_only(name, function) for name, function in properties.items()},
        {
            name: inspection.read_only(name, vars(Tensor)[name].fget)
            for name in inspection.READ_ONLY
        },
        {name: explained_method(name, each) for name, each in conversion.METHODS.items()},
        python_protocols.METHODS,
        unsupported.METHODS,
    ):
        for name, attribute in table.items():
            setattr(Tensor, name, attribute)
