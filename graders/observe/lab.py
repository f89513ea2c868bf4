"""The lab: builds tensors from plain inputs, watches what happens to them, and records it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
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
from graders.observe.same_start import same_start

MAX_OUTPUT = 4_000

RUNS_LATER = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""The flags of code that a call does not run: it returns a generator or a coroutine."""

Scenario = Callable[[Any, "Lab"], None]


class Lab:
    """What a scenario works with: the inputs, and methods to record what it observes.

    `torch` is the tensor module (`autograd_core`). Records are compared with the reference's; notes
    are not, but remarks depend on them. Everything is copied at the moment it is recorded. `sent`
    are the random gradients that were sent back, by the prefix of the records' names.
    """

    # With slots, a solution that gets hold of the lab cannot replace its methods.
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
        """`write` turns a value into what is recorded; `go_on` decides after each case.

        The defaults are for a student's solution: values are encoded, and all cases are run. The
        judge passes its own, and `is_reference` for the reference, which needs no remarks, so that
        a scenario need not look for what they depend on.
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
        """Return a leaf and the result of thousands of operations on it, each time the same two."""
        start, end = long_chain(self.torch)
        return start, end

    def upstream(self, output: Any) -> Any:
        """Return a random gradient for `output`, of either sign, without any 0 or 1."""
        shape, sent = tuple(output.shape), self.sent.get(self._prefix)
        if sent is None or sent.shape != shape:
            sent = self.sent[self._prefix] = _signed(f"{self._seed} {self._prefix}", shape)
        return self.torch.tensor(sent, dtype=output.dtype)

    def record(self, name: str, value: Any) -> None:
        """Record `value` under `name`; it is compared with the reference's."""
        self.records[self._prefix + name] = self._write(value, self.torch.Tensor)

    def numbers(self, tensor: Any) -> np.ndarray:
        """Return the values of `tensor` by the engine's own methods, not by a subclass's."""
        kind = self.torch.Tensor
        values: np.ndarray = kind.numpy(kind.detach(tensor))
        return values

    def note(self, name: str, value: Any) -> None:
        """Note `value` under `name`; it is not compared."""
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
        """Call `action` for its effect; TypeError when it is a generator, which does not run.

        It may return what it was given, even if that is a generator.
        """
        result = action(*arguments)
        given = any(result is each for each in arguments)
        if issubclass(type(result), GeneratorType) and not given:
            raise TypeError("a function with a yield in it does not run when it is called")

    def kind_of(self, value: Any) -> str:
        """Return the kind of `value` in words, such as "a float" or "None"."""
        return _with_article(value)

    def record_kind(self, result: Any, wanted: str, fits: bool) -> None:
        """Record as "result" the kind `wanted`, such as "a list", if it `fits`, else its own."""
        self.record("result", wanted if fits else _with_article(result))

    def cases(self) -> Iterator[Case]:
        """Yield each case of the input `cases`; the names of its records begin with the case's."""
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
        """Return what `function.apply` returns; TypeError when `function` is no Function."""
        self.look_at_class(function)
        # Not the class's own `apply`: forward and backward are what is checked.
        apply = self._function_class().apply.__func__
        return self.call(partial(apply, function), arguments)

    def call(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Return what `function` returns; TypeError when it has given a tensor other methods."""
        result = function(*arguments.values())
        for each in (*arguments.values(), *(result if type(result) is tuple else (result,))):
            if self.is_tensor(each) and not self._is_plain(each):
                raise TypeError("a plain tensor is expected, with the engine's methods")
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
            # Look beneath decorators such as `once_differentiable`, whose code is the engine's.
            code = getattr(unwrap(told) if hasattr(told, "__wrapped__") else told, "__code__", None)
            if not isinstance(code, CodeType):
                continue
            if code.co_flags & RUNS_LATER:
                raise TypeError(
                    f"its {name} has a yield or an async in it, so calling it does not run it"
                )
            if not code.co_filename.startswith(_engine()):
                continue
            if code is not getattr(self._function_class(), name).__code__:
                raise TypeError(f"its {name} is one of the engine's own, but it should be yours")

    def _instead_of_a_function(self, value: Any) -> str:
        """Return in words what `value` is, which should have been a subclass of Function."""
        if issubclass(type(value), type):
            return "another class"
        if issubclass(type(value), self._function_class()):
            return "an instance of one"
        if getattr(value, "__func__", None) is self._function_class().apply.__func__:
            return "its apply"
        return _with_article(value)

    def apply(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Return the tensor that `function.apply` returns; TypeError when it returns none."""
        output = self.run(function, arguments)
        if not self.is_tensor(output):
            raise TypeError(f"apply returned {_with_article(output)}, not a Tensor")
        return output

    def apply_elsewhere(self, function: Any, arguments: Mapping[str, Any]) -> Any:
        """Apply `function` to other values, as a call between forward and backward of the first."""
        others = {
            name: (value.detach() * -2).requires_grad_(value.requires_grad).clone()
            if self.is_tensor(value) and value.dtype.is_floating_point
            else value
            for name, value in arguments.items()
        }
        return self.run(function, others)

    def watch_gradient(self, output: Any) -> Callable[[], bool]:
        """Return a function that says, after backward, whether `output`'s gradient is unchanged."""
        arrived: list[Any] = []
        if output.requires_grad:
            note = hidden(lambda gradient: arrived.append((gradient, gradient.clone())))
            output.register_hook(note)
        return lambda: all(
            same_numbers(self.numbers(gradient), self.numbers(before))
            for gradient, before in arrived
        )

    def change(self, tensor: Any) -> Callable[[], bool]:
        """Change `tensor` in place; return a function that says whether the change is still there.

        TypeError when `tensor` does not change, because a student's code prevents it.
        """
        before = self.numbers(tensor).copy()
        self.torch.Tensor.add_(tensor, 1)
        after = self.numbers(tensor).copy()
        if np.array_equal(before, after):
            raise TypeError("an in-place operator no longer changes a tensor")
        return lambda: same_numbers(self.numbers(tensor), after)

    def copies(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with each tensor replaced by a clone, which is no leaf."""
        return {
            name: value.clone() if self.is_tensor(value) else value
            for name, value in arguments.items()
        }

    def frozen_but(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with all tensors but `name` detached, so that it alone learns."""
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
        """Return whether `change` before backward keeps the gradient of x right, or is refused."""
        gradients: list[Any] = []
        for each in (None, change):
            x, output, gradient = self.apply_and_change(function, each)
            try:
                output.backward(gradient)
                gradients.append(x.grad.numpy().copy())
            except RuntimeError:
                gradients.append(gradients[0])
        return same_numbers(*gradients)

    def record_gradients(self, leaves: Mapping[str, Any]) -> None:
        """Record the gradient of each tensor in `leaves` that requires grad."""
        for name, leaf in leaves.items():
            if self.is_tensor(leaf) and leaf.requires_grad:
                self.record(f"gradient of {name}", leaf.grad)


def same_numbers(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays are equal: what is not a number stays what it is, too."""
    return bool(np.array_equal(one, other, equal_nan=True))


def observe(
    scenario: Scenario, solution: Any, inputs: Mapping[str, Any], torch: Any = None
) -> dict[str, Any]:
    """Run `scenario` on `solution` and return what was seen, as plain data.

    The keys are records, notes, error (None or a description) and stdout. An exception ends the
    scenario and not the caller, except for a KeyboardInterrupt. Grad mode, default dtype and
    warning filters are restored; random numbers start from the inputs' seed.
    """
    lab = Lab(inputs, torch)
    error, stdout = carry_out(scenario, solution, lab)
    return {"records": lab.records, "notes": lab.notes, "error": error, "stdout": stdout}


def carry_out(scenario: Scenario, solution: Any, lab: Lab) -> tuple[dict[str, Any] | None, str]:
    """Run `scenario` on `solution` in `lab`, as `observe` does; return the error and the stdout."""
    output = _Capped()
    error = None
    with (
        same_start(lab.torch, lab._seed, lab.note),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
    ):
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
    """The names of the methods of `kind`, which no instance may replace."""
    return frozenset(name for name in dir(kind) if callable(getattr(kind, name, None)))


def _signed(key: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return numbers of either sign between 1.1 and 2 that follow from `key`.

    Making one of NumPy's generators would take ten times as long as drawing these few numbers.
    """
    drawn = np.frombuffer(shake_128(key.encode()).digest(4 * prod(shape)), "<i4")
    centred = drawn * (0.9 / 2**31)
    return (centred + np.copysign(1.1, centred)).astype(np.float32).reshape(shape)


def _look_at_kind(solution: Any) -> None:
    """Raise TypeError when `solution` is an async function, which a plain call does not run."""
    if inspect.iscoroutinefunction(solution) or inspect.isasyncgenfunction(solution):
        raise TypeError("a function with async def does not run when it is called")


def _with_article(value: Any) -> str:
    if value is None:
        return "None"
    if type(value) is np.ndarray:
        return "a NumPy array"
    name = type.__getattribute__(type(value), "__name__")
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


class _Capped(io.StringIO):
    """A text stream that drops what exceeds MAX_OUTPUT."""

    def write(self, text: str) -> int:
        super().write(str(text)[: max(0, MAX_OUTPUT - self.tell())])
        return len(text)

    def close(self) -> None:
        """Stay open, so that `sys.stdout.close()` in a solution does not lose the output."""
