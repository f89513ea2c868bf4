"""`GraphTask`: one call of the engine, and the node that it is at."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from autograd_core.graph.running import running
from autograd_core.hooks import saved_tensor_hooks
from autograd_core.modes import anomaly, grad_mode
from autograd_core.modes.grad_mode import mode

if TYPE_CHECKING:
    from autograd_core.node import Edge, Node

_LEAF_CAPTURED = (
    "A leaf node was passed to _will_engine_execute_node but we are currently running "
    "autograd.grad(). This is currently not supported."
)

_ORDER_IS_OPEN = (
    "get_current_graph_task_execution_order expects the current backward to be executed with "
    "multithreading disabled, e.g. by running:\n\n>>> with "
    "torch.autograd.set_multithreading_enabled(False):\n...     torch.autograd.grad(...)\n"
)
_ORDER_IS_LOST = "the order of execution can only be asked for while the only root is running"


_ids = itertools.count()


class GraphTask:
    """One call of the engine.

    `reached` are the nodes that gradients reach, `needed` those on the way to the targets (None:
    all), and `captured` the edges whose gradients it returns. `recording` is the grad mode in which
    it runs, `only_root` the root if there is just one.

    As a context manager it sets this thread's modes and restores them, because a backward may run
    inside another one. When it ends with an error, anomaly mode reports the node that was running.
    """

    node: Node | None = None
    # How many backwards of this thread this one runs inside of.
    depth = 0
    # Marks of the hooks that run only for the first of several gradients, and have run.
    served: tuple[object, ...] = ()

    def __init__(
        self,
        reached: Collection[Node],
        needed: Collection[Node] | None,
        captured: Collection[Edge],
        recording: bool,
        only_root: Node | None,
    ) -> None:
        self.id = next(_ids)
        self.callbacks: list[Callable[[], object]] = []
        self._reached, self._needed, self._captured = reached, needed, captured
        self._recording, self._only_root = recording, only_root

    def __enter__(self) -> GraphTask:
        self._outer = outer = running.task
        if outer is not None:
            self.depth = outer.depth + 1
        running.task = self
        self._modes = modes = mode.__dict__
        self._modes_outside, self._pairs_outside = modes.copy(), saved_tensor_hooks.entered.pairs
        grad_mode.replace(self._recording)
        self._modes_inside = modes.copy()
        return self

    def set_modes(self) -> None:
        """Restore, for the next node, the modes in which the first one ran."""
        self._modes.update(self._modes_inside)

    def set_saved_tensor_hooks(self) -> None:
        """Restore the saved-tensor hooks after a node's own hooks have run, as PyTorch does."""
        if saved_tensor_hooks.entered.pairs is not self._pairs_outside:
            saved_tensor_hooks.replace(self._pairs_outside)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            # A callback may queue another one.
            while error is None and self.callbacks:
                self.callbacks.pop(0)()
        finally:
            running.task = self._outer
            self._modes.update(self._modes_outside)
            saved_tensor_hooks.replace(self._pairs_outside)
        if error is not None and self.node is not None and anomaly.mode.enabled:
            anomaly.report(self.node)

    @property
    def whole(self) -> bool:
        """Whether every leaf accumulates: backward was called without `inputs`."""
        return self._needed is None

    def will_run(self, node: Node | None) -> bool:
        """Return whether this backward runs `node`; as in PyTorch, an only root does not count.

        Raises PyTorch's RuntimeError for a leaf whose gradient this backward will return.
        """
        if node not in self._reached or node is self._only_root:
            return False
        if node is not None and (node, 0) in self._captured and not node._makers:
            raise RuntimeError(_LEAF_CAPTURED)
        return self._needed is None or node in self._needed

    def execution_order(self) -> list[Node]:
        """Return the nodes in the order in which they run.

        RuntimeError where PyTorch has one: when several threads might run them, or when any other
        node than the only root is running.
        """
        if mode.multithreading:
            raise RuntimeError(_ORDER_IS_OPEN)
        if self.node is None or self.node is not self._only_root:
            raise RuntimeError(_ORDER_IS_LOST)
        coming = Counter([following for node in self._reached for following in node._makers])
        order, ready = [], [(self.node._order, self.node)]
        while ready:
            _, node = heappop(ready)
            order.append(node)
            for following in filter(None, node._makers):
                coming[following] -= 1
                if following in self._reached and not coming[following]:
                    heappush(ready, (following._order, following))
        return order
