"""Python's collector of garbage, which looks at all there is again and again, or is frozen."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

# Python 3.12 has some hundreds of objects frozen when it starts.
_FROM_THE_START = 1_000


def _is_frozen() -> bool:
    """Return whether somebody has frozen what there is, who wants it to stay so."""
    return gc.get_freeze_count() > _FROM_THE_START


@contextlib.contextmanager
def on_new_objects() -> Iterator[None]:
    """Let the collector look at what comes into being now, and not at the whole kernel again.

    A solution that holds on to much makes it run often.
    """
    if _is_frozen():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextlib.contextmanager
def frozen() -> Iterator[None]:
    """Take what there is from the collector: what it never looks at, copies of us go on sharing."""
    was_frozen = _is_frozen()
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not was_frozen:
            gc.unfreeze()
