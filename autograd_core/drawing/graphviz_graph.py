"""The figure of a graph as an object of the package `graphviz`, for those who have it."""

from __future__ import annotations

import functools
from typing import Any

from autograd_core.drawing.figure import Graph


def with_graphviz(graph: Graph) -> Any:
    """Return `graph` as a `graphviz.Digraph`, or as it is where that package is missing.

    It shows itself as before, in a notebook by our SVG: the package draws by a program, `dot`, that
    many do not have. Those who do can change the graph, `render` it and `pipe` it.
    """
    try:
        kind = _digraph()
    except ImportError:
        return graph
    first, *body, last = graph.source.splitlines(keepends=True)
    assert (first, last) == ("digraph {\n", "}\n")
    drawn = kind(body=body)
    drawn.svg, drawn.text = graph.svg, graph.text
    return drawn


@functools.cache
def _digraph() -> Any:
    import graphviz

    class DrawnDigraph(graphviz.Digraph):
        """A Digraph that brings a picture of itself, `svg`, and its words, `text`."""

        svg = text = ""

        def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
            return {"image/svg+xml": self.svg, "text/plain": self.text}

        def _repr_svg_(self) -> str:
            return self.svg

        def __repr__(self) -> str:
            return self.text

        __str__ = __repr__

    return DrawnDigraph
