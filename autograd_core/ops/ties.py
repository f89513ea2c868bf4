"""Which of equal elements are chosen, and in what order, by `topk`, `kthvalue` and `mode`.

In PyTorch this follows from its sorting algorithms. Only rows with equal elements in question are
sorted by them here: a row is a list of (key, place), and smaller keys come first.
"""

from __future__ import annotations

from heapq import heapify, heappop, heapreplace
from itertools import groupby
from typing import Any

import numpy as np

from autograd_core.ops.extremes import same

_Row = list[tuple[Any, int]]
# Below these lengths, the algorithms use insertion sort.
_FEW_TO_SORT, _FEW_TO_SELECT = 16, 3


def settle_first(array: np.ndarray, order: np.ndarray, k: int, dim: int, largest: bool) -> None:
    """Make the first `k` of `order`, which sorts `array` by `dim`, PyTorch's choice of equals."""
    rows, places = np.moveaxis(array, dim, -1), np.moveaxis(order, dim, -1)
    values = np.take_along_axis(rows, places[..., : k + 1], -1)
    for at in map(tuple, np.argwhere(same(values[..., 1:], values[..., :-1]).any(-1))):
        chosen = first(_ranked(-1 if largest else 1, rows[at]), k)
        places[at][:k] = [place for _, place in chosen]


def settle_kth(array: np.ndarray, places: np.ndarray, k: int, dim: int) -> None:
    """Make `places`, where the k-th elements along `dim` are, PyTorch's choice of equals."""
    rows = np.moveaxis(array, dim, -1)
    values = np.take_along_axis(rows, places[..., None], -1)
    for at in map(tuple, np.argwhere(same(rows, values).sum(-1) > 1)):
        places[at] = kth(_ranked(1, rows[at]), k)[1]


def most_frequent(values: np.ndarray) -> int:
    """Return where PyTorch finds the most frequent value of a row, the smallest of several."""
    row = _numbered(values)
    _sort(row, len(row))
    runs = [list(run) for _, run in groupby(row, key=lambda each: each[0])]
    return max(runs, key=len)[-1][1]


def _numbered(keys: np.ndarray) -> _Row:
    return [(key, place) for place, key in enumerate(keys.tolist())]


def _ranked(sign: int, values: np.ndarray) -> _Row:
    """Return a row whose keys are the ranks of values, nan highest; reversed if `sign` is -1."""
    return _numbered(sign * np.unique(values, return_inverse=True)[1])


def first(row: _Row, k: int) -> _Row:
    """Return the first `k` of a row, equals in the order of C++'s partial_sort or nth_element."""
    if k * 64 > len(row):
        _select(row, k - 1)
        _sort(row, k - 1)
        return row[:k]
    heap: list[Any] = [_LastFirst(each) for each in row[:k]]
    heapify(heap)
    for each in row[k:]:
        if each[0] < heap[0][0]:
            heapreplace(heap, _LastFirst(each))
    return [heappop(heap) for _ in range(k)][::-1]


class _LastFirst(tuple):
    """An element of a heap whose largest comes first; Python's heap and C++'s order them alike."""

    __slots__ = ()

    def __lt__(self, other: Any) -> bool:
        return other[0] < self[0]


def kth(row: _Row, k: int) -> tuple[Any, int]:
    """Return the k-th element of a row in order, as quickselect finds it."""

    def exchange_if_wrong(a: int, b: int) -> None:
        if row[b][0] < row[a][0]:
            row[a], row[b] = row[b], row[a]

    low, high = 0, len(row) - 1
    while high > low + 1:
        middle = (low + high) // 2
        row[middle], row[low + 1] = row[low + 1], row[middle]
        exchange_if_wrong(low + 1, high)
        exchange_if_wrong(low, high)
        exchange_if_wrong(low + 1, low)
        left, right, pivot = low + 1, high, row[low][0]
        while True:
            left += 1
            while row[left][0] < pivot:
                left += 1
            right -= 1
            while pivot < row[right][0]:
                right -= 1
            if right < left:
                break
            row[left], row[right] = row[right], row[left]
        row[low], row[right] = row[right], row[low]
        if right <= k:
            low = left
        if right >= k:
            high = right - 1
    if high == low + 1:
        exchange_if_wrong(low, high)
    return row[k]


def _select(row: _Row, place: int) -> None:
    start, end = 0, len(row)
    while end - start > _FEW_TO_SELECT:
        cut = _divide(row, start, end)
        start, end = (cut, end) if cut <= place else (start, cut)
    _insert_all(row, start, end)


def _sort(row: _Row, count: int) -> None:
    waiting = [(0, count)]
    while waiting:
        start, end = waiting.pop()
        while end - start > _FEW_TO_SORT:
            cut = _divide(row, start, end)
            waiting.append((cut, end))
            end = cut
    _insert_all(row, 0, count)


def _divide(row: _Row, start: int, end: int) -> int:
    """Move what is smaller than the median of three to the left; return where the rest begins."""
    a, b, c = start + 1, start + (end - start) // 2, end - 1
    if row[a][0] < row[b][0]:
        chosen = b if row[b][0] < row[c][0] else c if row[a][0] < row[c][0] else a
    else:
        chosen = a if row[a][0] < row[c][0] else c if row[b][0] < row[c][0] else b
    row[start], row[chosen] = row[chosen], row[start]
    left, right, pivot = start + 1, end, row[start][0]
    while True:
        while row[left][0] < pivot:
            left += 1
        right -= 1
        while pivot < row[right][0]:
            right -= 1
        if left >= right:
            return left
        row[left], row[right] = row[right], row[left]
        left += 1


def _insert_all(row: _Row, start: int, end: int) -> None:
    for place in range(start + 1, end):
        moved = row[place]
        in_front = moved[0] < row[start][0]
        while place > start and (in_front or moved[0] < row[place - 1][0]):
            row[place] = row[place - 1]
            place -= 1
        row[place] = moved
