"""`assert_close`: are two results the same within their precision, and if not, where?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograd_core.creation import as_tensor, tensor
from autograd_core.messages import warn
from autograd_core.ops.quiet import quietly
from autograd_core.tensor import Tensor
from autograd_core.tensors import dtypes

# Relative and absolute tolerance by dtype; others are compared exactly. Numbers count as float64.
_TOLERANCES = {
    dtypes.float16: (1e-3, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
}
# Those of `assert_allclose`.
_TOLERANCES_OF_OLD = {
    dtypes.float16: (1e-3, 1e-3),
    dtypes.float32: (1e-4, 1e-5),
    dtypes.float64: (1e-5, 1e-8),
}
_OLD = (
    "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future "
    "release. Please use `torch.testing.assert_close()` instead. You can find detailed upgrade "
    "instructions in https://github.com/pytorch/pytorch/issues/61844."
)
_NUMBERS = bool | np.bool_ | int | float | np.number


class _Options(NamedTuple):
    """The options of a call of `assert_close`."""

    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_dtype: bool
    check_stride: bool

    def tolerances(self, *kinds: dtypes.dtype) -> tuple[float, float]:
        """Return the tolerances that were given, else the largest of the dtypes' own."""
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        own = [_TOLERANCES.get(kind, (0.0, 0.0)) for kind in kinds]
        return max(rtol for rtol, _ in own), max(atol for _, atol in own)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raise AssertionError unless |actual - expected| <= atol + rtol * |expected| everywhere.

    Takes tensors, arrays, numbers, None, and sequences and mappings of them. The tolerances follow
    from the dtype, unless both are given (ValueError for one alone). TypeError for other types.
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
        )
    options = _Options(allow_subclasses, rtol, atol, equal_nan, check_dtype, check_stride)
    for one, other, place in _pairs(actual, expected, options, ""):
        text = _difference(one, other, options)
        if text:
            text += _at(place)
            raise AssertionError((msg(text) if callable(msg) else msg) if msg else text)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """Raise AssertionError unless two tensors of any dtypes are close; PyTorch would forget it."""
    warn(_OLD, FutureWarning)
    actual = actual if isinstance(actual, Tensor) else tensor(actual)
    expected = expected if isinstance(expected, Tensor) else tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        own = [_TOLERANCES_OF_OLD.get(each.dtype, (0.0, 0.0)) for each in (actual, expected)]
        rtol, atol = map(max, zip(*own, strict=True))
    options: Any = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "msg": msg or None}
    assert_close(actual, expected, check_dtype=False, **options)


def _at(place: str) -> str:
    return f"\n\nThe failure occurred for item {place}" if place else ""


def _pairs(actual: Any, expected: Any, options: _Options, place: str) -> list[Any]:
    """Return the pairs of single values to compare, each with its place."""
    both = actual, expected
    for kind, children in ((Sequence, _items), (Mapping, _entries)):
        if all(isinstance(each, kind) and not isinstance(each, str) for each in both):
            found = []
            for key, one, other in children(actual, expected, place):
                found += _pairs(one, other, options, f"{place}[{key!r}]")
            return found
    if not _are_comparable(actual, expected, options):
        kinds = " and ".join(str(type(each)) for each in both)
        kinds = kinds.replace("autograd_core.tensor.", "torch.").replace("autograd_core", "torch")
        text = f"No comparison pair was able to handle inputs of type {kinds}."
        raise TypeError(text + _at(place))
    return [(actual, expected, place)]


def _items(actual: Any, expected: Any, place: str) -> list[Any]:
    if len(actual) != len(expected):
        raise AssertionError(
            f"The length of the sequences mismatch: {len(actual)} != {len(expected)}" + _at(place)
        )
    return [(i, *pair) for i, pair in enumerate(zip(actual, expected, strict=True))]


def _entries(actual: Any, expected: Any, place: str) -> list[Any]:
    missing, additional = expected.keys() - actual.keys(), actual.keys() - expected.keys()
    if missing or additional:
        raise AssertionError(
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(missing)}\n"
            f"Additional keys in the actual mapping: {sorted(additional)}" + _at(place)
        )
    return [(key, actual[key], expected[key]) for key in actual]


def _are(both: Sequence[Any], kinds: Any) -> bool:
    return all(isinstance(each, kinds) for each in both)


def _are_comparable(actual: Any, expected: Any, options: _Options) -> bool:
    both = actual, expected
    if actual is None or expected is None or _are(both, _NUMBERS):
        return True
    directly = type(actual) is type(expected) or options.allow_subclasses
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    return directly and related and _are(both, Tensor | np.ndarray)


def _difference(actual: Any, expected: Any, options: _Options) -> str:
    """Return a text that says in what two values differ, "" if they do not."""
    # NumPy's numbers count as Python's.
    both = [each.item() if isinstance(each, np.generic) else each for each in (actual, expected)]
    actual, expected = both
    if actual is None or expected is None:
        return "" if actual is expected else f"None mismatch: {actual} is not {expected}"
    if _are(both, bool):
        return "" if actual == expected else f"Booleans mismatch: {actual} is not {expected}"
    if _are(both, _NUMBERS):
        if options.check_dtype and type(actual) is not type(expected):
            return f"The (d)types do not match: {type(actual)} != {type(expected)}."
        kinds = [dtypes.float64 if isinstance(each, float) else dtypes.int64 for each in both]
        return _array_text(np.asarray(actual), np.asarray(expected), options, *kinds)
    one, other = (as_tensor(each).detach() for each in both)
    checks: list[Any] = [("shape", one.shape, other.shape)]
    if options.check_dtype:
        checks.append(("dtype", one.dtype, other.dtype))
    if options.check_stride:
        checks.append(("stride()", one.stride(), other.stride()))
    for name, left, right in checks:
        if left != right:
            return f"The values for attribute '{name}' do not match: {left} != {right}."
    common = dtypes.wider(one.dtype, other.dtype).numpy
    a, b = one.memory().astype(common), other.memory().astype(common)
    return _array_text(a, b, options, one.dtype, other.dtype)


@quietly
def _array_text(a: Any, b: Any, options: _Options, *kinds: dtypes.dtype) -> str:
    rtol, atol = options.tolerances(*kinds)
    close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if close.all():
        return ""
    what, found, *gaps = _elements(a, b, ~close) if a.ndim else _numbers(a.item(), b.item())
    if rtol == atol == 0:
        return "\n".join([f"{what} are not equal!\n", found, *gaps])
    allowed = [
        f"{gap} (up to {most} allowed)" for gap, most in zip(gaps, (atol, rtol), strict=True)
    ]
    return "\n".join([f"{what} are not close!\n", found, *allowed])


def _numbers(actual: Any, expected: Any) -> tuple[str, ...]:
    """Return the lines that say what is not close, and the absolute and relative difference."""
    gap = abs(actual - expected)
    relative = float("inf") if expected == 0 else abs(gap / expected)
    found = f"Expected {expected} but got {actual}."
    return "Scalars", found, f"Absolute difference: {gap}", f"Relative difference: {relative}"


def _elements(a: Any, b: Any, wrong: Any) -> tuple[str, ...]:
    """As `_numbers`, for tensors; only elements that are `wrong` count."""
    if a.dtype.kind != "f":
        a, b = a.astype(np.int64), b.astype(np.int64)
    gap = np.abs(a - b)
    ratio = (gap / np.abs(b)).astype(a.dtype if a.dtype.kind == "f" else np.float32)
    gaps = []
    for name, values in (("absolute", gap), ("relative", ratio)):
        values = np.where(wrong, values, 0)
        place = tuple([int(i) for i in np.unravel_index(int(np.argmax(values)), values.shape)])
        gaps.append(f"Greatest {name} difference: {values[place].item()} at index {place}")
    count = int(wrong.sum())
    found = f"Mismatched elements: {count} / {wrong.size} ({count / wrong.size:.1%})"
    return "Tensor-likes", found, *gaps
