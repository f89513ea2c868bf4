"""`Operator`: a Function that returns one new tensor, or one view, computed with NumPy alone.

And what operators save for backward, each by a word: `keep_inputs`, `keep_output`, …
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_core.context import record
from autograd_core.forward_mode import levels, pushforward
from autograd_core.function import Function
from autograd_core.messages.arguments import refuse_stale
from autograd_core.modes.grad_mode import mode
from autograd_core.ops.quiet import quiet_context
from autograd_core.rules.view_creation import mark_creation

# What operators save for backward: each of these can be a `setup_context`.
keep_nothing: Any = staticmethod(lambda ctx, inputs, output: None)
keep_inputs: Any = staticmethod(lambda ctx, inputs, output: ctx.keep(inputs))
keep_output: Any = staticmethod(lambda ctx, inputs, output: ctx.keep((output,)))
keep_all: Any = staticmethod(lambda ctx, inputs, output: ctx.keep((*inputs, output)))


def keeping(count: int) -> Any:
    """Return a `setup_context` that saves `count` arguments; the others are `ctx.arguments`."""

    def keep(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.arguments = inputs[count:]
        ctx.keep(inputs[:count])

    return staticmethod(keep)


def _first_and_output(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.arguments = inputs[1:]
    ctx.keep((inputs[0], output))


keep_first, keep_first_and_output = keeping(1), staticmethod(_first_and_output)


class Operator(Function):
    """Base class of this package's operators that return one new tensor, or one view.

    A node is named after its class, as in `MulBackward0`, unless `node_name` says otherwise; base
    classes, which make no nodes, set it to "".
    `forward(*args)` computes with NumPy alone: no grad mode needs to be switched off around it.
    `setup_context` saves what backward needs, by default nothing, and runs only if the operation is
    recorded. `into(x, *args)`, if it is given, is for the in-place operator that is made of this
    one: it computes in the memory of x and returns True, or returns False if it cannot.
    """

    into: Any = None
    setup_context = keep_nothing
    # `forward`, and whether it runs without `quiet_context`: it silences NumPy's warnings itself,
    # which is faster, or computes nothing that NumPy warns of. One attribute means one look-up.
    _computed_by: tuple[Callable[..., Any], bool]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "node_name" not in vars(cls):
            cls.node_name = f"{cls.__name__}Backward0"
        is_quiet = cls.makes_views or getattr(cls.forward, "is_quiet", False)
        cls._computed_by = cls.forward, is_quiet

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward and, when grad mode is on and a tensor requires grad, record the node."""
        forward, is_quiet = cls._computed_by
        try:
            output = forward(*args) if is_quiet else quiet_context().run(forward, *args)
        except (RuntimeError, IndexError):
            refuse_stale(args)
            raise
        node = None
        if mode.enabled and (node := record(cls, args, output)) is not None:
            cls.setup_context(node, args, output)
        if output._base is not None and not (cls.makes_views and mode.enabled):
            mark_creation(output, cls)
        if levels.entered:
            if pushforward.reaches(cls, args):
                tangent_ctx = cls._node_class.for_tangents(args)
                cls.keep_for_jvp(tangent_ctx, pushforward.primals(cls, args), output)
                pushforward.push_tangents(tangent_ctx, args, output, output, node)
            else:
                pushforward.keep_apart(cls, args, output)
        return output

    @classmethod
    def keep_for_jvp(cls, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Save what `jvp` needs: by default what backward needs."""
        cls.setup_context(ctx, inputs, output)


class Linear(Operator):
    """z = f(x, ...), linear in x, which is its only tensor, so that dz = f(dx, ...).

    Backward finds the other `arguments` and the `shape` of x on its context.
    """

    node_name = ""

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Note all that forward was given except for the values of x."""
        ctx.shape, ctx.arguments = inputs[0]._array.shape, inputs[1:]

    @classmethod
    def jvp(cls, ctx: Any, *tangents: Any) -> Any:
        """Return f of the tangent."""
        return cls.apply(tangents[0], *ctx.arguments)


class Symmetric(Operator):
    """z = f(x, ...), element by element, so that dz = dx dz/dx is computed as dL/dx = g dz/dx.

    In general, the matrix of the dz_i/dx_j is symmetric. For several tensors, dz is a sum.
    """

    node_name = ""

    @classmethod
    def jvp(cls, ctx: Any, *tangents: Any) -> Any:
        """Return the sum over the tangents of what backward returns for the tangent's argument."""
        total = None
        for position, tangent in enumerate(tangents):
            if tangent is not None:
                gradients = cls.backward(ctx, tangent)
                part = gradients[position] if isinstance(gradients, tuple) else gradients
                total = plus(total, part)
        return total


def plus(a: Any, b: Any) -> Any:
    """Return the sum of two tangents, either of which may be missing."""
    if a is None or b is None:
        return b if a is None else a
    return a + b
