"""Which operator is reachable under which name on `Tensor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core import creation, from_data, inspection, python_protocols, unsupported
from autograd_core.function import Operator
from autograd_core.ops import (
    arithmetic,
    closeness,
    comparison,
    conversion,
    copying,
    diagonals,
    exponentials,
    extremes,
    functions,
    in_place,
    in_place_tests,
    indexing,
    joining,
    matmul,
    mixtures,
    normalising,
    quotients,
    reductions,
    running,
    scattering,
    shape,
    sorting,
    splitting,
    spreads,
    steps,
    strided,
    trigonometry,
)
from autograd_core.ops.arithmetic import reflected
from autograd_core.tensor import Tensor

# Functions of these names are attributes of the package and, given a tensor first, its methods.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        arithmetic.add, arithmetic.sub, arithmetic.mul, arithmetic.div, arithmetic.pow,
        arithmetic.reciprocal, arithmetic.maximum, arithmetic.minimum,
        functions.neg, functions.exp, functions.log, functions.positive,
        functions.sqrt, functions.sin, functions.cos, functions.tanh, steps.trunc,
        steps.clamp_min, steps.clamp_max,
        exponentials.exp2, exponentials.expm1, exponentials.log1p, exponentials.log2,
        exponentials.log10, exponentials.rsqrt, exponentials.erf,
        trigonometry.tan, trigonometry.asin, trigonometry.acos, trigonometry.atan,
        trigonometry.sinh, trigonometry.cosh, trigonometry.atan2,
        functions.sigmoid, functions.relu, functions.abs, functions.square, steps.clamp,
        steps.sign, steps.round, steps.floor, steps.ceil,
        comparison.eq, comparison.ne, comparison.lt, comparison.le, comparison.gt, comparison.ge,
        comparison.logical_not, comparison.logical_and, comparison.logical_or,
        comparison.logical_xor, comparison.bitwise_and, comparison.bitwise_or,
        comparison.bitwise_xor, comparison.bitwise_not, quotients.floor_divide,
        quotients.remainder, quotients.fmod, mixtures.addcmul, mixtures.addcdiv, mixtures.lerp,
        comparison.isnan, comparison.isfinite, comparison.isinf,
        closeness.isclose, closeness.allclose, closeness.equal, closeness.isin,
        reductions.sum, reductions.mean, reductions.prod, reductions.all, reductions.any,
        reductions.count_nonzero, running.cumsum, running.cumprod,
        spreads.var, spreads.std, spreads.var_mean, spreads.std_mean, spreads.logsumexp,
        spreads.norm, extremes.max, extremes.min, extremes.amax, extremes.amin, extremes.argmax,
        extremes.argmin, extremes.median, extremes.mode, extremes.kthvalue,
        shape.reshape, shape.flatten, shape.permute, shape.transpose, shape.t, shape.unsqueeze,
        shape.squeeze, strided.as_strided, copying.clone, copying.flip, shape.broadcast_to,
        matmul.mm, matmul.mv, matmul.dot, matmul.addmm, matmul.matmul, matmul.outer,
        joining.narrow, joining.select, splitting.split, splitting.split_with_sizes,
        splitting.chunk, splitting.tensor_split, splitting.unbind,
        indexing.masked_fill, indexing.masked_select, indexing.nonzero,
        scattering.gather, scattering.scatter, scattering.scatter_add, scattering.index_select,
        scattering.index_add, scattering.index_copy, scattering.take,
        diagonals.diagonal, diagonals.diag, diagonals.diag_embed, diagonals.tril, diagonals.triu,
        diagonals.trace,
        sorting.sort, sorting.argsort, sorting.topk,
        normalising.softmax, normalising.log_softmax,
    )
}  # fmt: skip
FUNCTIONS |= inspection.FUNCTIONS | {
    "multiply": arithmetic.mul,
    "divide": arithmetic.div,
    "true_divide": arithmetic.div,
    "subtract": arithmetic.sub,
    "negative": functions.neg,
    "absolute": functions.abs,
    "clip": steps.clamp,
    "arcsin": trigonometry.asin,
    "arccos": trigonometry.acos,
    "arctan": trigonometry.atan,
    "arctan2": trigonometry.atan2,
    "fix": steps.trunc,
    "swapaxes": shape.transpose,
    "greater": comparison.gt,
    "greater_equal": comparison.ge,
    "less": comparison.lt,
    "less_equal": comparison.le,
    "not_equal": comparison.ne,
}

_METHODS: dict[str, Callable[..., Any]] = {
    "view": shape.view,
    "view_as": shape.view_as,
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
    "new_tensor": from_data.new_tensor,
    "where": lambda self, condition, other: indexing.where(condition, self, other),
    "sum_to_size": lambda self, *size: reductions.sum_to(self, shape.sizes_of(size)),
    "__getitem__": indexing.getitem,
    "__setitem__": in_place.setitem,
    "__neg__": functions.neg,
    "__pos__": functions.positive,
    "__abs__": functions.abs,
    "__invert__": comparison.bitwise_not,
}

_BINARY: dict[str, Callable[..., Any]] = {
    "__add__": arithmetic.add,
    "__radd__": arithmetic.add,
    "__sub__": arithmetic.sub,
    "__rsub__": arithmetic.rsub,
    "__mul__": arithmetic.mul,
    "__rmul__": arithmetic.mul,
    "__truediv__": arithmetic.div,
    "__rtruediv__": arithmetic.rdiv,
    "__floordiv__": quotients.floor_divide,
    "__rfloordiv__": lambda self, other: quotients.floor_divide(other, self),
    "__mod__": quotients.remainder,
    "__rmod__": lambda self, other: quotients.remainder(other, self),
    "__pow__": arithmetic.pow,
    "__rpow__": arithmetic.rpow,
    "__matmul__": matmul.matmul,
    "__ne__": comparison.ne,
    "__lt__": comparison.lt,
    "__le__": comparison.le,
    "__gt__": comparison.gt,
    "__ge__": comparison.ge,
    "__and__": comparison.bitwise_and,
    "__or__": comparison.bitwise_or,
    "__xor__": comparison.bitwise_xor,
    "__iadd__": in_place.add_,
    "__isub__": in_place.sub_,
    "__imul__": in_place.method(in_place.Mul_, "Multiply in place."),
    "__itruediv__": in_place.method(in_place.Div_, "Divide in place."),
    "__ipow__": in_place.method(in_place.Pow_, "Raise to a power in place."),
}

_IN_PLACE: dict[str, Callable[..., Any]] = {
    "add_": in_place.add_,
    "sub_": in_place.sub_,
    "mul_": _BINARY["__imul__"],
    "div_": _BINARY["__itruediv__"],
    "pow_": _BINARY["__ipow__"],
    "clamp_": in_place.clamp_,
    "clip_": in_place.clamp_,
    "round_": in_place.round_,
    "fill_": in_place.fill_,
    "zero_": in_place.zero_,
    "copy_": in_place.copy_,
    "uniform_": in_place.uniform_,
    "normal_": in_place.normal_,
    "masked_fill_": in_place.method(in_place.MaskedFill_, "Put a number where a mask holds."),
    "scatter_": in_place.along_dim(in_place.Scatter_, "Put values at indices along a dimension."),
    "scatter_add_": in_place.along_dim(in_place.ScatterAdd_, "Add at indices along a dimension."),
    "index_add_": in_place.along_dim(in_place.IndexAdd_, "Add at indices of a dimension."),
    "index_copy_": in_place.along_dim(in_place.IndexCopy_, "Put at indices of a dimension."),
    "neg_": in_place.method(in_place.Neg_, "Negate in place."),
    "exp_": in_place.method(in_place.Exp_, "Replace each element by e to its power."),
    "log_": in_place.method(in_place.Log_, "Replace each element by its natural logarithm."),
    "sqrt_": in_place.method(in_place.Sqrt_, "Replace each element by its square root."),
    "sin_": in_place.method(in_place.Sin_, "Replace each element by its sine."),
    "cos_": in_place.method(in_place.Cos_, "Replace each element by its cosine."),
    "tanh_": in_place.method(in_place.Tanh_, "Replace each element by its hyperbolic tangent."),
    "sigmoid_": in_place.method(in_place.Sigmoid_, "Replace each element by 1 / (1 + e^-x)."),
    "relu_": in_place.method(in_place.Relu_, "Replace negative elements by 0."),
    "abs_": in_place.method(in_place.Abs_, "Replace each element by its magnitude."),
}


# The operators behind those of `_BINARY` when both operands are tensors.
_OF_TENSORS: dict[str, type[Operator]] = {
    "__add__": arithmetic.Add,
    "__sub__": arithmetic.Sub,
    "__mul__": arithmetic.Mul,
    "__truediv__": arithmetic.Div,
    "__pow__": arithmetic.PowTensor,
}


def attach() -> None:
    """Give `Tensor` its operators."""
    for table in (
        FUNCTIONS,
        _METHODS,
        _IN_PLACE,
        in_place_tests.METHODS,
        {name: reflected(function, _OF_TENSORS.get(name)) for name, function in _BINARY.items()},
        inspection.METHODS,
        {name: property(function) for name, function in inspection.PROPERTIES.items()},
        conversion.METHODS,
        python_protocols.METHODS,
        unsupported.METHODS,
    ):
        for name, function in table.items():
            setattr(Tensor, name, function)
