"""The backward that is running in this thread, if one is."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograd_core.graph.graph_task import GraphTask


class _Running(threading.local):
    task: GraphTask | None = None


running = _Running()
