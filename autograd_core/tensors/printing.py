"""How tensors print: PyTorch's layout, digits, summaries and suffixes, and its print options."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograd_core.forward_mode import levels, tangents
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


options = SimpleNamespace(**_PROFILES["default"], sci_mode=None)


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print. None leaves an option as it is, but makes `sci_mode` automatic.

    `profile` is one of default, short and full. (PyTorch: torch.set_printoptions.)
    """
    given = {
        "precision": precision, "threshold": threshold, "edgeitems": edgeitems,
        "linewidth": linewidth,
    }  # fmt: skip
    chosen = _PROFILES.get(profile or "", {})
    chosen = chosen | {name: value for name, value in given.items() if value is not None}
    vars(options).update(chosen, sci_mode=sci_mode)


def tensor_str(tensor: Tensor, *, tensor_contents: str | None = None) -> str:
    """Return what `print(tensor)` shows, or `tensor_contents` in place of its numbers."""
    # Subclasses of both are shown with their names.
    plain = type(tensor) is Tensor or "_is_parameter" in vars(type(tensor))
    prefix = "tensor(" if plain else f"{type(tensor).__name__}("
    array = tensor.memory()
    if tensor_contents is None:
        summary = array.size > options.threshold
        form = _Format(_summarized(array) if summary else array)
        tensor_contents = _rows(array, len(prefix), form, summary) if array.size else "[]"
    text = prefix + tensor_contents
    shown = _with_suffixes(text, _suffixes(tensor, array), len(prefix))
    return shown if plain or not hasattr(tensor, "_is_parameter") else f"Parameter({shown})"


def _suffixes(tensor: Tensor, array: np.ndarray) -> list[str]:
    suffixes = []
    # Integers and bools can be told by their elements, if there are any.
    implied = [dtypes.default()] + ([dtypes.int64, dtypes.bool_] if array.size else [])
    if (not array.size and array.ndim != 1) or (array.size and not options.edgeitems):
        suffixes.append(f"size={tuple(array.shape)}")
    if tensor.dtype not in implied:
        suffixes.append(f"dtype={tensor.dtype}")
    try:
        node = tensor.grad_fn
    except RuntimeError:
        return [*suffixes, "grad_fn=<Invalid>"]
    if node is not None:
        suffixes.append(f"grad_fn=<{node.name().rpartition('::')[2]}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    if levels.active():
        tangent = tangents.tangent_of(tensor)
        if tangent is not None:
            suffixes.append(f"tangent={tangent}")
    return suffixes


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    parts = [text]
    width = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if width + len(suffix) + 2 > options.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            width = indent + len(suffix)
        else:
            parts.append(", " + suffix)
            width += len(suffix) + 2
    return "".join([*parts, ")"])


class _Format:
    """How the numbers of one tensor print: whole, with decimals, or in scientific notation."""

    def __init__(self, array: np.ndarray) -> None:
        self.floating = array.dtype.kind == "f"
        self.scientific, self.whole = False, True
        shown = array
        if self.floating:
            values = array.astype(np.float64)
            # Zeros, infinities and nan decide neither the notation nor the width.
            shown = values[np.isfinite(values) & (values != 0)]
            sizes = np.abs(shown)
            if sizes.size:
                self.whole = bool((sizes == np.ceil(sizes)).all())
                smallest, largest = float(sizes.min()), float(sizes.max())
                far_apart = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
                self.scientific = far_apart if options.sci_mode is None else options.sci_mode
        self.width = max([len(self._bare(value)) for value in shown.ravel().tolist()], default=1)

    def text(self, value: Any) -> str:
        """Return one number, padded to the width of the widest."""
        return self._bare(value).rjust(self.width)

    def _bare(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        if self.scientific:
            return f"{value:.{options.precision}e}"
        if self.whole:
            return f"{value:.0f}." if math.isfinite(value) else str(value)
        return f"{value:.{options.precision}f}"


def _summarized(array: np.ndarray) -> np.ndarray:
    """Return the elements that will be printed: of a large array only the edges."""
    edge = options.edgeitems
    if not edge and array.ndim > 1:
        return array[:0]
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            array = array.take([*range(edge), *range(length - edge, length)], axis)
    return array


def _rows(array: np.ndarray, indent: int, form: _Format, summary: bool) -> str:
    if not array.ndim:
        return form.text(array.item())
    edge, vector = options.edgeitems, array.ndim == 1
    shorten = summary and len(array) > 2 * edge
    shown = [*array[:edge], *array[len(array) - edge :]] if shorten else array
    texts = [_rows(each, indent + 1, form, summary) for each in shown]
    if shorten:
        texts.insert(edge, " ..." if vector and edge else "...")
    if vector:
        per_line = max(1, math.floor((options.linewidth - indent) / (form.width + 2)))
        texts = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    separator = "," + "\n" * max(array.ndim - 1, 1) + " " * (indent + 1)
    return "[" + separator.join(texts) + "]"
