"""Freeing a graph that is longer than a browser's stack is deep."""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from autograd_core.node import Node
from autograd_core.ownership import ALONE
from autograd_core.tensor import Tensor


def attach() -> None:
    """Have every node free by itself what only it holds."""
    Node.__del__ = take_apart  # type: ignore[attr-defined]


def take_apart(node: Node) -> None:
    """Free one by one what only `node` holds; called when `node` itself is freed.

    Python frees a chain of objects by recursion in C, down to a depth for which the usual stack
    suffices. A browser's stack is smaller: freeing a graph of three thousand operators would end
    the Python that runs in the page.
    """
    waiting = list(vars(node).values())
    vars(node).clear()
    while waiting:
        held: Any = waiting.pop()
        if getrefcount(held) > ALONE:
            continue
        if isinstance(held, Node | Tensor):
            waiting += vars(held).values()
            vars(held).clear()
        elif type(held) in (list, tuple):
            waiting += held
