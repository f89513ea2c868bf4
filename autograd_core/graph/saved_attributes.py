"""The attributes that show what a node has saved, by PyTorch's names: `_saved_self`, `_saved_dim`.

Tensors are read from the node's slots. Other values each operator stores in its own way; the table
says how to get from them what PyTorch shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from autograd_core import creation
from autograd_core.hooks.saved_tensor_hooks import RawSavedTensor
from autograd_core.node import ReadOnly
from autograd_core.saved_tensor import FREED, SavedTensor
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
# Dimensions and positions: shown as the caller gave them, but negative ones as unsigned numbers.
_WITHOUT_SIGN = frozenset(
    ("dim", "dim0", "dim1", "dim2", "dims", "diagonal", "offset", "start", "end", "index")
).union(("shifts", "pad", "ignore_index", "padding_idx"))
# The end of a slice that has none.
_LAST = (1 << 63) - 1
Shown = dict[str, Callable[[Any], Any]]


def _same(*names: str) -> Shown:
    """Values that nodes store under PyTorch's own names."""
    return {name: attrgetter(name) for name in names}


def _of(kept: str | Callable[[Any], Any], *names: str) -> Shown:
    """Values that nodes store in the tuple `kept`, in this order; "" for one that is not shown."""
    tuple_of = attrgetter(kept) if isinstance(kept, str) else kept

    def item(position: int) -> Callable[[Any], Any]:
        return lambda node: tuple_of(node)[position]

    return {name: item(position) for position, name in enumerate(names) if name}


_arguments = partial(_of, "arguments")


def _factors(first: str, edge: int) -> Shown:
    """The sizes of a product's two factors, and the strides of those that get a gradient."""

    def steps(node: Any, position: int) -> tuple[int, ...]:
        _, dtype = node.output_metadata[0]
        needed = node._makers[edge + position] is not None
        return tuple([s // dtype.itemsize for s in node.layouts[2 * position + 1]] * needed)

    return {
        f"{first}_sym_sizes": lambda node: node.layouts[0],
        f"{first}_sym_strides": lambda node: steps(node, 0),
        "mat2_sym_sizes": lambda node: node.layouts[2],
        "mat2_sym_strides": lambda node: steps(node, 1),
    }


_SHAPE: Shown = {"self_sym_sizes": lambda node: tuple(node.shape)}
_NUMEL: Shown = {"self_sym_numel": lambda node: math.prod(node.shape)}
_DIMS: Shown = {
    "dim": lambda node: () if node.arguments[0] is None else node.arguments[0],
    "keepdim": lambda node: node.arguments[1],
}
_OVER_DIMS: Shown = _SHAPE | _DIMS
_SPREAD: Shown = _arguments("dim", "", "keepdim") | {
    "correction": lambda node: node.arguments[1] if node.arguments[:2] != (None, 1) else None
}
_INDICES: Shown = {"indices": lambda node: tuple(map(_tensor_or_none, node.saved_tensors))}
# What a loss stores besides its reduction.
_options = partial(_of, lambda node: node.arguments[1])
_NLL: Shown = _of("options", "", "ignore_index") | {
    "reduction": lambda node: _REDUCTIONS[node.options[0]]
}
_REDUCTION: Shown = {"reduction": lambda node: _REDUCTIONS[node.arguments[0]]}
_SPLIT = _same("dim") | _SHAPE
_PART: Shown = {
    "dim": lambda node: getattr(node.arguments[-1], "given", len(node.arguments[-1]) - 1)
}
_SELECT = _PART | {"index": lambda node: _last_of(node)}
_SLICE: Shown = _PART | {
    "start": lambda node: int(_last_of(node).start or 0),
    "end": lambda node: _LAST if _last_of(node).stop is None else int(_last_of(node).stop),
    "step": lambda node: int(_last_of(node).step or 1),
}
_DIAGONAL = _arguments("offset", "dim1", "dim2")
_AT_DIM: Shown = _arguments("dim")
_LONE_DIM: Shown = {"dim": lambda node: _lone(node.arguments[0])}
_OF_SOURCE: Shown = {"source_dim": lambda node: len(node.output_metadata[0][0])}

# What PyTorch's nodes show besides the tensors that they save.
_SHOWN: dict[str, Shown] = {
    name: shown
    for names, shown in {
        "AddBackward0 SubBackward0 RsubBackward0 RsubBackward1": {
            "alpha": lambda node: getattr(node, "scale", 1)
        },
        "AddmmBackward0": _factors("mat1", 1)
        | _of(lambda node: node.scales or (1, 1), "beta", "alpha"),
        "MmBackward0": _factors("self", 0),
        "BaddbmmBackward0": _of("scales", "beta", "alpha"),
        "CummaxBackward0 CumminBackward0 UnbindBackward0 CatBackward0 StackBackward0": _same("dim"),
        "CumsumBackward0 CumprodBackward0 UnsqueezeBackward0 UnsqueezeBackward1 "
        "LinalgCrossBackward0 IndexFillBackward0 IndexFillBackward1 ScatterBackward0 "
        "ScatterBackward1 ScatterAddBackward0": _AT_DIM,
        "AddcmulBackward0 AddcdivBackward0": _same("value"),
        "LerpBackward0": _same("weight"),
        "MulBackward1 DivBackward1": _arguments("other"),
        "DivBackward2": {"rounding_mode": lambda node: node._function.rounding_mode},
        "XlogyBackward1": {"self": lambda node: node._slots[0]},
        "XlogyBackward2": {"other": lambda node: node._slots[1]},
        "PowBackward0": _arguments("exponent"),
        "PowBackward2": _arguments("self"),
        "ClampBackward1": _arguments("min", "max"),
        "ClampMinBackward0": _arguments("min"),
        "ClampMaxBackward0": _arguments("", "max"),
        "SumBackward0 TraceBackward0 ViewBackward0 ReshapeAliasBackward0 UnsafeViewBackward0 "
        "ExpandBackward0 SqueezeBackward0 SqueezeBackward3": _SHAPE,
        "SumBackward1": _OVER_DIMS,
        "MeanBackward0": _SHAPE | _NUMEL,
        "MeanBackward1": _OVER_DIMS | _NUMEL,
        "ProdBackward1": _LONE_DIM | _arguments("", "keepdim"),
        "AmaxBackward0 AminBackward0 LogsumexpBackward0": _DIMS,
        "AminmaxBackward0": _same("keepdim")
        | {"dim": lambda node: node.dims[0] if node.dims else None},
        "MaxBackward0 MinBackward0 MedianBackward1 KthvalueBackward0 ModeBackward0": _SHAPE
        | _same("dim", "keepdim"),
        "VarBackward0 StdBackward0 VarMeanBackward0 StdMeanBackward0": _SPREAD,
        "SortBackward0 SortBackward1 TopkBackward0": _SHAPE | _same("dim"),
        "SoftmaxBackward0 LogSoftmaxBackward0 SoftmaxBackwardDataBackward0 "
        "LogSoftmaxBackwardDataBackward0": _LONE_DIM,
        "DistBackward0": _arguments("p"),
        "LinalgVectorNormBackward0": _arguments("ord", "dim", "keepdim"),
        "MseLossBackward0 MseLossBackwardBackward0": _REDUCTION,
        "SmoothL1LossBackward0": _REDUCTION | _options("beta"),
        "HuberLossBackward0": _REDUCTION | _options("delta"),
        "BinaryCrossEntropyBackward0 BinaryCrossEntropyWithLogitsBackward0": _REDUCTION,
        "NllLossBackward0 NllLoss2DBackward0": _NLL
        | {"total_weight": lambda node: _total_weight(node)},
        "NllLossBackwardBackward0 NllLoss2DBackwardBackward0": _NLL,
        "TransposeBackward0 TransposeBackward1": _arguments("dim0", "dim1"),
        "PermuteBackward0": {"dims": lambda node: tuple(node.arguments[0])},
        "FlipBackward0": _arguments("dims"),
        "RollBackward0": _arguments("shifts", "dims"),
        "DiagonalBackward0 DiagonalBackward0_copy": _SHAPE | _DIAGONAL,
        "DiagEmbedBackward0": _DIAGONAL,
        "DiagonalBackwardBackward0": _arguments("", "offset", "dim1", "dim2"),
        "TrilBackward0 TriuBackward0": _arguments("diagonal"),
        "RepeatBackward0": _SHAPE | _arguments("repeats"),
        "SqueezeBackward1 SqueezeBackward4": _SHAPE | _LONE_DIM,
        "SqueezeBackward2 SqueezeBackward5 IndexSelectBackward0": _SHAPE | _AT_DIM,
        "AsStridedBackward0 AsStridedBackward1": _arguments("size", "stride", "storage_offset"),
        "SelectBackward0": _SHAPE | _SELECT,
        "SelectBackwardBackward0": _SELECT,
        "SliceBackward0": _SHAPE | _SLICE,
        "SliceBackwardBackward0": _SLICE,
        "SplitBackward0 UnsafeSplitBackward0": _SPLIT
        | {"split_size": lambda node: getattr(node.lengths, "given", node.lengths)[0]},
        "SplitWithSizesBackward0 UnsafeSplitWithSizesBackward0": _SPLIT
        | {"split_sizes": lambda node: tuple(node.lengths)},
        "ConstantPadNdBackward0": {"pad": lambda node: _padding(node.arguments[0])},
        "IndexBackward0": _SHAPE | _INDICES,
        "IndexPutBackward0": _INDICES | {"accumulate": lambda node: node._function.accumulates},
        "IndexAddBackward0": _arguments("dim", "alpha") | _OF_SOURCE,
        "IndexCopyBackward0": _AT_DIM | _OF_SOURCE,
        "PutBackward0": _arguments("accumulate"),
        "GatherBackward0": _AT_DIM | {"sparse_grad": lambda node: False},
        "ScatterReduceBackward0": _arguments("dim", "reduce", "include_self"),
        "MaskedScatterBackward0": {"source_sym_sizes": lambda node: tuple(node.shape)},
        "EmbeddingBackward0": {
            "padding_idx": lambda node: node.arguments[0],
            "scale_grad_by_freq": lambda node: False,
            "sparse": lambda node: False,
            "weight_sym_argsize_0": lambda node: node.shape[0],
        },
        "NativeBatchNormBackward0": _same("eps", "training"),
        "NativeLayerNormBackward0": {"normalized_shape": lambda node: node.own},
        "LogSigmoidBackward0": {"buffer": lambda node: _buffer(node)},
        "ThresholdBackwardBackward0": {"threshold": lambda node: 0},
        "GeluBackward0": {"approximate": lambda node: node._function.approximate},
        "GeluBackwardBackward0": {
            "approximate": lambda node: node._function.activation.approximate
        },
        "LeakyReluBackward0 LeakyReluBackward1 LeakyReluBackwardBackward0": _arguments(
            "negative_slope"
        ),
        "SoftplusBackward0 SoftplusBackwardBackward0": _arguments("beta", "threshold"),
        "CeluBackward0 CeluBackward1": _arguments("alpha"),
        "EluBackward0 EluBackward1": _arguments("alpha", "scale", "input_scale"),
        "EluBackwardBackward0": _arguments("alpha", "scale", "input_scale")
        | {"is_result": lambda node: node._function.activation.saved_names == ("result",)},
        "HardtanhBackward0 HardtanhBackwardBackward0": _arguments("min_val", "max_val"),
    }.items()
    for name in names.split()
}


def attributes_of(function: Any) -> dict[str, ReadOnly]:
    """Return, by name, the properties by which the nodes of a Function show what they have saved.

    Reading one raises RuntimeError if the tensor has been freed or changed since.
    """
    if not function.node_name:
        return {"_raw_saved_tensors": ReadOnly(_all_raw)}
    read: Shown = {}
    for position, name in enumerate(function.saved_names):
        if name:
            read[f"_saved_{name}"] = partial(_kept, position=position)
            read[f"_raw_saved_{name}"] = partial(RawSavedTensor.of, position=position)
    for name, shown in _SHOWN.get(function.node_name, {}).items():
        read[f"_saved_{name}"] = partial(_given, shown) if name in _WITHOUT_SIGN else shown
        if name == "indices":
            read["_raw_saved_indices"] = _all_raw
    return {name: ReadOnly(each) for name, each in read.items()}


def _all_raw(node: Any) -> tuple[RawSavedTensor, ...]:
    if node._freed:
        raise RuntimeError(FREED)
    return tuple([RawSavedTensor.of(node, position) for position in range(len(node._slots))])


def _tensor_or_none(value: Any) -> Any:
    return value if isinstance(value, Tensor) else None


def _kept(node: Any, position: int) -> Any:
    if not node._slots or node._slots[position] is None:
        # There was no such tensor, or no gradient that is needed depends on it.
        return None
    if node._freed:
        raise RuntimeError(FREED)
    slot = node._slot(position)
    return slot.read(node) if isinstance(slot, SavedTensor) else _number(slot)


def _total_weight(node: Any) -> Any:
    if node._slots[3] is not None:
        return _kept(node, 3)
    x, *targets, _ = node.saved_tensors
    return node._function.total_weight(x, (*targets, *node.options))


def _buffer(node: Any) -> Any:
    kept = _kept(node, 1)
    return node._function.buffer(node.saved_tensors[0]) if kept is None else kept


def _given(shown: Callable[[Any], Any], node: Any) -> Any:
    return _as_given(shown(node))


def _last_of(node: Any) -> Any:
    """Return the last item of the index by which a view was taken."""
    return node.arguments[-1][-1]


def _padding(widths: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    padded = [position for position, pair in enumerate(widths) if any(pair)]
    return tuple([side for pair in reversed(widths[min(padded, default=-1) :]) for side in pair])


def _as_given(value: Any) -> Any:
    """Return a number, or several, as PyTorch shows them: as the caller gave them, but unsigned."""
    if isinstance(value, tuple):
        return tuple([_as_given(each) for each in getattr(value, "given", value)])
    if isinstance(value, int) and not isinstance(value, bool):
        return int(getattr(value, "given", value)) % (1 << 64)
    return value


def _lone(dim: Any) -> Any:
    return (*getattr(dim, "given", dim), None)[0] if isinstance(dim, tuple) else dim


def _number(value: Any) -> Tensor:
    # As PyTorch wraps Python's numbers: in the widest dtype of their kind.
    return creation.tensor(value, dtype=dtypes.float64 if isinstance(value, float) else None)
