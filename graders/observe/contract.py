"""Looks at a Function directly: what forward marks as dirty, and what backward itself returns."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from graders.observe.hidden import hidden
from graders.observe.lab import Case


def marked_inputs(case: Case, function: Any, arguments: Mapping[str, Any]) -> dict[str, bool]:
    """Return for each tensor whether the Function marks it dirty, even if the call then fails."""
    case.look_at_class(function)
    marked: list[int] = []

    def watching(told: Any) -> Any:
        def asked(ctx: Any, *more: Any) -> Any:
            result = told(ctx, *more)
            marked.extend(id(each) for each in ctx.dirty_tensors or ())
            return result

        return staticmethod(hidden(asked))

    # A Function that has a setup_context gets its ctx there, and not in forward.
    plain = function.setup_context is case.torch.autograd.Function.setup_context
    name = "forward" if plain else "setup_context"
    watched: Any = type("Watched", (function,), {name: watching(getattr(function, name))})
    with contextlib.suppress(Exception):
        watched.apply(*arguments.values())
    tensors = {name: each for name, each in arguments.items() if case.is_tensor(each)}
    return {name: id(each) in marked for name, each in tensors.items()}


def engine_may_forgive(case: Case, leaves: Mapping[str, Any], output: Any) -> bool:
    """Whether the engine might sum a gradient over broadcast axes, or drop one nobody needs."""
    shape = output.shape if case.is_tensor(output) else None
    return any(
        not leaf.requires_grad or leaf.shape != shape
        for leaf in leaves.values()
        if case.is_tensor(leaf)
    )


def look_at_gradients(case: Case, function: Any) -> None:
    """Call backward directly, to see its gradients before the engine makes them fit.

    It is called after a forward made for this purpose, because a backward need not work twice.
    TypeError when it returns a list or a dict, which the engine would take for a single gradient,
    or a single None in place of several gradients, which means a forgotten return.
    """
    leaves = case.arguments()
    tensors = {name: each for name, each in leaves.items() if case.is_tensor(each)}
    try:
        output = case.run(function, leaves)
        with case.torch.no_grad():
            raw = function.backward(output.grad_fn, case.upstream(output))
    except Exception:
        return  # the walk that follows meets the same error and records it
    for kind in (list, dict):
        if issubclass(type(raw), kind):
            needed = "where a tensor or a tuple of tensors is needed"
            raise TypeError(f"backward returned a {kind.__name__}, {needed}")
    if raw is None and len(leaves) > 1:
        raise TypeError("backward returned None, where a gradient for each argument is needed")
    raw = raw if isinstance(raw, tuple) else (raw,)
    raw = [each for each in raw if case.is_tensor(each) or each is None][: len(tensors)]
    found = dict(zip(tensors, raw, strict=False))
    unsummed = [n for n, g in found.items() if g is not None and g.shape != tensors[n].shape]
    unneeded = [n for n, g in found.items() if g is not None and not tensors[n].requires_grad]
    if unsummed:
        case.note("unsummed", unsummed)
    if unneeded:
        case.note("unneeded", unneeded)
