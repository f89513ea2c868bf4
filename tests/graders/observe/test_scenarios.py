"""What the library's scenarios see in Functions that do one thing right or wrong."""

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercises.fn_square import Square
from graders.inputs import generator, shapes
from graders.observe import scenarios
from graders.observe.lab import observe
from tests.graders.observe.looking import Multiply, X, look

Y = np.float32([2.0, 0.5, -1.0])


class WalksItsOwnGraph(Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = ctx.x * ctx.x
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(ctx.y, ctx.x, grad_output)


class KeepsOnContext(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.x


class KeepsCopy(KeepsOnContext):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.clone()
        return x * x


class LeavesTheGraph(Square):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.tensor(2 * grad_output.detach().numpy() * x.detach().numpy())


class ChangesInput(Square):
    @staticmethod
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(y)
        x.data.mul_(2)
        return y


def test_value_records_the_symbol_itself():
    assert observe(scenarios.value, 12.5, {})["records"] == {"answer": 12.5}


def test_entries_reads_the_base_dict_and_records_missing_keys_as_none():
    class Liar(dict):
        def get(self, key, default=None):
            return True

    seen = observe(scenarios.entries, Liar(a=False), {"keys": ["a", "b"]})

    assert seen["records"] == {"the answer is a dict": True, "a": False, "b": None}


def test_entries_of_something_else_is_no_dict():
    seen = observe(scenarios.entries, [1], {"keys": ["a"]})

    assert seen["records"] == {"the answer is a dict": False, "a": None}


def test_call_hands_over_numbers_as_they_are_and_arrays_as_tensors():
    def function(x, k, flag):
        return [type(x) is torch.Tensor and x.requires_grad, k, flag]

    records, _, _ = look(scenarios.call, function, k=2.5, flag=None)

    assert records == {"result": [True, 2.5, None]}


def test_call_gradients_sends_back_a_gradient():
    records, _, error = look(scenarios.call_gradients, lambda x: x * 3)

    assert error is None
    assert (np.abs(records["gradient of x"].values) > 3.2).all()


def test_plain_values_show_when_an_input_was_changed():
    right, _, _ = look(scenarios.plain_values, lambda x: x * 2)
    wrong, _, _ = look(scenarios.plain_values, lambda x: x.data.mul_(2))

    assert right["its inputs keep their values"] is True
    assert wrong["its inputs keep their values"] is False


def test_plain_gradients_tell_where_no_way_leads_back():
    right, _, _ = look(scenarios.plain_gradients, lambda x: x * 3)
    constant, _, _ = look(scenarios.plain_gradients, lambda x: x.detach())
    number, _, _ = look(scenarios.plain_gradients, lambda x: 1.5)
    cut, _, error = look(scenarios.plain_gradients, lambda x: x.detach_())

    assert (np.abs(right["gradient of x"].values) > 3.2).all()
    assert constant["the result requires grad"] is False
    assert number["a tensor is returned"] is False
    assert cut["x requires grad afterwards"] is False
    assert error is None


def test_plain_functions_accumulate_over_two_larger_graphs():
    right, _, _ = look(scenarios.plain_in_graph, lambda x: x * x)
    cut, _, error = look(scenarios.plain_in_graph, lambda x: x * x.detach_())

    slope = 2 * 4 * (3 * X) ** 3 * 3 + 2 * 0.5 * 3
    np.testing.assert_allclose(right["accumulated gradient of x"].values, slope, rtol=1e-5)
    assert right["x keeps its history"] is True
    assert cut["x keeps its history"] is False
    assert error is None


def test_values_show_when_an_input_was_changed():
    right, _, _ = look(scenarios.function_values, Square)
    wrong, _, _ = look(scenarios.function_values, ChangesInput)

    assert right["forward leaves its inputs as they were"] is True
    assert wrong["forward leaves its inputs as they were"] is False


def test_frozen_inputs_require_no_grad():
    records, _, _ = look(scenarios.function_gradients, Multiply, y=Y, frozen=["y"])

    assert "gradient of x" in records
    assert "gradient of y" not in records


def test_reuse_and_larger_graphs_give_numbers():
    reused, _, one = look(scenarios.function_reuse, Square)
    inside, _, other = look(scenarios.function_in_graph, Square)

    assert one is other is None
    # Twice through y, once through the square of 2x: (1 + 1 + 4) times the first gradient.
    np.testing.assert_allclose(
        reused["accumulated gradient of x"].values, 6 * reused["gradient of x"].values, rtol=1e-6
    )
    np.testing.assert_allclose(inside["gradient of x"].values, 324 * X**3 + 1.5, rtol=1e-6)


def test_a_backward_on_a_graph_of_its_own_is_noted_to_work_once():
    usual, nothing, _ = look(scenarios.function_reuse, Square)
    found, notes, error = look(scenarios.function_reuse, WalksItsOwnGraph)

    assert error is None
    assert "once" in notes
    assert "once" not in nothing
    np.testing.assert_allclose(
        found["accumulated gradient of x"].values, usual["accumulated gradient of x"].values
    )


def test_a_larger_graph_shows_who_shares_one_place_among_all_calls():
    class KeepsOnClass(Square):
        last: torch.Tensor

        @staticmethod
        def forward(ctx, x):
            KeepsOnClass.last = x.clone()
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output * 2 * KeepsOnClass.last

    right, _, _ = look(scenarios.function_in_graph, Square)
    wrong, _, error = look(scenarios.function_in_graph, KeepsOnClass)

    assert error is None
    assert not np.allclose(wrong["gradient of x"].values, right["gradient of x"].values)


def test_a_larger_graph_shows_a_backward_with_side_effects():
    class ChangesGradOutput(Square):
        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return grad_output.mul_(2 * x)

    class ChangesInputInBackward(Square):
        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return x.data.mul_(2).mul_(grad_output)

    told = (
        "backward leaves grad_output as it was",
        "backward leaves its inputs and its output as they were",
    )
    expected = {Square: (True, True), ChangesGradOutput: (False, True)}
    for function, kept in {**expected, ChangesInputInBackward: (True, False)}.items():
        records, _, error = look(scenarios.function_in_graph, function)

        assert error is None
        assert tuple(records[name] for name in told) == kept


def test_gradients_of_a_backward_that_works_only_once():
    right, _, _ = look(scenarios.function_gradients, Square)
    other, _, error = look(scenarios.function_gradients, WalksItsOwnGraph)

    assert error is None
    np.testing.assert_allclose(other["gradient of x"].values, right["gradient of x"].values)


def test_gradients_in_a_list_are_told_from_a_single_gradient():
    class ReturnsAList(Multiply):
        @staticmethod
        def backward(ctx, grad_output):
            return list(Multiply.backward(ctx, grad_output))

    _, _, error = look(scenarios.function_gradients, ReturnsAList, y=Y)

    assert error == "TypeError"


def test_shapes_show_a_gradient_that_is_transposed_where_it_can_be():
    class Transposes(Square):
        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            gradient = grad_output * 2 * x
            return gradient.T if x.dim() == 2 and x.shape[0] == x.shape[1] else gradient

    inputs = {"seed": 1, **shapes(generator(1))}
    right, wrong = (
        observe(scenarios.function_gradients, function, inputs)["records"]
        for function in (Square, Transposes)
    )

    assert [name for name in right if right[name] != wrong[name]] == [
        "a square matrix: gradient of x"
    ]


def test_strict_saving_wants_the_error():
    told = "backward after x was changed in place"

    saved, _, _ = look(scenarios.function_saved, Square, changed=["x"])
    on_context, _, _ = look(scenarios.function_saved, KeepsOnContext, changed=["x"])

    assert "modified by an inplace operation" in saved[told].message
    assert on_context[told] == "no error"


@pytest.mark.parametrize(
    ("function", "unharmed", "copied"),
    [(Square, True, False), (KeepsCopy, True, True), (KeepsOnContext, False, False)],
)
def test_noticing_a_change_or_not_depending_on_it_are_both_right(function, unharmed, copied):
    records, notes, error = look(scenarios.function_notices_changes, function, changed=["x"])

    assert error is None
    assert records == {"changing x in place never leads to a wrong gradient": unharmed}
    assert ("copied" in notes) is copied


def test_second_order_shows_a_gradient_that_left_the_graph():
    right, _, error = look(scenarios.function_second_order, Square)
    left, _, _ = look(scenarios.function_second_order, LeavesTheGraph)

    assert error is None
    assert right["the gradient of x can be differentiated"] is True
    assert right["second gradient of x"] is not None
    assert left["the gradient of x can be differentiated"] is False


def test_every_library_scenario_is_found_by_its_name():
    for name, scenario in scenarios.LIBRARY.items():
        assert scenarios.resolve({"name": name}) is scenario
        assert scenario.__doc__
