import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

from autograd_core.autograd import Function
from graders import exercise as subject
from graders.draws import all_from
from graders.exercise import PRELUDE, all_exercises, exercises_of, load, noted, source_of
from graders.inputs import case, generator, positive, shapes, signed
from graders.request import checks_of


def scaled(x):
    return 3 * x


class Base(Function):
    @staticmethod
    def forward(ctx, x):
        return scaled(x)


class Derived(Base):
    @staticmethod
    def backward(ctx, grad_output):
        return scaled(grad_output)


def ran(source: str, symbol: str) -> object:
    namespace: dict = {}
    exec(PRELUDE + source, namespace)
    return namespace[symbol]


def test_the_source_of_a_class_brings_bases_and_helpers_along():
    import autograd_core as torch

    tripled = ran(source_of(Derived, "Triple"), "Triple")
    x = torch.tensor(2.0, requires_grad=True)
    tripled.apply(x).backward()

    assert x.grad.item() == 3


def test_the_source_of_a_function_and_of_plain_data():
    assert ran(source_of(scaled, "triple"), "triple")(5) == 15
    assert ran(source_of({"a": True, "b": 2.5}, "answers"), "answers") == {"a": True, "b": 2.5}


def test_the_source_of_an_object_without_one_is_refused():
    with pytest.raises((SyntaxError, TypeError)):
        source_of(object(), "thing")


def test_load_finds_an_exercise_by_id_and_suggests_one_otherwise():
    assert load("fn-square").symbol == "Square"
    with pytest.raises(KeyError, match="did you mean 'fn-square'"):
        load("fn-squares")
    with pytest.raises(KeyError):
        load("../secrets")
    with pytest.raises(KeyError):
        load("")


def test_exercises_come_in_the_order_of_the_lessons():
    keys = [(each.lesson, each.place) for each in all_exercises()]

    assert keys == sorted(keys)
    assert load("fn-square") in exercises_of("07_custom_functions")
    assert exercises_of("no_such_lesson") == ()


def test_inputs_depend_on_seed_exercise_and_check_alone():
    exercise = load("fn-square")
    one, other = exercise.checks[0], exercise.checks[1]

    def drawn(check, seed):
        return exercise.inputs(check, seed)["cases"][1]["args"]["x"].tolist()

    assert drawn(one, 1) == drawn(one, 1)
    assert drawn(one, 1) != drawn(one, 2)
    assert drawn(one, 1) != drawn(other, 1)


def test_requests_are_plain_data_and_carry_no_answers():
    exercise = load("leaf-predict")

    text = json.dumps(list(map(pickle.loads, checks_of(exercise, all_from(exercise, 1)))))

    assert "entries" in text
    assert "true" not in text.lower()
    assert exercise.misconceptions[0].says not in text


def test_a_library_scenario_is_sent_by_name_and_an_own_one_as_source():
    def own(solution, lab):
        lab.record("it", solution)

    check = load("fn-square").checks[0]

    assert check.request() == {"name": "function_values"}
    assert subject.Check("own", 1, own, dict, "", "").request() == {
        "source": 'def own(solution, lab):\n    lab.record("it", solution)\n',
        "entry": "own",
    }


def test_noted_looks_for_a_note_in_any_case():
    assert noted("unsummed")({"a row: unsummed": ["x"]})
    assert noted("warnings")({"warnings": []})
    assert not noted("unsummed")({"a row: unneeded": ["x"]})


def test_an_unknown_kind_is_refused():
    import dataclasses

    with pytest.raises(ValueError, match="unknown kind"):
        dataclasses.replace(load("fn-square"), kind="guess")


@pytest.mark.parametrize("seed", range(5))
def test_drawn_numbers_keep_their_distance_from_zero_and_have_both_signs(seed):
    rng = generator(seed, "test")

    numbers = signed(rng, 2, 3)

    assert numbers.dtype == np.float32
    assert numbers.shape == (2, 3)
    assert (np.abs(numbers) >= 0.5).all()
    assert numbers.min() < 0 < numbers.max()
    assert signed(rng).shape == ()
    assert isinstance(signed(rng), np.ndarray)
    assert signed(rng, 0).shape == (0,)
    assert (positive(rng, 4) >= 0.5).all()


def test_single_numbers_are_drawn_with_either_sign():
    signs = {bool(signed(generator(seed)) > 0) for seed in range(20)}

    assert signs == {True, False}


def test_shapes_has_every_kind_of_tensor():
    drawn = shapes(generator(1))["cases"]

    assert [each["args"]["x"].ndim for each in drawn] == [0, 1, 2, 2, 1, 2, 2]
    assert drawn[3]["transposed"]
    assert drawn[4]["args"]["x"].size == 0
    # Here the shape does not give away a gradient that was transposed.
    assert drawn[5]["args"]["x"].shape == (2, 2)
    # Here whoever drops dimensions of size one does.
    assert drawn[6]["args"]["x"].shape == (2, 1)


def test_a_case_keeps_the_order_of_its_arguments():
    one = case("named", frozen=["x"], y=1, x=2)

    assert list(one["args"]) == ["y", "x"]
    assert one["frozen"] == ["x"]


def test_importing_check_imports_neither_numpy_nor_the_engine():
    program = "import sys; from graders import check; print([n for n in sys.modules])"

    names = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    assert "'graders.check'" in names
    assert "'numpy'" not in names
    assert "'autograd_core'" not in names
