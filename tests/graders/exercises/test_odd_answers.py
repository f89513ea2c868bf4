"""Answers of an odd kind: each is refused with a sentence on what it is, whatever was asked for."""

import functools
import inspect

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import all_exercises, load
from graders.judging import meaning
from graders.selftest import judged

CODE = [each for each in all_exercises() if not each.written]
FUNCTIONS = [each for each in CODE if inspect.isfunction(each.reference)]
CLASSES = [
    each
    for each in CODE
    if inspect.isclass(each.reference) and issubclass(each.reference, Function)
]
every_function = pytest.mark.parametrize("exercise", FUNCTIONS, ids=lambda each: each.id)
every_class = pytest.mark.parametrize("exercise", CLASSES, ids=lambda each: each.id)

RUNS_LATER = "its {} has a yield or an async in it, so calling it does not run it."


@every_function
def test_async_functions_are_told_what_they_are_and_named_no_idea(exercise):
    async def awaited(*arguments):
        return exercise.reference(*arguments)

    async def yielding(*arguments):
        yield exercise.reference(*arguments)

    for odd in (awaited, yielding, functools.partial(awaited)):
        verdict = judged(exercise, odd, 1)
        assert verdict.misconception is None
        assert verdict.points == 0
        assert "a function with async def does not run when it is called." in verdict.summary


@pytest.mark.parametrize("id", ["nograd-sgd", "reqgrad-sequential", "retain-hook"])
def test_what_is_to_do_something_and_yields_is_told_that_it_does_nothing(id):
    def yielding(*arguments):
        yield load(id).reference(*arguments)

    verdict = judged(load(id), yielding, 1)
    assert verdict.misconception is None
    assert verdict.summary.endswith("a function with a yield in it does not run when it is called.")


@every_class
@pytest.mark.parametrize("name", ["forward", "backward"])
def test_a_function_that_waits_or_yields_is_told_which_part_does(exercise, name):
    async def awaited(ctx, *arguments):
        return getattr(exercise.reference, name)(ctx, *arguments)

    def yielding(ctx, *arguments):
        yield getattr(exercise.reference, name)(ctx, *arguments)

    for odd in (awaited, yielding):
        verdict = judged(exercise, type("Odd", (exercise.reference,), {name: staticmethod(odd)}), 1)
        assert verdict.misconception is None
        assert verdict.summary.endswith(RUNS_LATER.format(name))


@every_class
def test_what_a_function_is_used_by_is_no_function(exercise):
    told = judged(exercise, exercise.reference.apply, 1).summary
    assert told.endswith("expected a subclass of Function, but got its apply.")

    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        instance = exercise.reference()
    told = judged(exercise, instance, 1).summary
    assert told.endswith("expected a subclass of Function, but got an instance of one.")


@every_function
def test_what_cannot_be_called_is_told_so(exercise):
    told = judged(exercise, 2.5, 1).summary
    assert told.endswith(f"'float' object is not callable. {meaning.NO_FUNCTION}")


@pytest.mark.parametrize("kind", [float, lambda gradient: gradient.numpy()])
def test_a_gradient_that_is_no_tensor_is_told_so(kind):
    square = load("fn-square").reference

    class Odd(square):
        @staticmethod
        def backward(ctx, grad_output):
            gradient = square.backward(ctx, grad_output)
            return kind(gradient.sum() if kind is float else gradient)

    verdict = judged(load("fn-square"), Odd, 1)
    assert verdict.misconception is None
    assert verdict.summary.endswith(meaning.NO_TENSOR)


@pytest.mark.parametrize("id", ["fn-square", "fn-multiply"])
def test_gradients_in_a_dict_are_no_tuple(id):
    exercise = load(id)

    class InADict(exercise.reference):
        @staticmethod
        def backward(ctx, grad_output):
            return {"x": exercise.reference.backward(ctx, grad_output)}

    verdict = judged(exercise, InADict, 1)
    assert verdict.misconception is None
    assert verdict.summary.endswith(
        "backward returned a dict, where a tensor or a tuple of tensors is needed."
    )


@pytest.mark.parametrize(
    ("id", "wanted"),
    [
        ("leaf-missing-grad", "a tensor"),
        ("leaf-walk", "a list"),
        ("retain-intermediates", "a dict"),
        ("retain-layers", "a list"),
        ("cap-repair", "a pair, slope and losses"),
        ("cap-train", "a pair, model and losses"),
    ],
)
def test_a_result_of_another_kind_is_called_by_its_name(id, wanted):
    exercise = load(id)
    for odd, name, more in (
        (print, "None", f" {meaning.NO_RETURN}"),
        (lambda *_: np.float32(1), "a float32", ""),
        (lambda *_: lambda: None, "a function", ""),
    ):
        told = judged(exercise, lambda *arguments, odd=odd: odd(*arguments), 1).summary
        assert told.endswith(f"result is {name}; it should be {wanted}.{more}")


@pytest.mark.parametrize(
    ("id", "wanted"), [("detach-history", "a list"), ("graph-reverse", "three numbers")]
)
@pytest.mark.parametrize("kind", [set, frozenset, str, lambda found: dict(enumerate(found))])
def test_what_keeps_no_order_is_no_list(id, wanted, kind):
    exercise = load(id)

    def odd(*arguments):
        return kind(exercise.reference(*arguments))

    verdict = judged(exercise, odd, 1)
    assert verdict.misconception is None
    assert verdict.points == 0
    name = type(kind([])).__name__
    assert verdict.summary.endswith(f"result is a {name}; it should be {wanted}.")


def test_a_weight_of_another_shape_is_never_made_large():
    sizes = []

    def make_weight(n):
        sizes.append(n)
        return torch.zeros(n, min(n, 9)).requires_grad_()

    verdict = judged(load("leaf-missing-grad"), make_weight, 1)
    assert verdict.points == 0
    assert max(sizes) < 10
