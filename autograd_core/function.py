"""`Function`: an operation with its forward and backward; `apply` is the one way into the graph.

Every operator of this package is such a class, and so are those that students write.
"""

from __future__ import annotations

import warnings
from typing import Any

from autograd_core import forward_ad
from autograd_core.grad_mode import mode
from autograd_core.node import Node, gradient_edge, next_sequence
from autograd_core.saved_tensor import FREED, SavedTensor
from autograd_core.tensor import Tensor
from autograd_core.wrap_outputs import wrap_outputs

_BACKWARD_AND_VJP = (
    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
    "implement one of them."
)


def _both_backward_and_vjp(ctx: Any, *grads: Any) -> Any:
    raise RuntimeError(_BACKWARD_AND_VJP)


class FunctionCtx(Node):
    """The context that forward and backward share, and at the same time the node of the graph.

    Each `Function` subclass gets its own subclass of this, named `<Function>Backward`.
    """

    _function: type[Function]
    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads = True

    _to_save: tuple[Tensor | None, ...] = ()
    _saved: tuple[SavedTensor, ...] | None = None
    _freed = False
    _dirty: tuple[Tensor, ...] = ()
    _non_differentiable: tuple[Tensor, ...] = ()
    _is_tensor: tuple[bool, ...] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for backward, where `saved_tensors` returns them.

        They are kept with their version after forward; reading one that has been changed in place
        since raises RuntimeError. Raises TypeError for anything but tensors and None.
        """
        for position, tensor in enumerate(tensors):
            if not (tensor is None or isinstance(tensor, Tensor)):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {position} is of "
                    f"type {type(tensor).__name__}"
                )
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`; in this engine `saved_tensors` serves both modes."""
        if not self._to_save:
            self.save_for_backward(*tensors)

    def mark_dirty(self, *args: Tensor) -> None:
        """Say which inputs forward changes in place; all of them must be returned as outputs.

        Changes and repairs nothing: it bumps the version, so that tensors saved before the change
        raise in backward instead of giving a wrong gradient, and it moves the changed tensor's
        place in the graph to this node.
        """
        if not all(isinstance(arg, Tensor) for arg in args):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")
        self._dirty = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Say which outputs have no gradient, such as indices."""
        if not all(isinstance(arg, Tensor) for arg in args):
            raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
        self._non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether backward gets zeros (the default) or None for outputs without a gradient."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept; RuntimeError when changed in place since, or freed."""
        if self._freed:
            raise RuntimeError(FREED)
        if self._saved is None:
            return self._to_save
        return tuple([saved.read(self) for saved in self._saved])

    @property
    def saved(self) -> tuple[SavedTensor, ...]:  # type: ignore[override]
        """The slots behind `saved_tensors`, to look at: tensor, version, whether it is stale."""
        return self._saved or ()

    def keep_saved(self, outputs: tuple[Any, ...]) -> None:
        """Turn what forward asked to save into slots with versions; forward is over."""
        names = self._function.saved_names
        self._saved = tuple(
            [
                SavedTensor(
                    tensor,
                    names[i] if i < len(names) else str(i),
                    any(tensor is output for output in outputs),
                )
                for i, tensor in enumerate(self._to_save)
            ]
        )
        # What forward was told about tensors must not keep them, and thereby itself, alive.
        self._to_save = self._dirty = self._non_differentiable = ()

    def release(self) -> None:
        """Forget the saved tensors; reading them from now on raises."""
        for saved in self._saved or ():
            saved.tensor = None
        self._saved, self._freed = (), True

    def name(self) -> str:
        """Return the node's name, such as `MulBackward0` or `SquareBackward`."""
        return self._function.node_name or type(self).__name__

    def __repr__(self) -> str:
        module = "" if self._function.node_name else "torch.autograd.function."
        return f"<{module}{self.name()} object at {id(self):#x}>"

    def __call__(self, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        """Run the Function's backward and check that it returned one gradient per input."""
        if self.materialize_grads and any(grad is None for grad in grads):
            grads = tuple(self._materialized(grads))
        result = self._function.backward(self, *grads)
        if not isinstance(result, tuple):
            result = (result,)
        return self._per_edge(result)

    def _materialized(self, grads: tuple[Tensor | None, ...]) -> list[Tensor | None]:
        from autograd_core.creation import zeros_of

        return [
            zeros_of(*metadata) if grad is None and metadata is not None else grad
            for grad, metadata in zip(grads, self.output_metadata, strict=True)
        ]

    def _per_edge(self, grads: tuple[Any, ...]) -> tuple[Tensor | None, ...]:
        expected = len(self._is_tensor)
        if len(grads) != expected:
            if len(grads) < expected or any(grad is not None for grad in grads[expected:]):
                raise RuntimeError(
                    f"function {self.name()} returned an incorrect number of gradients "
                    f"(expected {expected}, got {len(grads)})"
                )
            grads = grads[:expected]
        per_edge = []
        for position, (grad, is_tensor) in enumerate(zip(grads, self._is_tensor, strict=True)):
            if not is_tensor and grad is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{position + 1}, but the corresponding forward input was not a Variable"
                )
            if grad is not None and not isinstance(grad, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
            if is_tensor or self._function.edges_for_numbers:
                per_edge.append(grad)
        return tuple(per_edge)


class Function:
    """Base class of differentiable operations: define static `forward` and `backward`.

    `forward(ctx, *args)` computes; or `forward(*args)` together with
    `setup_context(ctx, inputs, output)`. `backward(ctx, *grad_outputs)` returns one gradient for
    each argument of forward, None for those that need none. `jvp(ctx, *tangents)` is forward mode's
    counterpart. Use with `apply`. (PyTorch: "Extending PyTorch", torch.autograd.Function.)
    """

    # Only this package's operators set these: the node's name where it differs from the rule, the
    # names of the saved slots, whether numbers get an (empty) edge as in PyTorch's operators, and
    # whether outputs are views that the engine can follow through in-place changes.
    node_name: str = ""
    saved_names: tuple[str, ...] = ()
    edges_for_numbers: bool = False
    makes_views: bool = False

    _node_class: type[FunctionCtx] = FunctionCtx
    _has_setup_context = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._node_class = type(cls.__name__ + "Backward", (FunctionCtx,), {"_function": cls})
        cls._has_setup_context = cls.setup_context is not Function.setup_context
        if "vjp" in cls.__dict__:
            if "backward" in cls.__dict__:
                cls.vjp = staticmethod(_both_backward_and_vjp)
            cls.backward = cls.vjp  # type: ignore[method-assign]  # two names of one method

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; nothing is recorded inside."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save for backward, when `forward` does without `ctx`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradient of each argument of forward, given those of the outputs."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangent of each output, given those of the inputs."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with "
            "forward mode AD."
        )

    def __init__(self) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse the style that PyTorch gave up."""
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. "
            "Please use new-style autograd function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, when grad mode is on and a tensor requires grad, record the node."""
        ctx = cls._node_class()
        is_tensor = tuple([isinstance(arg, Tensor) for arg in args])
        needs = tuple([is_tensor[i] and arg.requires_grad for i, arg in enumerate(args)])
        ctx.needs_input_grad = needs
        recording = mode.enabled and True in needs
        if recording:
            ctx._is_tensor = is_tensor
            ctx.sequence = next_sequence()
            if cls.edges_for_numbers:
                ctx.next_functions = tuple(
                    [gradient_edge(a) if is_tensor[i] else (None, 0) for i, a in enumerate(args)]
                )
            else:
                ctx.next_functions = tuple(
                    [gradient_edge(arg) for i, arg in enumerate(args) if is_tensor[i]]
                )

        enabled_before, mode.enabled = mode.enabled, False
        try:
            if cls._has_setup_context:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *args, **kwargs)
        finally:
            mode.enabled = enabled_before

        output = wrap_outputs(ctx, args, output, recording)
        if recording:
            ctx.keep_saved(output if isinstance(output, tuple) else (output,))
        if forward_ad.active():
            forward_ad.push_tangents(ctx, args, output)
        return output
