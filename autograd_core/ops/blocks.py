"""Products of matrices of middling size, block by block.

Before OpenBLAS multiplies, it copies both factors into an order of its own. On processors with
AVX-512 it has a faster way for products of up to a million terms, which takes them as they lie:
several such products take up to a third less time than the one that they are parts of.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# As many terms are multiplied so.
AT_ONCE = 1_000_000
# Of more blocks too much would be read again and again.
_BLOCKS = range(2, 9)


def _is_faster_here() -> bool:
    """Return whether NumPy has OpenBLAS, and a processor with AVX-512 that it is to make use of."""
    if "OPENBLAS_CORETYPE" in os.environ:
        return False
    about: Any = np.show_config(mode="dicts")
    # What is empty is left out, as in a browser.
    blas = about.get("Build Dependencies", {}).get("blas", {}).get("name", "")
    features = about.get("SIMD Extensions", {}).get("found", ())
    return "openblas" in blas and any(
        name == "X86_V4" or name.startswith("AVX512") for name in features
    )


_pays = _is_faster_here()


def _blocks_for(a: Any, b: Any) -> int:
    """Return into how many blocks of rows to cut the first of two matrices; 1 leaves it whole."""
    rows, terms = a.shape
    columns = b.shape[1]
    count = rows * terms * columns
    if not _pays or not AT_ONCE < count <= AT_ONCE * _BLOCKS[-1]:
        return 1
    # What is read across its rows has to be read in long stretches.
    if not b.flags.c_contiguous and terms < 2 * max(rows, columns):
        return 1
    fitting = (n for n in _BLOCKS if rows % n == 0 and count <= n * AT_ONCE)
    return next(fitting, 1)


def product_by_blocks(a: Any, b: Any, order: Any) -> Any:
    """Return the product of two matrices in C or F order."""
    first, second = (b.T, a.T) if order == "F" else (a, b)
    blocks = _blocks_for(first, second)
    if blocks == 1:
        return np.matmul(a, b, order=order)
    whole = np.empty((len(a), b.shape[1]), a.dtype, order)
    rows, terms = first.shape
    parts = (whole.T if order == "F" else whole).reshape(blocks, rows // blocks, -1)
    np.matmul(first.reshape(blocks, rows // blocks, terms), second, out=parts)
    return whole
