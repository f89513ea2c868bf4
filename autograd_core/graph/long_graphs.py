"""Freeing a graph that is longer than a browser's stack is deep."""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from autograd_core.node import Node
from autograd_core.ownership import ALONE
from autograd_core.tensor import Tensor


def take_apart(node: Node) -> None:
    """Free what only `node` holds one by one, to be called when it goes itself.

    Python frees objects that hold each other in a row by a recursion of C, and stops in time where
    the stack has the size that it expects. A browser's is smaller: a graph of three thousand
    operators would end the Python that runs in the page.
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
