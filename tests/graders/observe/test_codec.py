import json
import math
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import autograd_core as torch
from graders.observe import codec
from graders.observe.codec import CodecError, ErrorData, Opaque, TensorData, decode, encode
from graders.observe.spelling import spelled
from graders.verdict import StudentError

ints = st.integers(-(2**63) + 1, 2**63 - 1)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=50).map(spelled)
scalars = st.none() | st.booleans() | ints | st.floats() | text
arrays = hnp.arrays(
    st.sampled_from(sorted(codec.DTYPES)),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)
plain = st.recursive(
    scalars | arrays | st.builds(ErrorData, text, text) | st.builds(Opaque, text, text),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(text | ints, inner, max_size=4)
    ),
    max_leaves=20,
)
json_data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["is", "items", "dtype", "shape", "data", "text", "type", "message"]),
            inner
            | st.sampled_from(
                ["tensor", "array", "list", "tuple", "dict", "float", "opaque", "error", "float32"]
            ),
        )
    ),
)


def alike(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        return one.tobytes() == other.tobytes()
    if isinstance(one, float):
        return isinstance(other, float) and (
            one == other or (math.isnan(one) and math.isnan(other))
        )
    if isinstance(one, list | tuple):
        assert isinstance(other, list | tuple)
        return type(one) is type(other) and all(
            alike(mine, theirs) for mine, theirs in zip(one, other, strict=True)
        )
    if isinstance(one, dict):
        assert isinstance(other, dict)
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


@given(plain)
def test_plain_data_comes_back_as_it_was(value):
    assert alike(value, decode(json.loads(json.dumps(encode(value)))))


@given(arrays)
def test_arrays_come_back_whatever_their_memory_looked_like(array):
    assert alike(np.ascontiguousarray(array.T).reshape(array.T.shape), decode(encode(array.T)))


@settings(max_examples=300)
@given(json_data)
def test_hostile_documents_are_read_or_refused_and_nothing_else(data):
    with suppress(CodecError):
        decode(data)


def test_tensors_come_back_as_copied_values():
    tensor = torch.tensor([1.0, 2.0], requires_grad=True) * 2
    encoded = encode(tensor, torch.Tensor)
    tensor.detach().mul_(0)

    decoded = decode(encoded)

    assert isinstance(decoded, TensorData)
    np.testing.assert_array_equal(decoded.values, np.array([2.0, 4.0], np.float32))


STAYING = {
    "nothing": None,
    "a number": 2.5,
    "a text": "words",
    "a tensor": torch.tensor([[1.0, 2.0]], requires_grad=True),
    "a transposed tensor": torch.tensor([[1, 2], [3, 4]]).T,
    "a parameter": torch.nn.Parameter(torch.ones(2)),
    "tensors in a list": [torch.ones(2), True],
    "too many numbers": torch.zeros(codec.MAX_BYTES),
}


@pytest.mark.parametrize("value", STAYING.values(), ids=STAYING)
def test_what_stays_here_is_as_it_would_come_back(value):
    def shown(data):
        if isinstance(data, list):
            return [shown(each) for each in data]
        return (data.values.dtype, data.values.tolist()) if type(data) is TensorData else data

    encoded = decode(encode(value, torch.Tensor))
    assert shown(codec.plain(value, torch.Tensor)) == shown(encoded)


def test_what_stays_here_is_copied():
    tensor = torch.tensor([1.0, 2.0])
    kept = codec.plain(tensor, torch.Tensor)
    tensor.mul_(0)

    np.testing.assert_array_equal(kept.values, np.array([1.0, 2.0], np.float32))


def test_numpy_numbers_become_python_numbers():
    found = decode(encode([np.float32(0.5), np.int64(3), np.bool_(True)]))

    assert found == [0.5, 3, True]
    assert [type(each) for each in found] == [float, int, bool]


def test_fractions_and_decimals_become_floats():
    assert decode(encode([Fraction(1, 4), Decimal("0.5")])) == [0.25, 0.5]
    assert decode(encode(Decimal("sNaN"))) == Opaque("Decimal", "unreadable")


def test_without_a_tensor_class_a_tensor_is_opaque():
    assert decode(encode(torch.tensor(1.0))) == Opaque("Tensor")


class LyingList(list):
    def __iter__(self):
        return iter([42])

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return 42


class LyingDict(dict):
    def items(self):
        return [("is_leaf", True)]

    def get(self, key, default=None):
        return True


class LyingFloat(float):
    def __float__(self):
        return 42.0

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class LyingInt(int):
    def __int__(self):
        return 42

    def __index__(self):
        return 42


class LyingText(str):
    def __str__(self):
        return "right"


class LyingArray(np.ndarray):
    def __array__(self, *arguments, **options):
        return np.full(3, 42.0)

    def tobytes(self, *arguments):
        return b"\0" * 24


@pytest.mark.parametrize(
    ("liar", "truth"),
    [
        (LyingList([1, 2]), [1, 2]),
        (LyingDict(a=1), {"a": 1}),
        (LyingFloat(1.5), 1.5),
        (LyingInt(7), 7),
        (LyingText("wrong"), "wrong"),
    ],
)
def test_subclasses_cannot_lie_about_their_contents(liar, truth):
    assert decode(encode(liar)) == truth


def test_an_array_subclass_cannot_lie_about_its_contents():
    liar = np.arange(3.0).view(LyingArray)

    np.testing.assert_array_equal(decode(encode(liar)), [0.0, 1.0, 2.0])


class Untouchable:
    def __repr__(self):
        raise RuntimeError

    __eq__ = __hash__ = __getattr__ = __repr__

    @property
    def __class__(self):
        raise RuntimeError


def test_objects_that_raise_when_touched_are_opaque():
    assert decode(encode([Untouchable()])) == [Opaque("Untouchable")]


def test_a_cyclic_list_ends():
    cyclic: list = []
    cyclic.append(cyclic)

    assert "too deep" in json.dumps(encode(cyclic))
    decode(encode(cyclic))


@pytest.mark.parametrize(
    "huge",
    [
        10**400,
        np.zeros(codec.MAX_BYTES),
        [0.0] * (codec.MAX_ITEMS + 1),
        dict.fromkeys(range(codec.MAX_ITEMS + 1)),
        np.zeros((1,) * (codec.MAX_DIMENSIONS + 1)),
        np.array([object()]),
        np.array(["text"]),
        np.array([1j]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_too_large_or_of_another_dtype_is_opaque(huge):
    assert isinstance(decode(encode(huge)), Opaque)


def test_many_arrays_together_stay_within_bounds():
    encoded = json.dumps(encode([np.zeros(10_000)] * 1_000))

    assert len(encoded) < 3 * codec.MAX_BYTES


def test_long_text_is_cut():
    assert decode(encode("a" * 10_000)) == "a" * codec.MAX_TEXT


def test_lone_surrogates_survive_the_way_to_json():
    decode(json.loads(json.dumps(encode("a\ud800b")).encode()))


ARRAY = {"is": "array", "dtype": "float32", "shape": [2], "data": "AAAAAAAAAAA="}


def test_the_array_that_the_next_test_damages_is_sound():
    np.testing.assert_array_equal(decode(ARRAY), [0, 0])


@pytest.mark.parametrize(
    "damage",
    [
        {"dtype": "object"},
        {"dtype": "O"},
        {"dtype": ["float32"]},
        {"dtype": "complex64"},
        {"shape": [3]},
        {"shape": [-2]},
        {"shape": [2.0]},
        {"shape": [True, 2]},
        {"shape": [1] * 40},
        {"shape": [10**9, 10**9]},
        {"shape": [0] + [codec.MAX_BYTES] * 7, "data": ""},
        {"shape": "2"},
        {"data": "AAAA"},
        {"data": "not base64!"},
        {"data": "é"},
        {"data": None},
        {"dtype": "bool", "shape": [8], "data": "AgICAgICAgI="},
    ],
    ids=str,
)
def test_damaged_arrays_are_refused(damage):
    with pytest.raises(CodecError):
        decode({**ARRAY, **damage})


def nested(depth: int) -> dict:
    inner: dict = {"is": "list", "items": []}
    for _ in range(depth):
        inner = {"is": "list", "items": [inner]}
    return inner


@pytest.mark.parametrize(
    "hostile",
    [
        [1, 2],
        10**30,
        float("nan"),
        "a" * (codec.MAX_TEXT + 1),
        nested(50),
        {"is": "list", "items": [0] * (codec.MAX_ITEMS + 1)},
        {"is": "list", "items": [None] * (codec.MAX_ITEMS + 1)},
        {"is": "list", "items": ["a" * codec.MAX_TEXT] * 1_000},
        {"is": "list", "items": {"length": 1}},
        {"is": "dict", "items": [[1, 2, 3]]},
        {"is": "error", "type": 1, "message": ""},
        {"is": "opaque", "type": "x"},
        {"is": "float", "text": "1e5"},
        {"is": ["unhashable"]},
        {"is": "module"},
        {},
    ],
    ids=lambda value: str(value)[:30],
)
def test_hostile_documents_are_refused(hostile):
    with pytest.raises(CodecError):
        decode(hostile)


def test_unhashable_keys_do_no_harm():
    tricky = {"is": "dict", "items": [[{"is": "list", "items": []}, 1]]}

    assert decode(tricky) == {Opaque("list", "as a key"): 1}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2Jb\x00\x9b", "a\\x1b[2Jb\\x00\\x9b"),
        ("\u202egnp.exe\u2028", "\\u202egnp.exe\\u2028"),
        ("two\nlines,\ta tab, Zo\u00eb, \u00a0", "two\nlines,\ta tab, Zo\u00eb, \u00a0"),
    ],
)
def test_what_would_be_obeyed_comes_spelled_out(text, shown):
    error = codec.ErrorData(text, text)

    assert codec.decode(codec.encode(text)) == shown
    assert codec.decode(codec.encode(error)) == codec.ErrorData(shown, shown)
    assert StudentError.from_json({"type": text, "message": text, "source_line": text}) == (
        StudentError(shown, shown, None, shown)
    )
