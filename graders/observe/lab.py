"""The lab: builds tensors from plain inputs, watches what happens to them, and writes it down."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import shake_128
from inspect import unwrap
from math import prod
from types import CodeType, GeneratorType
from typing import Any

import numpy as np

from graders.observe import codec, failure
from graders.observe.hidden import hidden
from graders.observe.long_chain import long_chain

MAX_OUTPUT = 4_000

RUNS_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""The flags of code that a call does not run, but only makes ready."""

Scenario = Callable[[Any, "Lab"], None]


class Lab:
    """What a scenario works with: inputs to draw from, and a notebook to record in.

    `torch` is the tensor module (`autograd_core`). Records are compared with the reference's,
    notes are not: remarks are made from them. Everything is copied at the moment it is recorded.
    `sent` are the random gradients, by what stands before the names of records.
    """

    # No dict: a solution that finds the lab at work can put no method of its own into it.
    __slots__ = (
        "_go_on",
        "_inputs",
        "_prefix",
        "_seed",
        "_write",
        "is_reference",
        "notes",
        "records",
        "sent",
        "torch",
    )

    def __init__(
        self,
        inputs: Mapping[str, Any],
        torch: Any = None,
        write: Callable[[Any, type], Any] = codec.encode,
        go_on: Callable[[Mapping[str, Any]], bool] | None = None,
        is_reference: bool = False,
    ) -> None:
        """`write` makes of a value what is recorded; `go_on` tells after a case, from the records.

        The judge has its own: what is seen of a student's solution is encoded, to the last case.
        Whoever `is_reference` needs no remarks, and nobody has to look for what they are made of.
        """
        if torch is None:
            import autograd_core

            torch = autograd_core
        self.torch = torch
        self.records: dict[str, Any] = {}
        self.notes: dict[str, Any] = {}
        self._inputs = inputs
        self._seed = int(inputs.get("seed", 0))
        self._prefix = ""
        self._write = write
        self._go_on = go_on
        self.is_reference = is_reference
        self.sent: dict[str, np.ndarray] = {}

    def value(self, name: str, default: Any = None) -> Any:
        """Return the input `name` as plain data, `default` where there is none."""
        return self._inputs.get(name, default)

    def tensor(self, name: str, requires_grad: bool = False, clone: bool = False) -> Any:
        """Return the input `name` as a fresh tensor; with `clone` one that is no leaf."""
        leaf = self.build(self._inputs[name], requires_grad)
        return leaf.clone() if clone else leaf

    def build(self, array: Any, requires_grad: bool = False, transposed: bool = False) -> Any:
        """Return a new leaf that holds `array`; with `transposed` its memory is not contiguous."""
        array = np.asarray(array)
        if transposed and array.ndim > 1:
            tensor = self.torch.from_numpy(array.T.copy().T)
            return tensor.requires_grad_() if requires_grad else tensor
        return self.torch.tensor(array, requires_grad=requires_grad)

    def long_chain(self) -> tuple[Any, Any]:
        """Return a leaf and the end of thousands of operations on it, the same two each time."""
        start, end = long_chain(self.torch)
        return start, end

    def upstream(self, output: Any) -> Any:
        """Return a random gradient for `output`: of either sign, none of it 0 or 1."""
        shape, sent = tuple(output.shape), self.sent.get(self._prefix)
        if sent is None or sent.shape != shape:
            sent = self.sent[self._prefix] = _signed(f"{self._seed} {self._prefix}", shape)
        return self.torch.tensor(sent, dtype=output.dtype)

    def record(self, name: str, value: Any) -> None:
        """Write down `value` under `name`; it is compared with what the reference does."""
        self.records[self._prefix + name] = self._write(value, self.torch.Tensor)

    def numbers(self, tensor: Any) -> np.ndarray:
        """Return the values of `tensor` by the engine's own methods, whatever it may say itself."""
        kind = self.torch.Tensor
        values: np.ndarray = kind.numpy(kind.detach(tensor))
        return values

    def note(self, name: str, value: Any) -> None:
        """Write down `value` under `name` without comparing it."""
        self.notes[self._prefix + name] = self._write(value, self.torch.Tensor)

    def outcome(self, name: str, action: Callable[[], Any]) -> Any:
        """Record how `action` ends, "no error" or the exception; return its result or None."""
        try:
            result = action()
        except Exception as error:
            told = failure.describe(error)
            self.record(name, codec.ErrorData(told["type"], told["message"]))
            return None
        self.record(name, "no error")
        return result

    def do(self, action: Callable[..., Any], *arguments: Any) -> None:
        """Call `action` for what it does; TypeError where a call only makes it ready to."""
        if issubclass(type(action(*arguments)), GeneratorType):
            raise TypeError("what has a yield in it does not run when it is called")

    def kind_of(self, value: Any) -> str:
        """Return what `value` is, in words: "a float", "None"."""
        return _with_article(value)

    def record_kind(self, result: Any, wanted: str, fits: bool) -> None:
        """Record that `result` is what is `wanted`, "a list", or else what it is."""
        self.record("result", wanted if fits else _with_article(result))

    def cases(self) -> Iterator[Case]:
        """Yield each case of the input `cases`; what it records is named after the case."""
        for spec in self._inputs["cases"]:
            yield Case(self, spec)
            if self._go_on is not None and not self._go_on(self.records):
                return


class Case(Lab):
    """One way of calling the student's symbol: named arguments, in order.

    Arrays of floats become tensors that require grad unless they are `frozen`, other arrays
    tensors that do not; everything else is handed over as it is.
    """

    __slots__ = ("name", "spec")

    def __init__(self, lab: Lab, spec: Mapping[str, Any]) -> None:
        super().__init__(spec["args"], lab.torch, lab._write, is_reference=lab.is_reference)
        self.records, self.notes, self.sent = lab.records, lab.notes, lab.sent
        self.name = spec["name"]
        self.spec = spec
        self._seed = lab._seed
        self._prefix = f"{self.name}: "

    def arguments(self) -> dict[str, Any]:
        """Return the arguments by name, tensors as fresh leaves."""
        return {name: self._argument(name, value) for name, value in self._inputs.items()}

    def _argument(self, name: str, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        learns = value.dtype.kind == "f" and name not in self.spec.get("frozen", ())
        return self.build(value, learns, self.spec.get("transposed", False))

    def is_tensor(self, value: Any) -> bool:
        """Return whether `value` is a tensor."""
        return issubclass(type(value), self.torch.Tensor)

    def _function_class(self) -> Any:
        function: Any = self.torch.autograd.Function
        return function

    def run(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Return what `function.apply` yields; TypeError when it is no Function."""
        self.look_at_class(function)
        # The engine's apply, whatever the class calls so: it is forward and backward that count.
        apply = self._function_class().apply.__func__
        return self.call(partial(apply, function), arguments)

    def call(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Return what `function` does; TypeError where a tensor has got other methods by it."""
        result = function(*arguments.values())
        for each in (*arguments.values(), *(result if type(result) is tuple else (result,))):
            if self.is_tensor(each) and not self._is_plain(each):
                raise TypeError("a tensor of the engine's is expected, with the engine's methods")
        return result

    def _is_plain(self, tensor: Any) -> bool:
        base = self.torch.Tensor
        own = object.__getattribute__(tensor, "__dict__")
        return _methods_of(base).isdisjoint(own) and type(tensor) in (base, self.torch.nn.Parameter)

    def look_at_class(self, function: Any) -> None:
        """Raise TypeError when `function` is no Function, or one of the engine's operators."""
        if not (issubclass(type(function), type) and issubclass(function, self._function_class())):
            found = self._instead_of_a_function(function)
            raise TypeError(f"expected a subclass of Function, but got {found}")
        for name in ("forward", "backward"):
            told = getattr(function, name)
            # Beneath what decorates it, such as `once_differentiable`, which is the engine's.
            code = getattr(unwrap(told) if hasattr(told, "__wrapped__") else told, "__code__", None)
            if not isinstance(code, CodeType):
                continue
            if code.co_flags & RUNS_LATER:
                raise TypeError(f"its {name} has a yield or an async in it: a call does not run it")
            if not code.co_filename.startswith(_engine()):
                continue
            if code is not getattr(self._function_class(), name).__code__:
                raise TypeError(f"its {name} is the engine's own, where yours is asked for")

    def _instead_of_a_function(self, value: Any) -> str:
        """Return what `value` is, which should be a subclass of Function, in words."""
        if issubclass(type(value), type):
            return "another class"
        if issubclass(type(value), self._function_class()):
            return "an instance of one"
        if getattr(value, "__func__", None) is self._function_class().apply.__func__:
            return "its apply"
        return _with_article(value)

    def apply(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Return the tensor that `function.apply` yields; TypeError when it is none."""
        output = self.run(function, arguments)
        if not self.is_tensor(output):
            raise TypeError(f"apply returned {_with_article(output)}, not a Tensor")
        return output

    def apply_elsewhere(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Apply `function` to other values, so that another call of it comes in between."""
        others = {
            name: (value.detach() * -2).requires_grad_(value.requires_grad).clone()
            if self.is_tensor(value) and value.dtype.is_floating_point
            else value
            for name, value in arguments.items()
        }
        return self.run(function, others)

    def watch_gradient(self, output: Any) -> Callable[[], bool]:
        """Return a question to ask after backward: is what arrived at `output` as it was then?"""
        arrived: list[Any] = []
        if output.requires_grad:
            note = hidden(lambda gradient: arrived.append((gradient, gradient.clone())))
            output.register_hook(note)
        return lambda: all(
            np.array_equal(self.numbers(gradient), self.numbers(before))
            for gradient, before in arrived
        )

    def change(self, tensor: Any) -> Callable[[], bool]:
        """Change `tensor` in place; return a question: is it as it was changed?

        TypeError when it does not change: somebody sees to it that it stays as it was.
        """
        before = self.numbers(tensor).copy()
        self.torch.Tensor.add_(tensor, 1)
        after = self.numbers(tensor).copy()
        if np.array_equal(before, after):
            raise TypeError("a tensor does not change when it is changed in place")
        return lambda: np.array_equal(self.numbers(tensor), after)

    def copies(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with each tensor replaced by a clone, which is no leaf."""
        return {
            name: value.clone() if self.is_tensor(value) else value
            for name, value in arguments.items()
        }

    def frozen_but(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with each tensor but `name` detached, so that it alone learns."""
        return {
            each: value.detach() if each != name and self.is_tensor(value) else value
            for each, value in arguments.items()
        }

    def apply_and_change(
        self, function: Any, change: Callable[[Any], object] | None
    ) -> tuple[Any, Any, Any]:
        """Apply `function` to a clone of the leaf x; then `change` the clone, if that is given.

        Return x, the output, and a random gradient for it.
        """
        leaves = self.arguments()
        inner = self.copies(leaves)
        output = self.apply(function, inner)
        gradient = self.upstream(output)
        if change is not None:
            change(inner["x"])
        return leaves["x"], output, gradient

    def survives(self, function: Any, change: Callable[[Any], object]) -> bool:
        """Return whether `change` before backward leaves the gradient of x, or is refused."""
        gradients: list[Any] = []
        for each in (None, change):
            x, output, gradient = self.apply_and_change(function, each)
            try:
                output.backward(gradient)
                gradients.append(x.grad.tolist())
            except RuntimeError:
                gradients.append(gradients[0])
        return bool(gradients[0] == gradients[1])

    def record_gradients(self, leaves: Mapping[str, Any]) -> None:
        """Record the gradient of each tensor in `leaves` that requires grad."""
        for name, leaf in leaves.items():
            if self.is_tensor(leaf) and leaf.requires_grad:
                self.record(f"gradient of {name}", leaf.grad)


def observe(
    scenario: Scenario, solution: Any, inputs: Mapping[str, Any], torch: Any = None
) -> dict[str, Any]:
    """Run `scenario` on `solution` and return what was seen, as plain data.

    The keys are records, notes, error (None or a description) and stdout. An exception ends the
    scenario, never the caller; only KeyboardInterrupt, a person's wish, passes through. Grad mode
    and warning filters are as before when it returns; random numbers start from the inputs' seed.
    """
    lab = Lab(inputs, torch)
    error, stdout = carry_out(scenario, solution, lab)
    return {"records": lab.records, "notes": lab.notes, "error": error, "stdout": stdout}


def carry_out(scenario: Scenario, solution: Any, lab: Lab) -> tuple[dict[str, Any] | None, str]:
    """Run `scenario` on `solution` in `lab`, as `observe` does; return the error and the stdout."""
    output = _Capped()
    error = None
    with _same_start(lab), contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            _look_at_kind(solution)
            scenario(solution, lab)
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            error = failure.describe(raised)
    return error, output.getvalue()


@functools.cache
def _engine() -> str:
    import autograd_core

    return os.path.join(os.path.dirname(str(autograd_core.__file__)), "")


@functools.cache
def _methods_of(kind: type) -> frozenset[str]:
    """What may be called on things of this kind, and so is to be the kind's own."""
    return frozenset(name for name in dir(kind) if callable(getattr(kind, name, None)))


def _signed(key: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return numbers of either sign between 1.1 and 2 that follow from `key`.

    NumPy's generators take ten times as long to be made as all the numbers that are asked of one.
    """
    drawn = np.frombuffer(shake_128(key.encode()).digest(4 * prod(shape)), "<i4")
    centred = drawn * (0.9 / 2**31)
    return (centred + np.copysign(1.1, centred)).astype(np.float32).reshape(shape)


def _look_at_kind(solution: Any) -> None:
    """Raise TypeError when `solution` is a function that only begins to run once it is awaited."""
    if inspect.iscoroutinefunction(solution) or inspect.isasyncgenfunction(solution):
        raise TypeError("what is written with async def does not run when it is called")


def _with_article(value: Any) -> str:
    if value is None:
        return "None"
    name = type.__getattribute__(type(value), "__name__")
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


@contextlib.contextmanager
def random_numbers_kept(torch: Any) -> Iterator[None]:
    """Leave the random numbers of `torch`, NumPy and Python as they were."""
    states = torch.get_rng_state(), np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        torch.set_rng_state(states[0])
        np.random.set_state(states[1])
        random.setstate(states[2])


@contextlib.contextmanager
def _same_start(lab: Lab) -> Iterator[None]:
    torch = lab.torch
    mode = torch.is_grad_enabled()
    torch.manual_seed(lab._seed)
    np.random.seed(lab._seed % 2**32)
    random.seed(lab._seed)
    torch.set_grad_enabled(True)
    try:
        # A student may have entered the mode in which nothing is recorded, and never left it.
        with torch.inference_mode(False), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        if caught:
            lab.note("warnings", [str(each.message)[:300] for each in caught[:20]])
    finally:
        torch.set_grad_enabled(mode)


class _Capped(io.StringIO):
    """A text stream that forgets what goes beyond its limit."""

    def write(self, text: str) -> int:
        super().write(str(text)[: max(0, MAX_OUTPUT - self.tell())])
        return len(text)

    def close(self) -> None:
        """Stay open: `sys.stdout.close()` in a solution loses nothing."""
