import numpy as np
import pytest

import autograd_core as torch
from graders.judging.closeness import MISSING, meant, same, same_failure
from graders.observe.codec import ErrorData, Opaque, TensorData


def tensor(*values, dtype=np.float32):
    return TensorData(np.array(values, dtype))


def number(value, dtype=np.float32):
    return TensorData(np.array(value, dtype))


@pytest.mark.parametrize(
    "answer",
    [
        12,
        12.0,
        12.0004,
        number(12.0),
        np.array(12),
        number(12, int),
        tensor(12.0),
        np.array([[12]]),
    ],
)
def test_a_number_may_be_of_any_type_and_is_rounded_fairly(answer):
    assert same(answer, 12.0)


@pytest.mark.parametrize(
    "answer",
    [12.01, "12", None, [12], tensor(12.0, 12.0), tensor(), float("nan"), MISSING, Opaque("x")],
)
def test_other_values_are_not_that_number(answer):
    assert not same(answer, 12.0)


def test_truth_values_may_be_numbers():
    assert same(1, True)
    assert same(np.array(False), False)
    assert not same("True", True)
    assert not same(None, False)


@pytest.mark.parametrize(
    ("text", "expected", "number"),
    [
        (" 48 ", 48.0, 48),
        ("-0.5769", 1.0, -0.5769),
        ("1e2", 7, 100),
        ("True", True, True),
        ("48.", 48, 48),
        ("-.5", 1.0, -0.5),
        ("'False'.", True, False),
        ("\uff14\uff18", 48, 48),
        ("\u22122", 1, -2),
    ],
)
def test_a_number_written_as_a_text_is_meant_as_one(text, expected, number):
    assert meant(text, expected) == number


@pytest.mark.parametrize(
    ("answer", "expected", "told"),
    [
        ([48.0], 48.0, 48.0),
        ((["48"],), 48.0, 48.0),
        ([True], True, True),
        (["works"], "error", "works"),
        ([1, 2], 1.0, [1, 2]),
        ([], 1.0, []),
        ([1], [1], [1]),
        (([1, "2."],), [1, 2], [1, 2]),
        ([[1], [2]], [1, 2], [1, 2]),
        ([1, 2, 3], [1, 2], [1, 2, 3]),
        ({"a": 1}, 1, {"a": 1}),
    ],
)
def test_an_answer_may_stand_alone_in_a_list_or_tuple(answer, expected, told):
    assert meant(answer, expected) == told


@pytest.mark.parametrize(
    "text",
    ["error", "None", "4 8", "1_0", "nan", "inf", "1" * 400, "\u0664", ".", "4 or 8", "4\u00b2"],
)
def test_other_texts_are_left_as_they_are(text):
    assert meant(text, 1.0) == text
    assert meant("true", 1.0) == "true"


def test_texts_are_compared_without_case_and_margins():
    assert same(" Works ", "works")
    assert not same("raises", "works")


def test_float32_tensors_agree_within_rounding_of_their_magnitude():
    assert same(tensor(1000.0, 0.001), tensor(1000.005, 0.0))
    assert not same(tensor(1000.0, 1.0), tensor(1000.1, 1.0))
    assert not same(tensor(1.0, 1.0), tensor(1.0, 1.0001))


def test_float64_tensors_are_held_to_their_precision():
    one = tensor(1.0, dtype=np.float64)

    assert same(tensor(1.0 + 1e-12, dtype=np.float64), one)
    assert not same(tensor(1.0 + 1e-6, dtype=np.float64), one)
    assert same(tensor(1.0 + 1e-6), one)


def test_half_precision_is_fair_only_where_it_is_expected():
    half, single = tensor(2.0, dtype=np.float16), tensor(2.0)
    off = tensor(2.008, dtype=np.float16)

    assert same(off, half)
    assert same(half, single)
    assert not same(off, single)


def test_shape_and_kind_of_a_tensor_count():
    assert not same(tensor(1.0), number(1.0))
    assert not same(tensor(1, dtype=np.int64), tensor(1.0))
    assert not same(np.array([1.0], np.float32), tensor(1.0))
    assert same(tensor(), tensor())


def test_nan_and_infinity_have_to_be_where_they_are_expected():
    assert same(tensor(np.nan, np.inf), tensor(np.nan, np.inf))
    assert not same(tensor(np.nan, 1.0), tensor(1.0, 1.0))
    assert not same(tensor(np.inf), tensor(-np.inf))


def test_containers_are_compared_item_by_item():
    assert same([1, tensor(2.0)], (1.0, tensor(2.0)))
    assert not same([1, 2], [2, 1])
    assert not same([1], [1, 2])
    assert same({"a": 1}, {"a": 1.0})
    assert not same({"a": 1}, {"b": 1})


STALE = "one of the variables … modified by an inplace operation: [torch.FloatTensor [{}]], {}"


def test_errors_are_the_same_if_their_type_and_cause_are():
    assert same(
        ErrorData("RuntimeError", STALE.format(3, "of Mul")),
        ErrorData("RuntimeError", STALE.format(2, "of Add")),
    )
    assert not same(ErrorData("RuntimeError", "other"), ErrorData("RuntimeError", STALE))
    assert not same(ErrorData("ValueError", STALE), ErrorData("RuntimeError", STALE))
    assert not same("no error", ErrorData("RuntimeError", STALE))


def test_failures_are_alike_up_to_names_of_nodes_versions_and_addresses():
    one = ErrorData("RuntimeError", "function SquareBackward at 0x7f2 returned 2, at version 3")
    other = ErrorData("RuntimeError", "function Mine2Backward at 0x3ab returned 2, at version 4")
    view = ErrorData("RuntimeError", "Output 0 of AddOne_ is a view and is being modified inplace.")
    mine = ErrorData("RuntimeError", "Output 0 of Mine is a view and is being modified inplace.")
    assert same(view, mine)

    assert same_failure(one, other)
    assert not same_failure(one, ErrorData("RuntimeError", one.message.replace("2,", "1,")))
    assert not same_failure(one, ErrorData("TypeError", one.message))
    assert not same_failure("no error", other)


def test_a_hook_that_returns_no_tensor_fails_alike_whatever_it_returns():
    told = "expected Variable, but hook returned '{}'"

    assert same_failure(*(ErrorData("TypeError", told.format(kind)) for kind in ("list", "bool")))


def test_a_method_of_any_class_fails_alike_on_the_same_number_of_arguments():
    told = "{}.{}() takes 2 positional arguments but {} were given"
    names = ("Sort", "backward", 3), ("made.<locals>.Mine", "backward", 3), ("Sort", "forward", 3)
    one, alike, other = (ErrorData("TypeError", told.format(*each)) for each in names)

    assert same_failure(one, alike)
    assert not same_failure(one, other)
    assert not same_failure(one, ErrorData("TypeError", told.format("Sort", "backward", 4)))


def test_a_tuple_in_the_place_of_a_tensor_fails_alike_in_every_operation():
    (x,) = saved = (torch.tensor([1.0, 2.0]),)
    operations = (
        lambda: x * saved,
        lambda: 2.0 * saved,
        lambda: saved**2,
        lambda: saved + 1,
        lambda: 1 - saved,
        lambda: -saved,
        lambda: saved > 0,
        lambda: saved.sin(),
        lambda: torch.sin(saved),
    )
    first, *others = map(raised_by, operations)

    assert all(same_failure(first, each) for each in others)
    assert not same_failure(first, raised_by(lambda: x ** [2]))
    assert not same_failure(first, raised_by(lambda: saved()))
    assert not same_failure(first, ErrorData("TypeError", "apply returned a tuple, not a Tensor"))


def test_errors_with_the_same_meaning_are_one_whichever_operation_met_it():
    gone, no_leaf = "(a gradient is None: it is gone)", "(a gradient is None: it is no leaf)"
    one = ErrorData("TypeError", f"unsupported operand {gone}")
    other = ErrorData("AttributeError", f"no attribute 'mul' {gone}")

    assert same_failure(one, other)
    assert not same_failure(one, ErrorData("TypeError", f"unsupported operand {no_leaf}"))


def raised_by(action):
    try:
        action()
    except Exception as error:
        return ErrorData(type(error).__name__, str(error))


def test_too_many_gradients_are_no_too_few():
    def counted(expected, got):
        words = "function TwiceBackward returned an incorrect number of gradients"
        return ErrorData("RuntimeError", f"{words} (expected {expected}, got {got})")

    assert same_failure(counted(3, 2), counted(2, 1))
    assert not same_failure(counted(2, 3), counted(2, 1))
