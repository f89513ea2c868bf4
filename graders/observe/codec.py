"""Plain data to JSON and back: the only format in which the student's side sends data to the judge.

`encode` runs in the process of the student's code. It reads values with base-class methods, so that
a subclass cannot lie about its contents. `decode` runs on the trusted side: it trusts nothing,
builds plain data only, and raises `CodecError` for anything odd.
"""

from __future__ import annotations

import binascii
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.observe.spelling import spelled

MAX_DEPTH = 8
MAX_ITEMS = 20_000
MAX_TEXT = 2_000
MAX_BYTES = 1 << 19
MAX_DIMENSIONS = 8
MAX_INT = 1 << 63
EXACT_NUMBERS = frozenset({("fractions", "Fraction"), ("decimal", "Decimal")})
"""Numbers that are sent as floats; found by name, to avoid importing their modules."""

DTYPES = frozenset(
    {"bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"}
)
_SENT_AS = {name: np.dtype(name).newbyteorder("<") for name in DTYPES}
_NAMES = {
    either: name for name, dtype in _SENT_AS.items() for either in (dtype, dtype.newbyteorder())
}


class CodecError(ValueError):
    """The data is not what `encode` writes, or exceeds its bounds."""


@dataclass(frozen=True, eq=False)
class TensorData:
    """The values of a tensor, copied when it was recorded."""

    values: np.ndarray


@dataclass(frozen=True)
class ErrorData:
    """An exception that was raised: its type's name and its text."""

    type: str
    message: str


@dataclass(frozen=True)
class Opaque:
    """Something that is not plain data, or too large: its type's name and why it was not sent."""

    type: str
    why: str = ""


class _Budget:
    """How many more items and bytes one document may contain."""

    def __init__(self) -> None:
        self._items = MAX_ITEMS
        self._bytes = MAX_BYTES

    def spend(self, size: int = 0) -> bool:
        """Count one more item of `size` bytes, and return whether it is within bounds."""
        self._items -= 1
        if size > self._bytes:
            return False
        self._bytes -= size
        return self._items >= 0


def encode(value: object, tensor_type: type | None = None) -> Any:
    """Return `value` as JSON data; `tensor_type` is the class whose instances are tensors.

    Never raises: what is not plain data, is cyclic, too deep or too large becomes an `Opaque`.
    """
    try:
        return _encode(value, tensor_type, _Budget(), 0)
    except Exception:
        return _opaque(type(value), "unreadable")


def _encode(value: Any, tensor_type: type | None, budget: _Budget, depth: int) -> Any:
    # `type(value)` cannot be overridden by the object, unlike `isinstance` and `__class__`.
    kind = type(value)
    if value is None or kind is bool:
        return value
    if not budget.spend() or depth > MAX_DEPTH:
        return _opaque(kind, "too large" if depth <= MAX_DEPTH else "too deep")
    if tensor_type is not None and issubclass(kind, tensor_type):
        base: Any = tensor_type
        return _encode_array("tensor", base.numpy(base.detach(value)), kind, budget)
    if issubclass(kind, np.ndarray):
        return _encode_array("array", np.ndarray.view(value, np.ndarray), kind, budget)
    if issubclass(kind, np.bool_):
        return bool(value)
    if issubclass(kind, np.integer):
        return _encode_int(int(np.asarray(value)), kind)
    if issubclass(kind, np.floating):
        return _encode_float(float(np.asarray(value)))
    if issubclass(kind, int):
        return _encode_int(int.__add__(value, 0), kind)
    if issubclass(kind, float):
        return _encode_float(float.__add__(value, 0.0))
    if issubclass(kind, str):
        text = _text(str.__getitem__(value, slice(0, MAX_TEXT)))
        return text if budget.spend(len(text)) else _opaque(kind, "too large")
    if issubclass(kind, TensorData):
        return _encode_array("tensor", value.values, kind, budget)
    if issubclass(kind, ErrorData):
        return {"is": "error", "type": _text(value.type), "message": _text(value.message)}
    if issubclass(kind, Opaque):
        return {"is": "opaque", "type": _text(value.type), "why": _text(value.why)}
    if issubclass(kind, list | tuple):
        base = list if issubclass(kind, list) else tuple
        if base.__len__(value) > MAX_ITEMS:
            return _opaque(kind, "too large")
        items = [_encode(each, tensor_type, budget, depth + 1) for each in base.__iter__(value)]
        return {"is": base.__name__, "items": items}
    if issubclass(kind, dict):
        if dict.__len__(value) > MAX_ITEMS:
            return _opaque(kind, "too large")
        pairs = [
            [_encode(each, tensor_type, budget, depth + 1) for each in pair]
            for pair in dict.items(value)
        ]
        return {"is": "dict", "items": pairs}
    if _names_of(kind) in EXACT_NUMBERS:
        return _encode_float(float(value))
    return _opaque(kind, "")


def _names_of(kind: type) -> tuple[object, object]:
    told = type.__getattribute__
    return told(kind, "__module__"), told(kind, "__name__")


def _opaque(kind: type, why: str) -> dict[str, str]:
    return {"is": "opaque", "type": _text(type.__getattribute__(kind, "__name__")), "why": why}


def _text(text: str) -> str:
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _encode_int(value: int, kind: type) -> Any:
    return value if -MAX_INT < value < MAX_INT else _opaque(kind, "too large")


def _encode_float(value: float) -> Any:
    return value if math.isfinite(value) else {"is": "float", "text": repr(value)}


def _encode_array(tag: str, array: np.ndarray, kind: type, budget: _Budget) -> dict[str, Any]:
    array = np.asarray(array)
    name = _NAMES.get(array.dtype)
    if name is None or array.ndim > MAX_DIMENSIONS:
        return _opaque(kind, f"of dtype {array.dtype.name}")
    if not budget.spend(array.nbytes):
        return _opaque(kind, f"of shape {array.shape}, too large")
    data = array.astype(_SENT_AS[name], copy=False).tobytes()
    return {
        "is": tag,
        "dtype": name,
        "shape": list(array.shape),
        "data": binascii.b2a_base64(data, newline=False).decode("ascii"),
    }


def plain(value: object, tensor_type: Any = None) -> Any:
    """Return `value` encoded and decoded, for values that never leave the trusted side."""
    kind: Any = type(value)
    if value is None or kind is bool or (type(value) is int and -MAX_INT < value < MAX_INT):
        return value
    if tensor_type is not None and kind is tensor_type:
        array = kind.numpy(kind.detach(value))
        known = array.dtype in _NAMES and array.ndim <= MAX_DIMENSIONS
        if known and array.nbytes <= MAX_BYTES:
            return TensorData(array.copy())
    return decode(encode(value, tensor_type))


def decode(data: object) -> Any:
    """Return the plain data that `encode` wrote; CodecError for anything else.

    Tensors come back as `TensorData`, arrays as fresh `ndarray`s, NumPy numbers as Python's.
    """
    return _decode(data, _Budget(), 0)


def _decode(data: Any, budget: _Budget, depth: int) -> Any:
    if data is None or data is True or data is False:
        return data
    if not budget.spend() or depth > MAX_DEPTH + 1:
        raise CodecError("too large or too deep")
    if type(data) is int:
        return _checked(data, -MAX_INT < data < MAX_INT, "integer too large")
    if type(data) is float:
        return _checked(data, math.isfinite(data), "number not finite")
    if type(data) is str:
        fits = len(data) <= MAX_TEXT and budget.spend(len(data))
        return spelled(_checked(data, fits, "text too long"))
    if type(data) is not dict:
        raise CodecError(f"unexpected {type(data).__name__}")
    return _decode_tagged(data, budget, depth)


def _decode_tagged(data: dict[str, Any], budget: _Budget, depth: int) -> Any:
    tag = data.get("is")
    if tag == "float" and data.get("text") in ("nan", "inf", "-inf"):
        return float(data["text"])
    if tag in ("tensor", "array"):
        array = _decode_array(data, budget)
        return TensorData(array) if tag == "tensor" else array
    if tag == "error":
        return ErrorData(_string(data, "type"), _string(data, "message"))
    if tag == "opaque":
        return Opaque(_string(data, "type"), _string(data, "why"))
    if tag in ("list", "tuple", "dict") and type(data.get("items")) is list:
        if len(data["items"]) > MAX_ITEMS:
            raise CodecError("too many items")
        if tag == "dict":
            return _decode_dict(data["items"], budget, depth)
        items = [_decode(each, budget, depth + 1) for each in data["items"]]
        return items if tag == "list" else tuple(items)
    raise CodecError("unknown kind of value")


def _checked(value: Any, holds: bool, problem: str) -> Any:
    if not holds:
        raise CodecError(problem)
    return value


def _string(data: dict[str, Any], key: str) -> str:
    text = data.get(key)
    if type(text) is not str or len(text) > MAX_TEXT:
        raise CodecError(f"{key} is no short text")
    return spelled(text)


def _decode_dict(pairs: list[Any], budget: _Budget, depth: int) -> dict[Any, Any]:
    decoded: dict[Any, Any] = {}
    for pair in pairs:
        if type(pair) is not list or len(pair) != 2:
            raise CodecError("a dict's item is no pair")
        key = _decode(pair[0], budget, depth + 1)
        if not isinstance(key, str | int | float | bool | None | Opaque):
            key = Opaque(type(key).__name__, "as a key")
        decoded[key] = _decode(pair[1], budget, depth + 1)
    return decoded


def _decode_array(data: dict[str, Any], budget: _Budget) -> np.ndarray:
    name, text = data.get("dtype"), data.get("data")
    shape: Any = data.get("shape")
    if type(name) is not str or name not in DTYPES:
        raise CodecError("dtype not allowed")
    _check_shape(shape)
    dtype = _SENT_AS[name]
    expected = math.prod(shape) * dtype.itemsize
    if type(text) is not str or len(text) > 2 * MAX_BYTES or not budget.spend(expected):
        raise CodecError("array too large")
    try:
        raw = binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        raise CodecError("array data is no base64") from None
    if len(raw) != expected:
        raise CodecError("array data does not fit its shape")
    if name == "bool" and raw.strip(b"\x00\x01"):
        raise CodecError("array data is no truth values")
    return np.frombuffer(raw, dtype=dtype).astype(name).reshape(shape)


def _check_shape(shape: object) -> None:
    if type(shape) is not list or len(shape) > MAX_DIMENSIONS:
        raise CodecError("bad shape")
    size = 1
    for length in shape:
        if type(length) is not int or not 0 <= length <= MAX_BYTES:
            raise CodecError("bad shape")
        # Count 0 as 1: an array without elements must not be huge in its other dimensions either.
        size *= length or 1
    if size > MAX_BYTES:
        raise CodecError("array too large")
