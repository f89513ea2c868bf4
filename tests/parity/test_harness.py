"""The harness tells apart what is different, and says where."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import autograd_core

from . import programs, record
from .harness import differences, observe, outcome, plain, state, warned
from .programs import PROGRAMS


def observed(program):
    return observe(program, autograd_core)


def test_an_exception_is_observed_by_type_and_text():
    def program(torch):
        raise KeyError("gone")

    assert observed(program) == {"raises": "KeyError", "says": "'gone'", "warnings": []}


def test_warnings_lose_the_tail_that_names_a_source_file():
    def program(torch):
        warnings.warn("look out (Triggered internally at Tensor.h:1.)", UserWarning, stacklevel=1)

    assert observed(program)["warnings"] == ["UserWarning: look out"]


def test_a_program_cannot_leave_the_grad_mode_changed():
    observed(lambda torch: torch.set_grad_enabled(False))
    assert autograd_core.is_grad_enabled()


def test_warned_keeps_warnings_from_the_program():
    def program(torch):
        return warned(lambda: warnings.warn("inside", UserWarning, stacklevel=1))

    assert observed(program) == {"returned": ["UserWarning: inside"], "warnings": []}


def test_tensors_are_observed_with_their_place_in_the_graph():
    x = autograd_core.tensor([1.5], requires_grad=True)
    assert plain(x * 2) == {
        "tensor": "float32",
        "shape": [1],
        "values": [3.0],
        "requires_grad": True,
        "grad_fn": "MulBackward0",
    }


def test_the_state_of_a_tensor_is_observed_with_its_version():
    x = autograd_core.tensor([1.5])
    x.add_(1)
    assert state(x) == {**plain(x), "version": 1}


def test_infinities_and_nan_survive_json():
    assert plain([float("inf"), -float("inf"), float("nan")]) == ["inf", "-inf", "nan"]


def test_outcome_is_the_result_or_the_error():
    assert outcome(lambda: (1, "two")) == [1, "two"]
    assert outcome(lambda: [][0]) == {"raises": "IndexError", "says": "list index out of range"}


@pytest.mark.parametrize(
    ("expected", "got", "where"),
    [
        ({"a": 1}, {"a": 2}, "a: expected 1, got 2"),
        ({"a": 1}, {}, "a: expected 1, got nothing"),
        ({}, {"a": 1}, "a: expected nothing, got 1"),
        ({"a": [1, 2]}, {"a": [1]}, "a: expected [1, 2], got [1]"),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b: expected 2, got 3"),
        (True, 1, ": expected True, got 1"),
        (1, 1.0, ": expected 1, got 1.0"),
        ("x" * 90 + "s", "x" * 90, f": expected '…{'x' * 40}s', got '…{'x' * 40}'"),
        ("nan", "inf", ": expected 'nan', got 'inf'"),
    ],
)
def test_differences_are_found_and_located(expected, got, where):
    assert differences(expected, got) == [where]


def test_only_values_of_tensors_are_allowed_a_last_place():
    one = {"tensor": "float32", "values": [1.0]}
    next_to_one = {"tensor": "float32", "values": [float(np.nextafter(np.float32(1), 2))]}
    further = {"tensor": "float32", "values": [1.000001]}
    assert differences(one, next_to_one, ulps=1) == []
    assert len(differences(one, next_to_one)) == 1
    assert len(differences(one, further, ulps=1)) == 1
    assert len(differences(one["values"], next_to_one["values"], ulps=1)) == 1


def test_every_module_of_the_table_has_programs():
    in_table = {tuple(name.split(".")[:-1]) for name in PROGRAMS}
    folder = Path(programs.__file__).parent
    files = folder.rglob("[!_]*.py")
    assert in_table == {path.relative_to(folder).with_suffix("").parts for path in files}


def test_programs_return_what_they_saw():
    """What PyTorch refuses, a program catches: otherwise it ends before it has seen anything."""
    assert [name for name, seen in record.read().items() if "returned" not in seen] == []
