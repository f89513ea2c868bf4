"""What a node shows of what it keeps, under PyTorch's names: `_saved_self`, `_saved_dim`, …

Tensors are read from the node's slots. What is no tensor, operators keep in a form of their own;
the table says how PyTorch shows it.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from autograd_core import dtypes, from_data
from autograd_core.saved_tensor import FREED, SavedTensor
from autograd_core.saved_tensor_hooks import RawSavedTensor
from autograd_core.tensor import Tensor

_DEPRECATED = "'saved_variables' is deprecated; use 'saved_tensors'"
_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
_SHAPE = {"self_sym_sizes": lambda node: tuple(node.shape)}
_NUMEL = {"self_sym_numel": lambda node: math.prod(node.shape)}
_DIMS = {"dim": lambda node: tuple(node.dims)}
_DIM = {"dim": lambda node: node.dims[0] if node.dims else None}
_ALPHA = {"alpha": lambda node: getattr(node, "scale", 1)}
_INDICES = {"indices": lambda node: tuple(node.saved_tensors)}
_REDUCTION = {"reduction": lambda node: _REDUCTIONS[node.reduction]}

_SHOWN: dict[str, dict[str, Callable[[Any], Any]]] = {
    "AddBackward0": _ALPHA,
    "SubBackward0": _ALPHA,
    "RsubBackward1": _ALPHA,
    "AddmmBackward0": {
        "alpha": lambda node: (node.scales or (1, 1))[1],
        "beta": lambda node: (node.scales or (1, 1))[0],
    },
    "ClampBackward1": {"min": lambda node: node.bounds[0], "max": lambda node: node.bounds[1]},
    "SumBackward0": _SHAPE,
    "SumBackward1": _SHAPE | _DIMS,
    "MeanBackward0": _SHAPE | _NUMEL,
    "MeanBackward1": _SHAPE | _NUMEL | _DIMS,
    "ProdBackward1": {"dim": lambda node: _lone(node.dim)},
    "AmaxBackward0": _DIMS,
    "AminBackward0": _DIMS,
    "LogsumexpBackward0": _DIMS,
    "MaxBackward0": _SHAPE,
    "MinBackward0": _SHAPE,
    "SortBackward0": _SHAPE,
    "TopkBackward0": _SHAPE,
    "SoftmaxBackward0": {"dim": lambda node: _lone(node.dims)},
    "LogSoftmaxBackward0": {"dim": lambda node: _lone(node.dims)},
    "LinalgVectorNormBackward0": {
        "ord": lambda node: node.arguments[0],
        "keepdim": lambda node: node.arguments[2],
    },
    "MseLossBackward0": _REDUCTION,
    "MseLossBackwardBackward0": _REDUCTION,
    "SmoothL1LossBackward0": _REDUCTION,
    "BinaryCrossEntropyBackward0": _REDUCTION,
    "TransposeBackward0": {"dim0": lambda node: node.dims[0], "dim1": lambda node: node.dims[1]},
    "PermuteBackward0": {"dims": lambda node: tuple(node.order)},
    "DiagonalBackward0": _SHAPE
    | {
        "offset": lambda node: node.arguments[0],
        "dim1": lambda node: node.arguments[1],
        "dim2": lambda node: node.arguments[2],
    },
    "ViewBackward0": _SHAPE,
    "UnsafeViewBackward0": _SHAPE,
    "ExpandBackward0": {"self_sym_sizes": lambda node: tuple(node.shapes[0])},
    "RepeatBackward0": _SHAPE | {"repeats": lambda node: tuple(node.counts)},
    "SqueezeBackward0": _SHAPE,
    "SqueezeBackward1": _SHAPE | _DIM,
    "SqueezeBackward2": _SHAPE | _DIMS,
    "AsStridedBackward0": {
        "size": lambda node: node.geometry[0],
        "stride": lambda node: node.geometry[1],
    },
    "SelectBackward0": _SHAPE
    | {"dim": lambda node: len(node.index) - 1, "index": lambda node: node.index[-1]},
    "SliceBackward0": _SHAPE
    | {
        "dim": lambda node: len(node.index) - 1,
        "start": lambda node: node.index[-1].start,
        "end": lambda node: node.index[-1].stop,
        "step": lambda node: node.index[-1].step or 1,
    },
    "SplitBackward0": {"split_size": lambda node: node.lengths[0]},
    "SplitWithSizesBackward0": {"split_sizes": lambda node: tuple(node.lengths)},
    "IndexBackward0": _SHAPE | _INDICES,
    "IndexPutBackward0": _INDICES,
    "IndexSelectBackward0": _SHAPE,
    "IndexAddBackward0": {"alpha": lambda node: (*node.scale, 1)[0]},
    "GeluBackward0": {"approximate": lambda node: "none"},
    "LeakyReluBackward0": {"negative_slope": lambda node: node.numbers[0]},
    "SoftplusBackward0": {
        "beta": lambda node: node.numbers[0],
        "threshold": lambda node: node.numbers[1],
    },
    "EluBackward0": {"alpha": lambda node: node.numbers[0]},
}


def attribute(node: Any, name: str) -> Any:
    """Return what a node of PyTorch shows as `_saved_self`, `_raw_saved_self` and the like.

    Raises AttributeError when the operator saves nothing under that name, RuntimeError when it has
    been freed or changed since.
    """
    if name == "saved_variables":
        warnings.warn(_DEPRECATED, DeprecationWarning, stacklevel=4)
        return node.saved_tensors
    raw = name.startswith("_raw_saved_")
    wanted = name.removeprefix("_raw_saved_" if raw else "_saved_")
    names, built_in = node._function.saved_names, node._function.node_name
    shown = _SHOWN.get(built_in, {})
    if raw and wanted == ("indices" if shown.keys() >= {"indices"} else "tensors" * (not built_in)):
        if node._freed:
            raise RuntimeError(FREED)
        return tuple([RawSavedTensor(node, at) for at in range(len(node._saved))])
    if not raw and wanted in shown:
        return shown[wanted](node)
    if not raw and built_in and wanted in vars(node):
        return getattr(node, wanted)
    if not wanted or wanted not in names:
        raise AttributeError(f"'{node.name()}' object has no attribute '{name}'")
    position = names.index(wanted)
    if raw:
        return RawSavedTensor(node, position)
    if node._freed:
        raise RuntimeError(FREED)
    if not node._saved:
        # Nothing was needed for the gradients that are wanted.
        return None
    slot = node.slot(position)
    if isinstance(slot, SavedTensor):
        return slot.read(node)
    return slot if slot is None else _number(slot)


def shown_by(node: Any, names: Iterable[str]) -> list[str]:
    """Return those of the `names` of nodes that this one has: of what is saved, what it saves."""
    built_in = node._function.node_name
    kept = set(node._function.saved_names) if built_in else {"tensors"}
    shown = kept | _SHOWN.get(built_in, {}).keys() | (vars(node).keys() if built_in else set())
    raw = kept | shown & {"indices"}
    # What operators call otherwise than PyTorch.
    shown = shown - {"dims"} if "dim" in shown else shown

    def has(name: str) -> bool:
        if name.startswith("_raw_saved_"):
            return name.removeprefix("_raw_saved_") in raw
        if name.startswith("_saved"):
            return name.removeprefix("_saved_") in shown
        return name not in ("keep_saved", "saved_for_forward")

    return sorted(filter(has, names))


def _lone(dim: Any) -> Any:
    return dim[0] if isinstance(dim, tuple) else dim


def _number(value: Any) -> Tensor:
    # As PyTorch wraps Python's numbers: in the widest dtype of their kind.
    return from_data.tensor(value, dtype=dtypes.float64 if isinstance(value, float) else None)
