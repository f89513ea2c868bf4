"""Hooks on gradients: how they are run, and what they may return.

Hooks on a node see the gradients that arrive before it runs, or those it returned after it ran.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograd_core.hooks.handles import Hooks
from autograd_core.messages import type_name
from autograd_core.modes.grad_mode import mode
from autograd_core.tensor import Tensor

if TYPE_CHECKING:
    from autograd_core.node import Node

# Nodes that in PyTorch compute the gradients of all their inputs when one is needed.
_ALL_AT_ONCE = frozenset(("CatBackward0", "StackBackward0"))


def after_hooks(hooks: Hooks, value: Any, *rest: Any) -> Any:
    """Return `value` after each hook has seen it and perhaps replaced it.

    Hooks on a tensor get one gradient as `value`, hooks on a node a tuple of them and `rest`, their
    other arguments. Raises PyTorch's errors for replacements that do not fit.
    """
    for hook in list(hooks.values()):
        replaced = hook(value, *rest)
        if replaced is None or replaced is value:
            continue
        if not isinstance(value, tuple):
            _check_replacement(hook, value, replaced)
        elif not isinstance(replaced, tuple):
            raise TypeError(f"expected tuple, but hook returned '{type_name(replaced)}'")
        elif len(replaced) != len(value):
            raise RuntimeError(
                f"hook '{_name(hook)}' has returned an incorrect number of values (got "
                f"{len(replaced)}, but expected {len(value)})"
            )
        else:
            for grad, new in zip(value, replaced, strict=True):
                if new is not None:
                    _check_replacement(hook, grad, new)
        value = replaced
    return value


class NodeHooks:
    """The hooks of one node, in the order in which they run."""

    def __init__(self) -> None:
        self.before: Hooks = OrderedDict()
        self.after: Hooks = OrderedDict()

    def run(
        self,
        node: Node,
        arrived: list[Tensor | None],
        retain_graph: bool,
        checked: Callable[[Node, Sequence[Tensor | None]], tuple[Tensor | None, ...]],
        needed: set[Node] | None,
    ) -> Sequence[Tensor | None]:
        """Run `node` with its hooks; `checked` makes the gradients that it returns fit its inputs.

        Unless it is a custom Function's, hooks see None for gradients that are sent nowhere: to
        arguments that require none, or to nodes that are not among the `needed` ones.
        """
        # In place, so that nothing else holds them: an accumulator takes over what nobody holds.
        arrived[:] = after_hooks(self.before, tuple(arrived))
        if not self.after:
            return node._run(arrived, retain_graph)
        grads = tuple(arrived) if node._makers or mode.enabled else _aliases(arrived)
        # True: hooks may look at what the node has saved, and it stays if one of them fails.
        results = node._run(arrived, True)
        fitted = going_on(node, checked(node, results), needed)
        is_tensor = node.arguments_that_are_tensors()
        seen = tuple([grad for grad, shown in zip(fitted, is_tensor, strict=True) if shown])
        replaced = iter(after_hooks(self.after, seen, grads))
        return [next(replaced) if shown else None for shown in is_tensor]


def _aliases(grads: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
    """Return aliases for hooks to see, so that a leaf may still take over the gradients' memory.

    A gradient that requires grad belongs to the user, and is shown itself.
    """
    return tuple([grad if grad is None or grad.requires_grad else grad.detach() for grad in grads])


def going_on(node: Node, results: Sequence[Any], needed: set[Node] | None = None) -> Sequence[Any]:
    """Return the gradients of a node, unless it is a custom Function's only those that are sent on.

    With `needed` they are sent on only to these nodes. Nodes of `_ALL_AT_ONCE` return all or none.
    """
    if not node.is_built_in:
        return results
    goes_on = [maker and (needed is None or maker in needed) for maker in node._makers]
    if node.name() in _ALL_AT_ONCE:
        goes_on = [any(goes_on)] * len(goes_on)
    return [grad if wanted else None for grad, wanted in zip(results, goes_on, strict=True)]


def hooks_of(node: Any) -> NodeHooks:
    """Return the hooks of `node`, made if it has none."""
    if node._node_hooks is None:
        node._node_hooks, node._has_hooks = NodeHooks(), True
    return node._node_hooks


def run_after_accumulation(leaf: Tensor) -> None:
    """Run the post-accumulate-grad hooks of `leaf`; RuntimeError if one returns another tensor."""
    if after_hooks(leaf._post_accumulate_grad_hooks or OrderedDict(), leaf) is not leaf:
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def _check_replacement(hook: Callable, grad: Any, replaced: Any) -> None:
    if grad is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(replaced, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type_name(replaced)}'")
    if replaced.dtype is not grad.dtype:
        raise RuntimeError(
            f"hook '{_name(hook)}' has changed the type of value (was torch.{grad.dtype.legacy} "
            f"got torch.{replaced.dtype.legacy})"
        )
    if replaced.shape != grad.shape:
        raise RuntimeError(f"hook '{_name(hook)}' has changed the size of value")


def _name(hook: Callable) -> str:
    return getattr(hook, "__name__", "<unknown>")
