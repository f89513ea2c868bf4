import numpy as np
import pytest

from graders.inputs import case
from graders.judging.closeness import MISSING
from graders.judging.diagnosis import (
    EXCEPTION,
    Deviation,
    describe_values,
    diagnose,
    incomplete,
    is_ground_alone,
    most_telling,
    show,
)
from graders.judging.relation import constant_factor, relate
from graders.observe.codec import ErrorData, Opaque, TensorData

G = np.float32([1.5, -1.25, 1.75])
EXPECTED = np.float32([2.0, 3.0, -4.0])
SQUARE = np.float32([[1, 2], [3, 4]])


def gradient(observed, expected=EXPECTED, upstream=None):
    def data(value):
        return TensorData(value) if isinstance(value, np.ndarray) else value

    return Deviation("a vector: gradient of x", data(observed), data(expected), upstream)


@pytest.mark.parametrize(
    ("observed", "expected", "upstream", "words"),
    [
        (-EXPECTED, EXPECTED, G, "has the wrong sign"),
        (EXPECTED * 2, EXPECTED, None, "is twice what it should be"),
        (EXPECTED / 2, EXPECTED, None, "is half of what it should be"),
        (EXPECTED / 3, EXPECTED, None, "is a third of what it should be"),
        (EXPECTED * 1.7, EXPECTED, None, "is 1.7 times what it should be"),
        (
            EXPECTED / np.log(10),
            EXPECTED,
            None,
            "is 0.4343 times (as with a logarithm to base 10) what it should be",
        ),
        (np.sqrt(np.abs(EXPECTED)), np.abs(EXPECTED), None, "is the square root of what it should"),
        (EXPECTED**2, np.abs(EXPECTED), None, "is the square of what it should be"),
        (EXPECTED / G, EXPECTED, G, "lacks the factor that arrives from above"),
        (EXPECTED * G, EXPECTED, G, "contains the factor `grad_output` twice"),
        (G, EXPECTED, G, "is `grad_output` itself"),
        (EXPECTED / G * 2, EXPECTED, G, "from above, and besides is twice"),
        (EXPECTED / -G, EXPECTED, G, "above, and besides has the wrong sign"),
        (G * 5, EXPECTED, G, "is 5 times `grad_output` in every element"),
        (EXPECTED / G + G, EXPECTED, G, "is the slope plus `grad_output`"),
        (EXPECTED + 1, EXPECTED, None, "is too large by 1, by the same amount"),
        (EXPECTED - 0.5, EXPECTED, None, "is too small by 0.5, by the same amount"),
        (np.abs(EXPECTED), EXPECTED, None, "the wrong sign in 1 of 3 elements, first at [2]"),
        (EXPECTED * 0, EXPECTED, G, "is zero everywhere"),
        (EXPECTED * np.float32(np.nan), EXPECTED, None, "contains nan or infinity"),
        (EXPECTED[::-1], EXPECTED, None, "has the right numbers in the wrong order"),
        (np.float32([2, 4, -4]), EXPECTED, None, "is right in 2 of 3 elements; at [1] it is 4"),
        (np.float32([3, 6, -13]), EXPECTED, None, "is not right: at [0] it is 3, where 2 is"),
        (np.float32([3, 6, -13]), EXPECTED, None, "expected (1.5 times as much)"),
        # Each of them by so little that a number alone would pass.
        (np.float32([2.00008, 2.99985, -4]), EXPECTED, None, "is off by more than rounding."),
        (EXPECTED.astype(int), EXPECTED, None, "has dtype int64, where float32 is needed"),
        (SQUARE.T, SQUARE, None, "is transposed"),
        (EXPECTED[None].T @ SQUARE[:1], SQUARE, None, "has shape (3, 2), where (2, 2) is needed."),
        (np.float32([[1, 2, -4], [1, 1, 0]]), EXPECTED, None, "broadcast in forward has to be"),
        (np.float32([[1, 2, 3]]), np.float32([[6]]), None, "broadcast in forward has to be"),
        (np.float32([[1, 2], [3, 4], [5, 6]]).T, np.float32([[1, 2], [3, 4], [5, 6]]), None,
         "is transposed"),
        (np.float32(5), np.float32(3), None, "is 5, where 3 is expected"),
        (np.float32(6), np.float32(3), None, "is twice what it should be"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)  # fmt: skip
def test_the_way_in_which_an_array_is_off_is_named(observed, expected, upstream, words):
    assert words in relate(np.asarray(observed, observed.dtype), expected, upstream, gradient=True)


def test_an_error_that_is_lacking_is_asked_for():
    assert diagnose(Deviation(EXCEPTION, MISSING, ErrorData("RuntimeError", ""))) == (
        "The code should have stopped with an error here, and did not."
    )


def test_the_gradient_of_another_input_is_called_by_its_name():
    assert relate(G, EXPECTED, None, {"gradient of y": G}) == (
        "is what the gradient of y should be. Perhaps the two are swapped."
    )
    assert relate(G, EXPECTED, None, {"input x": G}) == "is still the input x, unchanged."


def test_an_error_without_words_is_told_without_words():
    told = diagnose(Deviation(EXCEPTION, ErrorData("NotImplementedError", ""), MISSING))

    assert told == "The code stopped with `NotImplementedError`."


def test_a_plain_zero_is_no_way_that_was_cut():
    told = diagnose(Deviation("a product: number of leaves", 0, 2))

    assert told == "For a product, the number of leaves is 0, where 2 is expected."


def test_a_missing_gradient_is_called_by_its_name():
    told = diagnose(Deviation("a number: second gradient of x", None, TensorData(EXPECTED)))

    assert told == "For a number, no second gradient arrives at x: it is None."


def test_a_single_element_proves_only_simple_factors():
    assert constant_factor(np.float32(4), np.float32(2)) == 2
    assert constant_factor(np.float32(3.4), np.float32(2)) is None
    assert constant_factor(np.float32([3.4, 1.7]), np.float32([2, 1])) == pytest.approx(1.7)
    assert constant_factor(np.float32([0, 0]), np.float32([2, 1])) is None
    assert constant_factor(np.float32([1, 1]), np.float32([0, 0])) is None


def test_a_diagnosis_says_for_which_case_and_which_value():
    assert diagnose(gradient(EXPECTED / 2)) == (
        "For a vector, the gradient of x is half of what it should be, in every element."
    )


def test_a_gradient_that_does_not_arrive_is_named():
    assert diagnose(gradient(None)) == "For a vector, no gradient arrives at x: it is None."


def test_what_is_no_gradient_of_something_does_not_arrive_there():
    missing = Deviation("a result: gradient in the first entry", None, TensorData(EXPECTED))

    assert diagnose(missing) == (
        "For a result, the gradient in the first entry is None, where a tensor is needed."
    )


def test_several_numbers_are_named_in_the_plural():
    listed = Deviation("a product: numbers in the leaves", [1], [1, 2])

    assert diagnose(listed) == (
        "For a product, this is not as it should be: the numbers in the leaves."
    )


def test_of_several_statements_on_one_thing_the_one_that_does_not_hold_is_told():
    memory = "a vector: memory of the call"
    ground = TensorData(EXPECTED)
    observed = {"is the input alone": True, "gradient": ground}
    kept = Deviation(memory, observed, {"is the input alone": False, "gradient": ground})
    lost = Deviation(memory, {**observed, "gradient": None}, observed)

    assert diagnose(kept) == (
        "This holds, but should not: for a vector, memory of the call is the input alone."
    )
    assert diagnose(lost) == "For a vector, this is not as it should be: the memory of the call."
    assert is_ground_alone(lost)
    assert not is_ground_alone(kept)
    assert not is_ground_alone(gradient(None))
    assert "memory of the call: is the input alone: True; gradient: None" in (
        describe_values(lost, {})
    )


def test_another_kind_of_value_is_named():
    result = Deviation("result", [1, 2], TensorData(EXPECTED))

    assert diagnose(result) == "The result is a list, where a tensor is needed."
    assert "an object of type Dual" in diagnose(Deviation("result", Opaque("Dual"), 1.0))


def test_a_tuple_of_wrong_numbers_is_not_told_to_be_no_list():
    wrong = Deviation("x", (10, 2, 0), [10.0, 2.0])

    assert incomplete("after", [wrong]) == ""
    assert diagnose(wrong) == "This is not as it should be: the x."


def test_a_number_in_a_tensor_is_compared_as_a_number():
    words = diagnose(Deviation("answer", TensorData(np.array(24)), 48.0))

    assert words == "The answer is half of what it should be: 24, where 48 is expected."


def test_a_text_is_told_beside_the_text_that_is_expected():
    told = diagnose(Deviation("a chain: result", "a list", "a dict"))

    assert told == "For a chain, the result is a list; it should be a dict."


def test_statements_that_do_not_hold_are_quoted():
    assert diagnose(Deviation("a vector: the output is x itself", False, True)) == (
        "This should hold, but does not: for a vector, the output is x itself."
    )
    assert diagnose(Deviation("the version of y has gone up", True, False)) == (
        "This holds, but should not: the version of y has gone up."
    )


def test_a_missing_error_is_told_with_its_reason():
    stale = ErrorData("RuntimeError", "… has been modified by an inplace operation: …")

    words = diagnose(Deviation("a vector: backward after x was changed", "no error", stale))

    assert "nothing was raised" in words
    assert "should warn that backward computes with a changed value" in words


def test_an_unexpected_error_is_told():
    error = ErrorData("TypeError", "unsupported operand")

    assert diagnose(Deviation("applied to a leaf", error, "no error")) == (
        "Applied to a leaf raises `TypeError`: unsupported operand."
    )
    assert diagnose(Deviation(EXCEPTION, error, MISSING)) == (
        "The code stopped with `TypeError`: unsupported operand."
    )


def test_the_most_telling_deviation_is_an_odd_kind_then_a_count_then_a_large_array():
    missing, exception = gradient(MISSING), Deviation(EXCEPTION, ErrorData("E", ""), MISSING)
    number, vector = gradient(G[:1], G[1:2]), gradient(-EXPECTED)
    nothing = gradient(None)

    assert most_telling([missing, number, vector]) is vector
    assert most_telling([missing, vector, exception]) is exception
    assert most_telling([vector, exception, nothing]) is nothing

    count = Deviation("a list: number of gradients", 1, 2)
    assert most_telling([vector, count]) is count
    assert most_telling([exception, count]) is exception


def test_details_show_inputs_outcome_and_expectation():
    inputs = {"cases": [case("a vector", x=np.float32([1, 2, 3]))]}

    assert describe_values(gradient(-EXPECTED, upstream=G), inputs).splitlines() == [
        "x = [1., 2., 3.]",
        "grad_output = [ 1.5 , -1.25,  1.75]",
        "gradient of x: tensor([-2., -3.,  4.])",
        "expected: tensor([ 2.,  3., -4.])",
    ]


def test_matrices_stay_aligned_behind_their_names():
    deviation = Deviation("m: gradient of x", TensorData(SQUARE), TensorData(SQUARE * 2))
    inputs = {"cases": [case("m", x=SQUARE)]}

    assert describe_values(deviation, inputs).splitlines() == [
        "x = [[1., 2.],",
        "     [3., 4.]]",
        "gradient of x: tensor([[1., 2.],",
        "                       [3., 4.]])",
        "expected: tensor([[2., 4.],",
        "                  [6., 8.]])",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (MISSING, "nothing"),
        (0.1 + 0.2, "0.3"),
        ([1, 2.0], "[1, 2]"),
        (tuple(range(20)), "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …)"),
        (Opaque("Dual", "too large"), "an object of type Dual (too large)"),
        (np.zeros((2, 0)), "[] of shape (2, 0)"),
        ("a" * 500, "'" + "a" * 199 + "…"),
    ],
)
def test_values_are_shown_shortly(value, text):
    assert show(value) == text


def answers(**given):
    truth = {"a": True, "b": True}
    return [Deviation(key, given[key], truth[key]) for key in given]


def test_answers_that_are_missing_or_of_another_kind_are_told_without_the_solution():
    assert incomplete("is_leaf", answers(a=None, b=None)) == (
        "There is no answer yet for `a`, `b`."
    )
    assert incomplete("is_leaf", answers(a=Opaque("ellipsis"))) == (
        "There is no answer yet for `a`."
    )
    assert incomplete("is_leaf", answers(a=Opaque("function"))).startswith(
        "Your answer for `a` is an object of type function,"
    )
    assert incomplete("is_leaf", answers(a="yes")) == (
        "Your answer for `a` is a string, where True or False is needed."
    )
    assert incomplete("is_leaf", [Deviation("the answer is a dict", False, True)]) == (
        "`is_leaf` should be a dict with the keys of the starter."
    )
    assert incomplete("is_leaf", answers(a=False)) == ""


def test_an_answer_that_is_the_symbol_itself_is_called_by_its_name():
    assert incomplete("grad", [Deviation("answer", Opaque("ellipsis"), 48.0)]) == (
        "There is no answer yet for `grad`."
    )
    assert incomplete("grad", [Deviation("answer", None, 48.0)]) == (
        "Your answer for `grad` is None, where a number is needed."
    )
    assert incomplete("grad", [Deviation("answer", "48", 48.0)]) == (
        "Your answer for `grad` is a string, where a number is needed."
    )


def test_words_that_may_be_answered_in_the_place_of_a_number_are_told():
    wrong = [Deviation("answer", "forty-eight", 48.0)]

    assert incomplete("grad", wrong, {"answer": ["error", None]}) == (
        'Your answer for `grad` is a string, where a number, `"error"` or `None` is needed.'
    )
    assert "where True or False is needed" in incomplete("b", answers(a="yes"), {"b": ["error"]})


def test_a_word_that_nobody_asked_for_is_told_those_that_may_be_answered():
    words = {"end": ["raises", "works"]}

    assert incomplete("after", [Deviation("end", "crashes", "raises")], words) == (
        'Your answer for `end` is another string, where `"raises"` or `"works"` is needed.'
    )
    assert incomplete("after", [Deviation("end", "Works", "raises")], words) == ""


def test_nothing_is_summed_where_it_is_no_gradient():
    observed, expected = np.float32([[6]]), np.float32([6])
    about = {"result": "", "gradient of x": " What was broadcast in forward"}
    for subject, more in about.items():
        words = diagnose(Deviation(subject, TensorData(observed), TensorData(expected)))
        assert words.startswith(f"The {subject} has shape (1, 1), where (1,) is needed.{more}")
        assert ("broadcast" in words) == bool(more)


def test_a_count_is_put_beside_what_is_expected():
    assert diagnose(Deviation("number of entries", 2, 1)) == (
        "The number of entries is 2, where 1 is expected."
    )


def test_the_shape_is_told_where_a_single_number_is_needed():
    two = TensorData(np.float32([3, 3]))
    assert "is a tensor of shape (2,), where a number is needed" in diagnose(
        Deviation("slope", two, 3.0)
    )
    assert "is True or False, where a string" in incomplete("ends", [Deviation("ends", True, "x")])


def test_a_missing_factor_from_above_is_told_though_it_is_a_single_number():
    from_above = np.float32(1.7)
    expected = np.float32([[1.5, -2.0, 0.5]])
    told = relate(expected / from_above, expected, from_above, gradient=True)
    assert told.startswith("lacks the factor that arrives from above.")


def test_only_a_gradient_that_is_zero_was_cut_off():
    zeros, expected = np.zeros(3, dtype=np.float32), np.float32([1, 2, 3])
    assert relate(zeros, expected) == "is zero everywhere."
    assert "cuts the path back" in relate(zeros, expected, gradient=True)
