"""`make_dot` draws the graph that was recorded for a tensor."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from autograd_core.drawing.figure import Graph
from autograd_core.drawing.svg import Figure
from autograd_core.drawing.traced_graph import trace
from autograd_core.tensor import Tensor


def make_dot(z: Any, params: Mapping[str, Any] | None = None, show_saved: bool = False) -> Any:
    """Draw the graph that was recorded for `z`, a tensor or a sequence of tensors.

    Leaves are boxes, functions pills, outputs boxes with a double border; edges point the way the
    data went. `params` names tensors, leaves and intermediates alike. With `show_saved`, what each
    function keeps for backward is drawn too, with the version at which it was kept. A tensor that
    was detached, or made under `no_grad`, is not in the graph and therefore not in the figure.
    Where the package `graphviz` is installed, the figure is a `graphviz.Digraph`, which can be
    changed and, by the program `dot`, rendered; it shows itself by our SVG. Raises TypeError when
    `z` or a value of `params` is no tensor. (torchviz: make_dot.)
    """
    outputs = list(z) if isinstance(z, (list, tuple)) else [z]
    names = {str(name): tensor for name, tensor in (params or {}).items()}
    for what, tensor in [("z", output) for output in outputs] + list(names.items()):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"make_dot needs tensors, but {what} is a {type(tensor).__name__}")
    graph = Graph(trace(outputs, names, show_saved))
    try:
        kind = _digraph()
    except ImportError:
        return graph
    first, *body, last = graph.source.splitlines(keepends=True)
    assert (first, last) == ("digraph {\n", "}\n")
    drawn = kind(body=body)
    drawn.figure = graph
    return drawn


@functools.cache
def _digraph() -> Any:
    import graphviz

    class DrawnDigraph(graphviz.Digraph):
        """A Digraph that brings a figure of itself, with `svg` and `text`."""

        figure = Figure("", "")

        svg, text = property(attrgetter("figure.svg")), property(attrgetter("figure.text"))
        _repr_svg_, _repr_mimebundle_ = Figure._repr_svg_, Figure._repr_mimebundle_
        __repr__ = __str__ = Figure.__repr__

    return DrawnDigraph
