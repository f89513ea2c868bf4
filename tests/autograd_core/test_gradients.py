"""Every operator, one table: both modes, twice in reverse and forward over reverse."""

import pytest

import autograd_core as torch
from autograd_core.function import Function

from .finite_differences import check_forward_over_reverse, check_modes, check_second_order
from .operators import IN_PLACE, OPERATORS


@pytest.mark.parametrize("name", OPERATORS)
def test_both_modes_agree_with_differences(name):
    check_modes(*OPERATORS[name])


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_can_be_differentiated(name):
    check_second_order(*OPERATORS[name])


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_have_tangents(name):
    check_forward_over_reverse(*OPERATORS[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_second_order_gradients(name):
    check_second_order(*IN_PLACE[name])


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_operators_have_both_modes(name):
    check_modes(*IN_PLACE[name])


def test_every_operator_is_in_the_table():
    used = set()
    for function, arrays in OPERATORS.values():
        leaves = [torch.tensor(array, requires_grad=True) for array in arrays]
        output = function(*leaves)
        upstream = torch.ones_like(output, requires_grad=True)
        gradients = torch.autograd.grad(
            output, leaves, upstream, create_graph=True, materialize_grads=True
        )
        for each in (output, *gradients):
            used |= functions_behind(each.grad_fn)
    named = {each.__name__ for each in operators(Function) if each.node_name}
    assert named - {each.__name__ for each in used} == {
        # Other dtypes have too few digits for differences; forward mode needs one for itself.
        "ToCopy",
        "Primal",
        "TimesNothing",
        # PyTorch has no derivative of these.
        "FloorDivide",
        "RemainderOfNumber",
        "ScatterReducing",
        # It stands for a second derivative that PyTorch does not have.
        "NotTwice",
    }


def functions_behind(node):
    seen, waiting, found = set(), [node], set()
    while waiting:
        current = waiting.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            found.add(getattr(current, "_function", Function))
            waiting.extend(parent for parent, _ in current.next_functions)
    return found


def operators(base):
    for each in base.__subclasses__():
        # Random numbers and comparisons in place have no gradient but 0.
        apart = each.__module__.endswith(("random_fills", "in_place_arithmetic"))
        if each.__module__.startswith("autograd_core.ops.") and not (
            apart or each.__name__.endswith("_")
        ):
            yield each
        yield from operators(each)
