"""What is handed to a solution shows nothing of those who look at it."""

import inspect
import sys

import pytest

from graders.exercise import all_exercises
from graders.observe.hidden import hidden
from graders.observe.lab import observe
from graders.observe.scenarios import resolve


def test_a_hidden_function_does_what_it_does():
    noted = []
    note = hidden(lambda *all: noted.append(all) or len(noted))

    assert [note(1, 2), note()] == [1, 2]
    assert noted == [(1, 2), ()]


def test_an_error_reaches_the_caller_and_is_not_the_end():
    inverse = hidden(lambda x: 1 / x)

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            inverse(0)
    assert inverse(4) == 0.25


def test_a_method_is_one_still():
    class Model:
        name = "m"
        told = hidden(lambda self, greeting: greeting + self.name)

    assert Model().told("I am ") == "I am m"


def test_nothing_of_it_can_be_rewritten_but_what_is_watched():
    noted = []
    note = hidden(noted.append)

    assert note.__closure__ is None
    assert note.__defaults__ is note.__kwdefaults__ is None
    assert note.__globals__.keys() <= {"__builtins__"}
    note.__globals__["send"] = print
    note(1)
    assert noted == [1]


def called_from_outside(check, solution, inputs):
    """The scenario's functions that somebody else than observers has called."""
    found = set()

    def called(frame, event, argument):
        code = frame.f_code
        # Where a generator goes on, nobody is shown what it works with.
        if event != "call" or code.co_filename != SCENARIO or code.co_flags & GENERATOR:
            return
        caller = frame.f_back.f_code.co_filename
        if caller != SCENARIO and "/graders/observe/" not in caller:
            found.add(code.co_name)

    scenario = resolve(check.request())
    sys.setprofile(called)
    try:
        observe(scenario, solution, inputs)
    finally:
        sys.setprofile(None)
    return found


SCENARIO, GENERATOR = "<scenario>", inspect.CO_GENERATOR


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda each: each.id)
def test_solutions_are_handed_no_function_of_a_scenario(exercise):
    for check in exercise.checks:
        if not check.costly:
            inputs = exercise.inputs(check, 1)
            assert called_from_outside(check, exercise.reference, inputs) == set()
