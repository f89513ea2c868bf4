"""Backward hooks of modules: they see the gradients that arrive at outputs and leave by inputs.

Inputs and outputs of a call pass through a node that does nothing, and has the hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial, update_wrapper
from typing import Any

from autograd_core.function import Function
from autograd_core.messages import warn
from autograd_core.modes.grad_mode import mode
from autograd_core.tensor import Tensor

_Grads = tuple[Any, ...]

_NO_INPUT_REQUIRES_GRAD = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since "
    "no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/"
    "torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details."
)
_SHOULD_RETURN_NONE = (
    "Backward hook for Modules where no input requires gradient should always return None or None "
    "for all gradients."
)
_OLD = "Using {} is deprecated and will be removed in future versions. This hook will be missing "
_ODD = "non-full backward hooks on a Module that does not {} a single Tensor or a tuple of Tensors"
_WHEN = "a non-full backward hook when {}"
_USE_FULL = " Please use register_full_backward_hook to get the documented behavior."


class BackwardHookFunction(Function):
    """Its inputs, unchanged: a node on which hooks can be registered."""

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> tuple[Tensor, ...]:
        """Return the inputs."""
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> _Grads:
        """Return the gradients."""
        return grad_outputs


class GradientsOfCall:
    """The gradients of one call of a module, as its backward hooks see and replace them."""

    def __init__(self, module: Any, before: list[Callable], after: list[Callable]) -> None:
        self.module, self.before, self.after = module, before, after
        self.grad_outputs: _Grads | None = None
        # The positions of the watched tensors among inputs and outputs; None if there are none.
        self.inputs: list[int] | None = None
        self.outputs: list[int] | None = None
        self.input_count = self.output_count = 0

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments; tensors have passed through a node, after which the hooks run."""
        self.input_count = len(args)
        args, self.inputs = _through_a_node(args, self._leave)
        return args

    def watch_outputs(self, result: Any) -> Any:
        """Return the output; it has passed through a node, at which its gradients arrive."""
        if not isinstance(result, Tensor | tuple):
            warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of "
                f"Tensors but received {type(result)}"
            )
        outputs = result if isinstance(result, tuple) else (result,)
        self.output_count = len(outputs)
        outputs, self.outputs = _through_a_node(outputs, self._arrive)
        return outputs if isinstance(result, tuple) else outputs[0]

    def _arrive(self, _: _Grads, grads: _Grads) -> _Grads:
        self.grad_outputs = _spread(grads, self.outputs, self.output_count)
        for hook in self.before:
            replaced = hook(self.module, self.grad_outputs)
            if replaced is not None:
                _check_count("pre hook", "grad_output", replaced, self.grad_outputs)
                self.grad_outputs = replaced
        arrived: Any = self.grad_outputs
        if self.inputs is None:
            warn(_NO_INPUT_REQUIRES_GRAD)
            for hook in self.after:
                replaced = hook(self.module, (None,) * self.input_count, arrived)
                if replaced is not None and not (
                    isinstance(replaced, tuple) and all(each is None for each in replaced)
                ):
                    raise RuntimeError(_SHOULD_RETURN_NONE)
            self.grad_outputs = None
        return tuple([arrived[position] for position in self.outputs or ()])

    def _leave(self, grads: _Grads, _: _Grads) -> _Grads | None:
        if self.grad_outputs is None:
            # A gradient came to the input without passing the output, as in double backward.
            return None
        grad_inputs = _spread(grads, self.inputs, self.input_count)
        for hook in self.after:
            replaced = hook(self.module, grad_inputs, self.grad_outputs)
            if replaced is not None:
                _check_count("hook", "grad_input", replaced, grad_inputs)
                grad_inputs = replaced
        self.grad_outputs = None
        return tuple([grad_inputs[position] for position in self.inputs or ()])


def _through_a_node(
    values: tuple[Any, ...], told: Callable[[_Grads, _Grads], _Grads | None]
) -> tuple[tuple[Any, ...], list[int] | None]:
    """Return `values`, and the positions of tensors among them, which have passed through a node.

    After the node has run, `told` gets the gradients that it returned and those that it got.
    """
    positions = [at for at, value in enumerate(values) if isinstance(value, Tensor)]
    if not (mode.enabled and any(values[at].requires_grad for at in positions)):
        return values, None
    passed = BackwardHookFunction.apply(*[values[at] for at in positions])
    replaced = dict(zip(positions, passed, strict=True))
    together = [replaced.get(at, value) for at, value in enumerate(values)]
    node = next(tensor.grad_fn for tensor in passed if tensor.grad_fn is not None)

    # PyTorch's errors contain this name.
    def hook(sent: _Grads, arrived: _Grads) -> _Grads | None:
        return told(sent, arrived)

    node.register_hook(hook)
    make = getattr(type(values), "_make", tuple)
    return make(together), positions


def _spread(grads: _Grads, positions: list[int] | None, count: int) -> _Grads:
    found = dict(zip(positions or (), grads, strict=True))
    return tuple([found.get(position) for position in range(count)])


def _check_count(kind: str, of: str, replaced: Any, expected: _Grads) -> None:
    if len(replaced) != len(expected):
        raise RuntimeError(
            f"Backward {kind} returned an invalid number of {of}, got {len(replaced)}, but "
            f"expected {len(expected)}"
        )


def register_on_maker(
    module: Any, hooks: Iterable[Callable], args: tuple[Any, ...], result: Any
) -> None:
    """Register PyTorch's old backward hooks on the `grad_fn` of the (first) output."""
    tensor = result
    while not isinstance(tensor, Tensor):
        found = tensor.values() if isinstance(tensor, dict) else [tensor[0]]
        tensor = next(each for each in found if isinstance(each, Tensor) or len(found) == 1)
    node = tensor.grad_fn
    if node is not None:
        for hook in hooks:
            node.register_hook(_bound(hook, module))
        _warn_of_what_is_missed(args, result, node)


def _bound(hook: Callable, module: Any) -> Callable:
    """Return a hook of a node that calls `hook` with the module first, and has its name."""
    bound = partial(hook, module)
    update_wrapper(bound, hook)
    return bound


def _warn_of_what_is_missed(args: tuple[Any, ...], result: Any, node: Any) -> None:
    results = result if isinstance(result, tuple) else (result,)
    makers = {each.grad_fn for each in results if isinstance(each, Tensor)} - {None}
    if not all(isinstance(each, Tensor) for each in results):
        use, missed = _ODD.format("return"), "some of the grad_output." + _USE_FULL
    elif not all(isinstance(each, Tensor) for each in args):
        use, missed = _ODD.format("take as input"), "some of the grad_input." + _USE_FULL
    elif len(makers) > 1:
        use = _WHEN.format("outputs are generated by different autograd Nodes")
        missed = "some grad_output." + _USE_FULL
    elif {each.grad_fn for each in args} - {None} != {edge[0] for edge in node.next_functions}:
        use = _WHEN.format("the forward contains multiple autograd Nodes")
        missed = "some grad_input." + _USE_FULL
    else:
        return
    warn(_OLD.format(use) + missed, FutureWarning)
