"""`Function`: an operation with its forward and backward; `apply` is the one way into the graph.

Every operator of this package is a subclass, and so are the Functions that students write.
"""

from __future__ import annotations

from typing import Any

from autograd_core.context import Context, record
from autograd_core.forward_mode import levels, pushforward
from autograd_core.function_ctx import FunctionCtx
from autograd_core.graph.node_class import FunctionMeta
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import ONLY_FUNCTIONS, mode
from autograd_core.ops.quiet import quiet_context
from autograd_core.rules.function_arguments import as_positional
from autograd_core.wrap_outputs import wrap_outputs


class Function(FunctionCtx, metaclass=FunctionMeta):
    """Base class of differentiable operations: define static `forward` and `backward`.

    `forward(ctx, *args)` computes and saves for backward; or `forward(*args)` only computes and
    `setup_context(ctx, inputs, output)` saves. `backward(ctx, *grad_outputs)` returns one gradient
    for each argument of forward, None for those that need none. `jvp(ctx, *tangents)` is forward
    mode's counterpart. Call `apply`. (PyTorch: "Extending PyTorch", torch.autograd.Function.)
    """

    # Only this package's operators set these: the name of their nodes, and of the saved slots;
    # whether an argument that is a Python number has an (empty) edge, as in PyTorch's operators;
    # whether outputs are views that the engine can follow; whether `jvp` gets zeros for None, and
    # for which arguments they are -0.0, which changes not even the sign of a zero when it is added.
    node_name: str = ""
    saved_names: tuple[str, ...] = ()
    edges_for_numbers: bool = False
    makes_views: bool = False
    materialize_grads = True
    negative_zeros: tuple[int, ...] = ()
    # Whether the `jvp` of an in-place operator changes the tangent of x, and does not need a copy.
    changes_tangent = False
    # What an in-place operator runs instead of `forward` when nothing is recorded.
    _write: Any = None

    # For torch.vmap, which is not here.
    generate_vmap_rule = False
    # Whether reading `saved_tensors` frees them, so that they can be read only once.
    clear_saved_tensors_on_access = False
    # Whether backward gets its gradients in one list, which it may empty to free memory.
    boxed_grads_call = False

    _context_class: type[Context] | None = None

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; nothing is recorded inside."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save for backward, if `forward` takes no `ctx`."""
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

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Say how to run on a batch; only `torch.vmap` would call it."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or "
            "set generate_vmap_rule=True."
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse the style that PyTorch gave up."""
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. "
            "Please use new-style autograd function with static forward method. "
            "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @classmethod
    def _defines(cls, method: str) -> bool:
        """Return whether a subclass has given its own `method`, such as "setup_context"."""
        return getattr(cls, method) is not getattr(Function, method)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, when grad mode is on and a tensor requires grad, record the node."""
        without_ctx = cls.setup_context is not _NO_SETUP
        if kwargs or without_ctx:
            args = as_positional(cls.forward, without_ctx, args, kwargs)
        # This thread's modes, looked up once: every access to a `threading.local` is slow.
        modes = mode.__dict__
        enabled, fwd_enabled = modes["enabled"], modes["fwd_enabled"]
        records = enabled or (enabled is ONLY_FUNCTIONS and not cls.node_name)
        ctx = record(cls, args) if records else None
        recording = ctx is not None
        if ctx is None:
            if cls._write is not None and not levels.entered:
                return quiet_context().run(cls._write, *args)
            ctx = cls._node_class.unrecorded(args)
        modes["enabled"] = modes["fwd_enabled"] = False
        try:
            if without_ctx:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
            elif cls.node_name:
                output = quiet_context().run(cls.forward, ctx, *args)
            else:
                output = cls.forward(ctx, *args)
        finally:
            modes["enabled"], modes["fwd_enabled"] = enabled, fwd_enabled
        wrapped = wrap_outputs(ctx, args, output, recording)
        if levels.entered:
            pushforward.push_tangents(ctx, args, output, wrapped)
            if recording:
                # Saved only now, because outputs are saved together with their tangents.
                ctx._keep_saved(wrapped if isinstance(wrapped, tuple) else (wrapped,))
        if ctx.saved_for_forward is not None:
            ctx.saved_for_forward = None
        return wrapped


_NO_SETUP = Function.setup_context
