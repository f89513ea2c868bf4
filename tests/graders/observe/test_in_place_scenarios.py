"""What the library's scenarios see in Functions that change their input."""

import numpy as np
import pytest

from autograd_core.autograd import Function
from graders.observe import scenarios
from tests.graders.observe.looking import X, look


class AddOne(Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class BehindTheBack(AddOne):
    """Changes the memory without a trace."""

    @staticmethod
    def forward(ctx, x):
        x.data.add_(1)
        return x


class ReturnsCopy(AddOne):
    @staticmethod
    def forward(ctx, x):
        return x + 1


def test_in_place_values_show_every_memory():
    records, _, _ = look(scenarios.inplace_values, AddOne)
    copied, _, _ = look(scenarios.inplace_values, ReturnsCopy)

    np.testing.assert_array_equal(records["value of x afterwards"].values, X + 1)
    np.testing.assert_array_equal(copied["value of x afterwards"].values, X)


@pytest.mark.parametrize(
    ("function", "marked", "itself", "version"),
    [
        (AddOne, True, True, True),
        (BehindTheBack, False, False, False),
        (ReturnsCopy, False, False, False),
    ],
)
def test_in_place_identity_shows_mark_object_and_version(function, marked, itself, version):
    records, _, _ = look(scenarios.inplace_identity, function)

    assert records == {
        "x is marked": marked,
        "x is still in its place in memory": True,
        "the output is x itself": itself,
        "the version of x has gone up": version,
    }


def test_what_is_marked_is_seen_even_if_it_is_refused():
    class MarksAndReturnsACopy(Function):
        @staticmethod
        def forward(x):
            return x.add_(1).clone()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(*inputs)

    records, _, error = look(scenarios.inplace_identity, MarksAndReturnsACopy)

    assert records == {"x is marked": True}
    assert error == "RuntimeError"


def test_a_tensor_whose_data_is_replaced_has_left_its_place_in_memory():
    class Replaces(AddOne):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.data = x.data + 1
            return x

    records, _, _ = look(scenarios.inplace_identity, Replaces)

    assert records["x is still in its place in memory"] is False
    assert records["the output is x itself"] is True


def test_leaves_are_refused_when_the_change_is_marked():
    told = "applied to a leaf that requires grad"

    marked, _, _ = look(scenarios.inplace_leaf, AddOne)
    hidden, _, _ = look(scenarios.inplace_leaf, BehindTheBack)

    assert "a leaf Variable that requires grad" in marked[told].message
    assert hidden[told] == "no error"


def test_products_computed_before_the_change_find_out_when_it_is_marked():
    told = "backward of x * x computed before"

    marked, _, _ = look(scenarios.inplace_stale, AddOne)
    hidden, _, _ = look(scenarios.inplace_stale, BehindTheBack)

    assert "modified by an inplace operation" in marked[told].message
    assert hidden[told] == "no error"


def test_later_uses_of_the_input_carry_the_functions_gradient():
    class Doubles(AddOne):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * 2

    class Unmarked(Doubles):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            return x

    marked, _, _ = look(scenarios.inplace_later, Doubles)
    unmarked, _, _ = look(scenarios.inplace_later, Unmarked)

    np.testing.assert_allclose(
        marked["gradient of x"].values, 2 * unmarked["gradient of x"].values, rtol=1e-6
    )


def test_in_place_gradients_reach_the_leaf_behind_the_clone():
    records, _, error = look(scenarios.inplace_gradients, AddOne)

    assert error is None
    assert records["gradient of x"].values.shape == (3,)
