"""What lies behind some frequent failures, beside the words in which they are told."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence

from autograd_core.autograd import Function
from graders.exercise import Exercise
from graders.judging.diagnosis import Deviation
from graders.observe.codec import ErrorData

NO_RETURN = "Perhaps a `return` is missing."
NO_RETURN_IN_BACKWARD = "Perhaps a `return` is missing in backward."
NONE_IN_ITS_PLACE = "Backward returns None in its place."
ARGUMENTS = (
    "forward is given `ctx` (unless there is a `setup_context`) and the arguments of `apply`, "
    "backward `ctx` and a gradient for each output."
)
OF_SETUP_CONTEXT = (
    "`setup_context` is given `ctx`, the arguments of `apply` as a tuple, and the output."
)
CALLS_ITSELF = "Forward and backward may call neither themselves nor `apply` of their own class."
NOTHING_SAVED = "`saved_tensors` holds what forward saved, and here forward saved nothing."
NAME_OF_FORWARD = (
    "The local names of forward are unknown in backward: what it needs of them has to be kept."
)
NO_TENSOR = "Each gradient that backward returns has to be a tensor or None."
NO_ATTRIBUTE = "`ctx` has its own attributes and those that forward has set, and this is neither."
ONE_BY_ONE = "It takes tensors and nothing else, each as a separate argument."
YES_OR_NO = (
    "`if`, `and`, `or`, `not` and `max` need a single True or False, and a tensor of several "
    "numbers gives several."
)
ONE_FOR_EACH = "Backward returns one value for each argument of forward, needed or not."
ITS_SHAPE = "A gradient has the shape of its argument; index 0 is the first argument of `apply`."
NOT_BY_APPLY = "The class itself was called, but a Function is called through its `apply`."
BINDS_FIRST = "`&` and `|` bind more tightly than comparisons do."
NO_TENSOR_NO_GRADIENT = "An argument that is not a tensor has no gradient: None takes its place."
FOR_READING = "`saved_tensors` can only be read; `ctx` has a method with which forward fills it."
TENSORS_ALONE = "The functions of `torch` take tensors; those for plain numbers are in `math`."
NO_POWER = "`^` compares numbers bit by bit; a power is written with `**`."
NO_SUCH_METHOD = "There is no method of that name: is it missing, or spelled differently?"
NO_FUNCTION = "Parentheses call what stands before them, and this is not a function (any more)."
ONE_NUMBER = "`math`, `float` and `item` take a single number, not a tensor of several."
MATRICES = "`@` multiplies matrices, whose inner lengths have to agree; `*` multiplies elements."
NOT_RECORDED = (
    "Nothing is recorded inside forward and backward of a Function, and an output that is marked "
    "as non-differentiable has no history."
)
REPLACES = (
    "`saved_tensors` holds what the last call of `save_for_backward` was given, and nothing from "
    "calls before it."
)
KEPT_UNPROTECTED = (
    "Perhaps it is kept where its version is not recorded, for example as a plain attribute of "
    "`ctx`."
)
NOT_CALLED = "A method without parentheses is not called: it is itself, and not its result."
ONLY_TENSORS_MULTIPLY = (
    "A list or a tuple is repeated, or indexed, by a whole number; only tensors multiply element "
    "by element."
)
CHANGED_SINCE = (
    "Something that backward needs was changed in place after it was saved: by an update, or by an "
    "operator whose name ends in an underscore."
)
STARTS_FROM_A_NUMBER = (
    "A backward pass starts from a single number, unless it is given a gradient to start with."
)
NONE_THERE = (
    "What stands before the dot is None: it was never set, or its function returns nothing."
)
RETURNS_NONE = "Methods such as `append` and `add` change what they belong to, and return None."
BECAME_A_NUMBER = "An array without dimensions becomes a plain number when NumPy computes with it."

FREQUENT: dict[str, str] = {
    r"^'\w+' object is not callable": NO_FUNCTION,
    r"^Boolean value of Tensor with more than one value is ambiguous": YES_OR_NO,
    r"\bbackward\(\) missing \d required positional arguments?: 'ctx'": NOT_BY_APPLY,
    r"^Legacy autograd function with non-static": NOT_BY_APPLY,
    r"'(builtin_function_or_)?method'( object is not (iterable|subscriptable))?$": NOT_CALLED,
    r"^'NoneType' object has no attribute '(append|extend|add|update|pop|remove)'": RETURNS_NONE,
    r"^'NoneType' object has no attribute '\w+'$": NONE_THERE,
    r"^only integer tensors of a single element can be converted to an index": (
        ONLY_TENSORS_MULTIPLY
    ),
    r"^one of the variables needed for gradient computation has been modified": CHANGED_SINCE,
    r"^grad can be implicitly created only for scalar outputs": STARTS_FROM_A_NUMBER,
    r'^"bitwise_(and|or)_cpu" not implemented': BINDS_FIRST,
    r'^"bitwise_xor_cpu" not implemented': NO_POWER,
    r"^expected np\.ndarray \(got numpy\.": BECAME_A_NUMBER,
    r"^(both arguments to matmul need|mat1 and mat2 shapes cannot)": MATRICES,
    r"^only one element tensors can be converted|^a Tensor with \d+ elements cannot": ONE_NUMBER,
    r"argument 'input' \(position 1\) must be Tensor, not (int|float)": TENSORS_ALONE,
}
"""What errors mean, by a pattern of their messages."""

IN_FUNCTIONS: dict[str, str] = {
    r"\b(forward|backward)\(\) (takes|missing) ": ARGUMENTS,
    r"^(missing a required argument: |too many positional arguments)": ARGUMENTS,
    r"^not enough values to unpack \(expected \d+, got 0\)": NOTHING_SAVED,
    r"^not enough values to unpack \(expected \d+, got [1-9]": REPLACES,
    r"\bsetup_context\(\) (takes|missing) ": OF_SETUP_CONTEXT,
    r"^maximum recursion depth exceeded": CALLS_ITSELF,
    r"^(mark_dirty|save_for_backward) can only (accept|save) variables": ONE_BY_ONE,
    r"^mark_non_differentiable only accepts variable arguments": ONE_BY_ONE,
    r"^'\w+Backward' object has no attribute ": NO_ATTRIBUTE,
    r"^expected Variable or None \(got ": NO_TENSOR,
    r"^element 0 of tensors does not require grad": NOT_RECORDED,
    r"^attribute 'saved_tensors' .* not writable": FOR_READING,
    r"^You must implement (the forward|either the backward)": NO_SUCH_METHOD,
    r"returned an incorrect number of gradients ": ONE_FOR_EACH,
    r"returned a gradient different than None ": NO_TENSOR_NO_GRADIENT,
    r"returned an invalid gradient at index ": ITS_SHAPE,
}
"""What they mean where a Function is asked for."""


def meaning(exercise: Exercise, deviations: Sequence[Deviation], telling: Deviation) -> str:
    """Return a sentence on what `deviations` may come from, "" where no such thing is known.

    The exercise is asked first. What else is known is about the `telling` one among them.
    """
    suspicion = exercise.suspicion(deviations) if exercise.suspicion is not None else ""
    return suspicion or _frequent(exercise, telling)


def _frequent(exercise: Exercise, deviation: Deviation) -> str:
    observed, subject, forward = deviation.observed, deviation.subject, _forward(exercise)
    # A result may have been written down in words.
    nothing = observed is None or (isinstance(observed, str) and observed == "None")
    if nothing and subject in ("output", "result"):
        return NO_RETURN
    if observed is None and forward is not None and subject.startswith("gradient of "):
        return NO_RETURN_IN_BACKWARD if _takes_one_input(forward) else NONE_IN_ITS_PLACE
    if observed is False and re.match(r"changing \w+ in place never leads to ", subject):
        return KEPT_UNPROTECTED
    if not isinstance(observed, ErrorData):
        return ""
    if forward is not None and _names(forward, observed):
        return NAME_OF_FORWARD
    known = FREQUENT if forward is None else FREQUENT | IN_FUNCTIONS
    return next((says for words, says in known.items() if re.search(words, observed.message)), "")


def _names(forward: Callable[..., object], error: ErrorData) -> bool:
    """Return whether `error` is about a name that is known in `forward`."""
    unknown = re.match(r"name '(\w+)' is not defined", error.message)
    return unknown is not None and unknown[1] in forward.__code__.co_varnames


def _takes_one_input(forward: Callable[..., object]) -> bool:
    _, *inputs = inspect.signature(forward).parameters
    return len(inputs) == 1


def _forward(exercise: Exercise) -> Callable[..., object] | None:
    """Return the reference's forward, None where no Function is asked for."""
    kind = exercise.reference
    if isinstance(kind, type) and issubclass(kind, Function):
        return kind.forward
    return None
