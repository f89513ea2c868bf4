"""Which of equal elements are chosen, and in what order, by `topk`, `kthvalue` and `mode`.

PyTorch leaves that to the algorithms that it sorts with. Only where equals come into question is it
done as they do: a row is a list of (value, index), and `before(a, b)` compares values alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np

_Row = list[tuple[Any, int]]
_Before = Callable[[Any, Any], bool]
# Below these lengths the algorithms insert instead of dividing.
_FEW_TO_SORT, _FEW_TO_SELECT = 16, 3


def settle_first(array: np.ndarray, order: np.ndarray, k: int, dim: int, largest: bool) -> None:
    """Put in `order`, which sorts `array` along `dim`, the first `k` as PyTorch orders equals."""
    rows, places = np.moveaxis(array, dim, -1), np.moveaxis(order, dim, -1)
    values = np.take_along_axis(rows, places[..., : k + 1], -1)
    before = _is_larger if largest else _is_smaller
    for row in map(tuple, np.argwhere(_same(values[..., 1:], values[..., :-1]).any(-1))):
        chosen = first(list(zip(rows[row].tolist(), count(), strict=False)), k, before)
        places[row][:k] = [place for _, place in chosen]


def settle_kth(array: np.ndarray, places: np.ndarray, k: int, dim: int) -> None:
    """Put in `places`, each that of the element k of a row along `dim`, PyTorch's of its equals."""
    rows = np.moveaxis(array, dim, -1)
    values = np.take_along_axis(rows, places[..., None], -1)
    for row in map(tuple, np.argwhere(_same(rows, values).sum(-1) > 1)):
        places[row] = kth(list(zip(rows[row].tolist(), count(), strict=False)), k, _is_smaller)[1]


def most_frequent(values: np.ndarray) -> int:
    """Return where PyTorch finds the most frequent of a row, the smallest of several."""
    row = list(zip(values.tolist(), count(), strict=False))
    _sort(row, len(row), lambda a, b: a[0] < b[0])
    most, length, place = 0, 0, 0
    for here, after in zip(row, [*row[1:], None], strict=True):
        length += 1
        if after is None or after[0] != here[0]:
            if length > most:
                most, place = length, here[1]
            length = 0
    return place


def _same(a: np.ndarray, b: np.ndarray) -> Any:
    return (a == b) | ((a != a) & (b != b))


def _is_larger(a: Any, b: Any) -> bool:
    return a[0] > b[0] or (a[0] != a[0] and b[0] == b[0])


def _is_smaller(a: Any, b: Any) -> bool:
    return a[0] < b[0] or (a[0] == a[0] and b[0] != b[0])


def first(row: _Row, k: int, before: _Before) -> _Row:
    """Return the first `k` of a row in order, equals as C++'s partial_sort or nth_element do."""
    if k * 64 <= len(row):
        _select_by_heap(row, k, len(row), 0, before)
        for last in range(k - 1, 0, -1):
            _pop(row, 0, last, last, before)
    elif k:
        _select(row, k - 1, before)
        _sort(row, k - 1, before)
    return row[:k]


def kth(row: _Row, k: int, before: _Before) -> tuple[Any, int]:
    """Return the element at place `k` of a row in order, as quickselect finds it."""

    def exchange_if_wrong(a: int, b: int) -> None:
        if before(row[b], row[a]):
            row[a], row[b] = row[b], row[a]

    low, high = 0, len(row) - 1
    while high > low + 1:
        middle = (low + high) // 2
        row[middle], row[low + 1] = row[low + 1], row[middle]
        exchange_if_wrong(low + 1, high)
        exchange_if_wrong(low, high)
        exchange_if_wrong(low + 1, low)
        left, right, pivot = low + 1, high, row[low]
        while True:
            left += 1
            while before(row[left], pivot):
                left += 1
            right -= 1
            while before(pivot, row[right]):
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


def _select(row: _Row, place: int, before: _Before) -> None:
    start, end, depth = 0, len(row), 2 * (len(row).bit_length() - 1)
    while end - start > _FEW_TO_SELECT:
        if not depth:
            _select_by_heap(row, place + 1, end, start, before)
            row[start], row[place] = row[place], row[start]
            return
        depth -= 1
        cut = _divide(row, start, end, before)
        start, end = (cut, end) if cut <= place else (start, cut)
    _insert_all(row, start, end, before)


def _sort(row: _Row, count: int, before: _Before) -> None:
    waiting = [(0, count, 2 * (count.bit_length() - 1))]
    while waiting:
        start, end, depth = waiting.pop()
        while end - start > _FEW_TO_SORT:
            if not depth:
                _select_by_heap(row, end, end, start, before)
                for last in range(end - 1, start, -1):
                    _pop(row, start, last, last, before)
                break
            depth -= 1
            cut = _divide(row, start, end, before)
            waiting.append((cut, end, depth))
            end = cut
    _insert_all(row, 0, count, before)


def _divide(row: _Row, start: int, end: int, before: _Before) -> int:
    """Move what comes before the median of three to the left; return where the rest begins."""
    a, b, c = start + 1, start + (end - start) // 2, end - 1
    if before(row[a], row[b]):
        chosen = b if before(row[b], row[c]) else c if before(row[a], row[c]) else a
    else:
        chosen = a if before(row[a], row[c]) else c if before(row[b], row[c]) else b
    row[start], row[chosen] = row[chosen], row[start]
    left, right, pivot = start + 1, end, row[start]
    while True:
        while before(row[left], pivot):
            left += 1
        right -= 1
        while before(pivot, row[right]):
            right -= 1
        if left >= right:
            return left
        row[left], row[right] = row[right], row[left]
        left += 1


def _insert_all(row: _Row, start: int, end: int, before: _Before) -> None:
    for place in range(start + 1, end):
        moved = row[place]
        in_front = before(moved, row[start])
        while place > start and (in_front or before(moved, row[place - 1])):
            row[place] = row[place - 1]
            place -= 1
        row[place] = moved


def _select_by_heap(row: _Row, middle: int, end: int, start: int, before: _Before) -> None:
    """Collect in row[start:middle] what comes first, as a heap with the last of it in front."""
    length = middle - start
    for parent in range(length // 2 - 1, -1, -1):
        _sift(row, start, parent, length, row[start + parent], before)
    for place in range(middle, end):
        if before(row[place], row[start]):
            _pop(row, start, middle, place, before)


def _pop(row: _Row, start: int, end: int, place: int, before: _Before) -> None:
    moved, row[place] = row[place], row[start]
    _sift(row, start, 0, end - start, moved, before)


def _sift(
    row: _Row, start: int, hole: int, length: int, moved: tuple[Any, int], before: _Before
) -> None:
    top, child = hole, hole
    while child < (length - 1) // 2:
        child = 2 * child + 2
        if before(row[start + child], row[start + child - 1]):
            child -= 1
        row[start + hole], hole = row[start + child], child
    if length % 2 == 0 and child == (length - 2) // 2:
        child = 2 * child + 1
        row[start + hole], hole = row[start + child], child
    while hole > top and before(row[start + (hole - 1) // 2], moved):
        row[start + hole] = row[start + (hole - 1) // 2]
        hole = (hole - 1) // 2
    row[start + hole] = moved
