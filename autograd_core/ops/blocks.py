"""Products of matrices of medium size, block by block.

Before OpenBLAS multiplies, it copies both factors into an order of its own. On processors with
AVX-512 it has a faster way for products of up to a million terms, without these copies: in one
thread, several such products take up to half less time than the one that they are parts of.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

import numpy as np

# How many terms are multiplied this way, and how many results if both factors are read across.
AT_ONCE = 1_000_000
_ACROSS = 1_200
# With more blocks, too much would be read again and again: of factors that neither lie in rows nor
# in columns, as in a weight's gradient, twice as much.
_BLOCKS, _FEWER_BLOCKS = range(2, 17), range(2, 9)


def _is_faster_here() -> bool:
    """Return whether NumPy has OpenBLAS with one thread and a processor with AVX-512.

    Several threads share a large product, but not one that is small enough for the faster way.
    """
    if "OPENBLAS_CORETYPE" in os.environ or _threads() > 1:
        return False
    # The types of NumPy 2.0 know no modes.
    configuration: Any = np.show_config
    about = configuration(mode="dicts")
    # NumPy leaves out empty entries, as in a browser.
    blas = about.get("Build Dependencies", {}).get("blas", {}).get("name", "")
    features = about.get("SIMD Extensions", {}).get("found", ())
    return "openblas" in blas and any(
        name == "X86_V4" or name.startswith("AVX512") for name in features
    )


def _threads() -> int:
    """Return how many threads OpenBLAS has: as the environment says, or one for each processor."""
    for name in ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"):
        told = os.environ.get(name, "")
        if told.isdecimal() and int(told):
            return int(told)
    ours: Any = getattr(os, "sched_getaffinity", None)
    return len(ours(0)) if ours else os.cpu_count() or 1


_pays = _is_faster_here()


@lru_cache
def _cut(rows: int, terms: int, columns: int, in_rows: bool, in_columns: bool) -> tuple[int, int]:
    """Return into how many blocks to cut the rows of a product, and its columns; 1 leaves them.

    A first factor whose rows follow each other in memory is cut into rows, a second one whose
    columns do into columns; where both do or neither does, the longer side is cut.
    """
    count, results = rows * terms * columns, rows * columns
    both = in_rows and in_columns
    blocks = _BLOCKS if in_rows or in_columns else _FEWER_BLOCKS
    fitting = [n for n in blocks if count <= n * AT_ONCE and not (both and results > n * _ACROSS)]
    by_rows = next((n for n in fitting if rows % n == 0), 1)
    by_columns = next((n for n in fitting if columns % n == 0), 1)
    cuts_rows = rows >= columns if in_rows == in_columns else in_rows
    if both and 1 in (by_rows, by_columns):
        return by_rows, by_columns
    return (by_rows, 1) if cuts_rows else (1, by_columns)


def product_by_blocks(a: Any, b: Any, order: Any) -> Any:
    """Return the product of two matrices in C or F order."""
    if not _pays:
        return np.matmul(a, b, order=order)
    whole = np.empty((len(a), b.shape[1]), a.dtype, order)
    first, second, parts = (b.T, a.T, whole.T) if order == "F" else (a, b, whole)
    (rows, terms), columns = first.shape, second.shape[1]
    in_columns = second.flags.f_contiguous
    by_rows, by_columns = _cut(rows, terms, columns, first.flags.c_contiguous, in_columns)
    if by_rows > 1:
        first = first.reshape(by_rows, -1, terms)
        parts = parts.reshape(by_rows, -1, columns)
    elif by_columns > 1:
        second = second.reshape(terms, by_columns, -1).swapaxes(0, 1)
        parts = parts.reshape(rows, by_columns, -1).swapaxes(0, 1)
    elif in_columns and columns > 4 * rows and terms > 2 * rows:
        # A wide second factor that is read across is copied faster as a first one.
        parts[...] = np.matmul(second.T, first.T).T
        return whole
    np.matmul(first, second, out=parts)
    return whole
