"""Watches a training loop from outside: what its backward walks start from and leave behind.

For scenarios of exercises in which students write the loop themselves.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from graders.observe.closures import named_in
from graders.observe.hidden import hidden
from graders.observe.lab import Lab

MAX_NODES = 2_000
LOOKED_AT = 8
FEW_STEPS = 20
"""Steps in which a model comes much nearer to the data if it learns without gradients."""

GROWS_NOT = "the loss does not grow"
CHANGES = "the loss changes from step to step"
BENDS = "the model is more than a straight line"
IS_QUICK = "the loss comes down quickly enough"
COMPARES = "each prediction is compared with its own target alone"
RESTS_NOT = "the loss does not stay too high"
NEEDED_TO_LEARN = (GROWS_NOT, CHANGES, BENDS, IS_QUICK, COMPARES, RESTS_NOT)
"""Statements recorded about a training: all are true if the model has learned."""


class Walks:
    """What was seen of the backward walks; only the first LOOKED_AT are examined."""

    def __init__(self, torch: Any, in_memory: bool, in_vain: bool = False) -> None:
        self._torch = torch
        self._in_memory = in_memory
        self._in_vain = in_vain
        self._inside = 0
        self._graphs: list[list[weakref.ref[Any]]] = []
        self._leaves: dict[int, tuple[weakref.ref[Any], np.ndarray]] = {}
        self._before: list[bytes] = []
        self.count = 0
        self.moved = 0
        self.begun_clear = 0
        self.most_alive = 0
        self.sizes: list[int] = []

    @property
    def looked_at(self) -> int:
        """How many walks were examined."""
        return min(self.count, LOOKED_AT)

    @property
    def each_moves(self) -> bool:
        """Whether the values of the leaves changed between any two successive walks examined."""
        return self.moved >= self.looked_at - 1

    @property
    def leaves_hold_gradients(self) -> bool:
        """Whether any leaf of the last walk examined has a gradient now."""
        leaves = [leaf() for leaf, _ in self._leaves.values()]
        return any(leaf is not None and leaf.grad is not None for leaf in leaves)

    def missed(self, tensor: Any) -> bool:
        """Whether `tensor` is a leaf that requires grad, and the last walk did not reach it."""
        waits = tensor.requires_grad and tensor.is_leaf and tensor.grad is None
        return bool(waits) and id(tensor) not in self._leaves

    def tensors_of(self, value: Any) -> list[Any]:
        """Return `value` if it is a tensor, else the tensors in it: in a list or in a module."""
        if issubclass(type(value), self._torch.nn.Module):
            value = list(value.parameters())
        several = list(value) if type(value) in (list, tuple) else [value]
        return [each for each in several if issubclass(type(each), self._torch.Tensor)]

    @property
    def lets_go(self) -> bool:
        """Whether at most one earlier graph was in memory whenever a walk began."""
        return self.most_alive <= 1

    def alive(self) -> int:
        """Return how many of the graphs examined are still in memory, at least in part."""
        found = self._count_graphs()
        if found > 1:
            gc.collect()
            found = self._count_graphs()
        return found

    def watching(self, walk: Callable[..., Any]) -> Callable[..., Any]:
        """Return a watched version of `walk`, a function of the tensors or edges it starts at."""

        begin, end = hidden(self._begin), hidden(self._end)
        sent = hidden(self._without_gradients) if self._in_vain else None

        @functools.wraps(walk)
        def watched(roots: Any, *rest: Any, **options: Any) -> Any:
            begin(roots)
            try:
                if sent is not None:
                    roots, *rest = sent(roots, *rest)
                return walk(roots, *rest, **options)
            finally:
                end()

        return watched

    def _without_gradients(self, roots: Any, *rest: Any) -> tuple[Any, ...]:
        """The arguments of a walk, changed so that all its gradients are zero."""
        several = roots if isinstance(roots, list | tuple) else [roots]
        if all(issubclass(type(each), self._torch.Tensor) for each in several):
            muted = [each * 0 for each in several]
            return (muted if several is roots else muted[0], *rest)
        gradients, *more = rest
        return (roots, [each * 0 for each in gradients], *more)

    def lead_to(self, model: Callable[[Any], Any], data: Lab) -> bool:
        """Whether `model` returns other values when the leaves of the last walk examined move."""

        def answer() -> np.ndarray:
            return values_of(model(data.tensor("x")), data).copy()

        before = answer()
        leaves = [leaf() for leaf, _ in self._leaves.values()]
        held = [each.detach().numpy() for each in leaves if each is not None]
        kept = [each.copy() for each in held]
        try:
            for each in held:
                each += 1
            return not np.array_equal(answer(), before)
        finally:
            for each, value in zip(held, kept, strict=True):
                each[...] = value

    def _begin(self, roots: Any) -> None:
        self._inside += 1
        if self._inside == 1:
            self._look(roots)

    def _end(self) -> None:
        self._inside -= 1

    def _look(self, roots: Any) -> None:
        self.count += 1
        if self.count > LOOKED_AT:
            return
        if self._in_memory and self.lets_go:  # otherwise known already, and looking takes long
            self.most_alive = self.alive()
        nodes = _below(self._ends(roots))
        leaves = [each.variable for each in nodes if hasattr(each, "variable")]
        self.sizes.append(len(nodes))
        self.begun_clear += not any(map(self._is_stale, leaves))
        self._leaves = {
            id(each): (weakref.ref(each), each.detach().numpy().copy()) for each in leaves
        }
        values = sorted(value.tobytes() for _, value in self._leaves.values())
        self.moved += self.count > 1 and values != self._before
        self._before = values
        self._graphs.append([weakref.ref(each) for each in nodes if not hasattr(each, "variable")])

    def _ends(self, roots: Any) -> list[Any]:
        """The nodes at which a walk from `roots` starts: tensors, or the engine's edges."""
        kind = self._torch.Tensor
        several = roots if isinstance(roots, list | tuple) else [roots]
        ends = [each.grad_fn if issubclass(type(each), kind) else each[0] for each in several]
        return [each for each in ends if each is not None]

    def _is_stale(self, leaf: Any) -> bool:
        """Whether `leaf` has moved since the last walk, but still has the gradient of before."""
        gradient = leaf.grad
        if gradient is None or not np.any(gradient.detach().numpy()):
            return False
        if id(leaf) not in self._leaves:
            return False
        known, value = self._leaves[id(leaf)]
        moved: bool = not np.array_equal(leaf.detach().numpy(), value)
        return moved and known() is leaf

    def _count_graphs(self) -> int:
        return sum(any(node() is not None for node in graph) for graph in self._graphs)


@contextlib.contextmanager
def watched_walks(torch: Any, in_memory: bool = False, in_vain: bool = False) -> Iterator[Walks]:
    """Watch `backward` and `grad` of the tensor module while the block runs.

    `in_memory`: also look whether graphs of earlier walks are still in memory. `in_vain`: make all
    gradients zero.

    If the block fails because a gradient is None, the error's message gets an explanation, in the
    same words whichever operator raised it.
    """
    walks = Walks(torch, in_memory, in_vain)
    owners = _walking(torch)
    before = [getattr(owner, name) for owner, name in owners]
    for (owner, name), walk in zip(owners, before, strict=True):
        setattr(owner, name, walks.watching(walk))
    try:
        yield walks
    except (TypeError, AttributeError) as error:
        told = _about_missing_gradient(error, walks)
        if told is not None:
            error.args = (f"{error} ({told})",)
        raise
    finally:
        for (owner, name), walk in zip(owners, before, strict=True):
            setattr(owner, name, walk)


def _walking(torch: Any) -> list[tuple[Any, str]]:
    """The functions that walk backward: the object that holds each, and its name there."""
    if torch.__name__ == "autograd_core":
        # All walks go through this one, also by functions that a student has imported by name.
        return [(importlib.import_module("autograd_core.engine"), "run")]
    return [(torch.Tensor, "backward"), (torch.autograd, "backward"), (torch.autograd, "grad")]


def _about_missing_gradient(error: Exception, walks: Walks) -> str | None:
    message = str(error)
    if "NoneType" not in message:
        return None
    if walks.count:
        if any(map(walks.missed, _tensors_in_sight(error, walks))):
            return "a gradient is None: no backward pass reaches the tensor"
        if walks.leaves_hold_gradients:
            return "a gradient is None: the tensor is not a leaf"
        return "a gradient is None: it was removed before it was used"
    if "zero_" in message or "fill_" in message:
        return "a gradient is cleared before there is one"
    return None


def _tensors_in_sight(error: Exception, walks: Walks) -> list[Any]:
    """The tensors in local variables of the functions that failed, also in lists and modules."""
    found: list[Any] = []
    trace = error.__traceback__
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            found += walks.tensors_of(value)
        trace = trace.tb_next
    return found


def _below(ends: Sequence[Any]) -> list[Any]:
    found: dict[int, Any] = {}
    waiting = list(ends)
    while waiting and len(found) < MAX_NODES:
        node = waiting.pop()
        if node is not None and id(node) not in found:
            found[id(node)] = node
            waiting += [each for each, _ in node.next_functions]
    return list(found.values())


def functions_used(start: Any, base: type) -> dict[str, type]:
    """Return by name the subclasses of `base` that `start` uses, itself or through helpers."""
    used: dict[str, type] = {}
    waiting: list[Any] = [start]
    seen: set[int] = set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or len(seen) > MAX_NODES:
            continue
        seen.add(id(thing))
        if type(thing) is FunctionType:
            waiting += [each for each in named_in(thing) if isinstance(each, FunctionType | type)]
        elif isinstance(thing, type) and issubclass(thing, base):
            used[thing.__name__] = thing
        elif isinstance(thing, type):
            waiting += [each for each in vars(thing).values() if type(each) is FunctionType]
    return used


def numbers_of(losses: Any) -> np.ndarray:
    """Return losses as an array of numbers; TypeError if one is not a number, such as a text."""
    return np.array([_number(each) for each in losses])


def _number(loss: Any) -> float:
    if not issubclass(type(loss), str):
        with contextlib.suppress(TypeError, ValueError):
            return float(loss)
    kind = type.__getattribute__(type(loss), "__name__")
    raise TypeError(f"every loss has to be a number, but one is of type {kind}")


def model_and_losses(result: Any) -> tuple[Any, Any] | None:
    """Return the two parts of what a training function returned, None for anything else."""
    if not issubclass(type(result), tuple | list) or len(result) != 2:
        return None
    model, losses = result
    if not callable(model) or not issubclass(type(losses), list | tuple | np.ndarray):
        return None
    return model, losses


def slope_and_losses(result: Any, lab: Lab) -> tuple[Any, Any] | None:
    """Record the kind of `result`, and return its two parts if it is a slope and losses."""
    wanted, several = "a pair, slope and losses", []
    if issubclass(type(result), tuple | list) and len(result) == 2:
        several = [hasattr(type(each), "__iter__") for each in result]
    if several == [True, False]:
        lab.record("result", "a pair, losses and slope")
        return None
    lab.record_kind(result, wanted, bool(several) and several[1])
    return (result[0], result[1]) if several and several[1] else None


def what_is_lacking(train: Any, data: Lab, losses: np.ndarray, straight: bool) -> str:
    """Return the first statement of NEEDED_TO_LEARN that is false, for losses that end too high.

    `straight`: the trained model is a straight line.
    """
    if not np.isfinite(losses).all() or losses[-1] > 2 * losses[0]:
        return GROWS_NOT
    if np.ptp(losses) <= 1e-6 * losses[0]:
        return CHANGES
    if straight:
        return BENDS
    late = losses[-len(losses) // 5]
    # It still comes down, if only by as little as from the beginning on.
    if losses[-1] < 0.97 * late or late - losses[-1] > 0.1 * abs(losses[0] - losses[-1]):
        return IS_QUICK
    return RESTS_NOT if _pairs_matter(train, data) else COMPARES


def _pairs_matter(train: Any, data: Lab) -> bool:
    """Return whether the losses differ when each x of a case is given another one's target."""
    x, y = data.value("x"), data.value("y")

    def losses(targets: np.ndarray) -> np.ndarray:
        _, told = train(data.build(x), data.build(targets), 3, data.value("weight_seed"))
        return numbers_of(told)

    try:
        return not np.allclose(losses(y), losses(np.roll(y, 1, axis=0)), rtol=1e-4)
    except Exception:
        return True


def learns_in_vain(train: Any, data: Lab) -> bool:
    """Return whether `train` fits the data of a case even when all gradients are zero.

    A model that learns by its backward walks then stays as it was initialised.
    """
    x, y = data.value("x"), data.value("y")

    def after(steps: int) -> np.ndarray:
        with watched_walks(data.torch, in_vain=True):
            model, _ = train(data.build(x), data.build(y), steps, data.value("weight_seed"))
        return values_of(model(data.build(x)), data)

    try:
        begun, ended = after(1), after(FEW_STEPS)
    except Exception:
        return False
    far = 0.1 * float(y.var())
    fits, moved = (float(((ended - each) ** 2).mean()) for each in (y, begun))
    return fits < far or moved > far


def values_of(output: Any, lab: Lab) -> np.ndarray:
    """Return the output of a model as an array."""
    tensor = issubclass(type(output), lab.torch.Tensor)
    return np.asarray(output.detach() if tensor else output)


def broken_parts(train: Any, lab: Lab) -> list[str]:
    """Return which of the Functions that `train` uses, its tanh and its loss, do not work.

    They are recognised by the end of their names, and compared with the engine's own.
    """
    torch = lab.torch
    numbers = np.array([[-1.5], [-0.3], [0.2], [1.1]], dtype=np.float32)
    built_in = {
        "Tanh": (torch.tanh, [numbers]),
        "MSELoss": (torch.nn.functional.mse_loss, [numbers, numbers[::-1].copy()]),
    }
    return [
        ending
        for name, part in functions_used(train, torch.autograd.Function).items()
        for ending, (right, inputs) in built_in.items()
        if name.endswith(ending) and not _alike(part, right, inputs, lab)
    ]


def _alike(part: Any, right: Callable[..., Any], inputs: Sequence[np.ndarray], lab: Lab) -> bool:
    """Return whether a Function and a function agree in value and in the first input's gradient."""
    found = []
    for function in (part.apply, right):
        arguments = [lab.build(each) for each in inputs]
        arguments[0].requires_grad_()
        try:
            with lab.torch.enable_grad():
                output = function(*arguments)
                # Times 3, so that a backward that ignores grad_output gives another gradient.
                (gradient,) = lab.torch.autograd.grad((output * 3).sum(), arguments[:1])
            found.append((output.detach().numpy(), gradient.numpy()))
        except Exception:
            return False
    mine, right_ones = found
    return all(
        one.shape == other.shape and np.allclose(one, other, rtol=1e-3, atol=1e-5)
        for one, other in zip(mine, right_ones, strict=True)
    )
