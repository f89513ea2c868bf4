"""How tensors print: PyTorch's layout, digits, summaries and suffixes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_core import dtypes, forward_ad, tangents

if TYPE_CHECKING:
    from autograd_core.tensor import Tensor

PRECISION = 4
LINE_WIDTH = 80
SUMMARIZE_ABOVE = 1000
EDGE_ITEMS = 3


def tensor_str(tensor: Tensor) -> str:
    """Return the text that `print(tensor)` shows."""
    prefix = "tensor("
    array = tensor.memory()
    suffixes = _suffixes(tensor, array)
    if array.size:
        text = _array_str(array, len(prefix), _Format(_summarized(array)))
    else:
        text = "[]"
        if array.ndim != 1:
            suffixes.insert(0, f"size={tuple(array.shape)}")
    return _joined(prefix, text, suffixes)


def _suffixes(tensor: Tensor, array: np.ndarray) -> list[str]:
    suffixes = []
    implied = (dtypes.float32, dtypes.int64, dtypes.bool_)
    # Without elements nothing shows that these are whole numbers or truth values.
    if tensor.dtype not in implied or (not array.size and tensor.dtype is not dtypes.float32):
        suffixes.append(f"dtype={tensor.dtype}")
    node = tensor.grad_fn
    if node is not None:
        suffixes.append(f"grad_fn=<{node.name().rpartition('::')[2]}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    if forward_ad.active():
        tangent = tangents.tangent_of(tensor)
        if tangent is not None:
            suffixes.append(f"tangent={tangent}")
    return suffixes


def _joined(prefix: str, text: str, suffixes: list[str]) -> str:
    parts = [prefix + text]
    width = len(text) - text.rfind("\n") - 1 + (0 if "\n" in text else len(prefix))
    for suffix in suffixes:
        if width + len(suffix) + 2 > LINE_WIDTH:
            parts.append(",\n" + " " * len(prefix) + suffix)
            width = len(prefix) + len(suffix)
        else:
            parts.append(", " + suffix)
            width += len(suffix) + 2
    return "".join([*parts, ")"])


class _Format:
    """How the numbers of one tensor print: whole, with four decimals, or in scientific notation."""

    def __init__(self, array: np.ndarray) -> None:
        self.floating = array.dtype.kind == "f"
        self.scientific, self.whole = False, True
        shown = array
        if self.floating:
            values = array.astype(np.float64)
            shown = values[np.isfinite(values) & (values != 0)]
            sizes = np.abs(shown)
            if sizes.size:
                largest, smallest = float(sizes.max()), float(sizes.min())
                self.whole = bool((sizes == np.ceil(sizes)).all())
                far = largest / smallest > 1000 or largest > 1e8
                self.scientific = far if self.whole else far or smallest < 1e-4
        # Zeros, infinities and nan do not count for the width.
        self.width = max([len(self._bare(value)) for value in shown.ravel().tolist()], default=0)

    def text(self, value: Any) -> str:
        """Return one number, padded to the width of the widest."""
        return self._bare(value).rjust(self.width)

    def _bare(self, value: Any) -> str:
        if not self.floating:
            return str(value)
        if self.scientific:
            return f"{value:.{PRECISION}e}"
        if self.whole:
            return f"{value:.0f}." if math.isfinite(value) else str(value)
        return f"{value:.{PRECISION}f}"


def _summarized(array: np.ndarray) -> np.ndarray:
    """Return the elements that will be printed: of a large array only the edges."""
    if array.size <= SUMMARIZE_ABOVE:
        return array
    for axis, length in enumerate(array.shape):
        if length > 2 * EDGE_ITEMS:
            edges = [*range(EDGE_ITEMS), *range(length - EDGE_ITEMS, length)]
            array = array.take(edges, axis)
    return array


def _array_str(array: np.ndarray, indent: int, form: _Format, summary: bool | None = None) -> str:
    summary = array.size > SUMMARIZE_ABOVE if summary is None else summary
    if not array.ndim:
        return form.text(array.item())
    if array.ndim == 1:
        return _vector_str(array, indent, form, summary)
    shorten = summary and len(array) > 2 * EDGE_ITEMS
    rows = [*array[:EDGE_ITEMS], *array[-EDGE_ITEMS:]] if shorten else list(array)
    texts = [_array_str(row, indent + 1, form, summary) for row in rows]
    if shorten:
        texts.insert(EDGE_ITEMS, "...")
    separator = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + separator.join(texts) + "]"


def _vector_str(array: np.ndarray, indent: int, form: _Format, summary: bool) -> str:
    if summary and len(array) > 2 * EDGE_ITEMS:
        texts = [form.text(value) for value in array[:EDGE_ITEMS].tolist()]
        texts.append(" ...")
        texts += [form.text(value) for value in array[-EDGE_ITEMS:].tolist()]
    else:
        texts = [form.text(value) for value in array.tolist()]
    per_line = max(1, (LINE_WIDTH - indent) // (form.width + 2))
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
