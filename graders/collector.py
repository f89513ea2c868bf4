"""Python's garbage collector, kept from scanning objects that stay anyway."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

# Python 3.12 starts with some hundreds of frozen objects.
_FROM_THE_START = 1_000


def _is_frozen() -> bool:
    """Return whether somebody else has frozen objects already, and wants them to stay frozen."""
    return gc.get_freeze_count() > _FROM_THE_START


@contextlib.contextmanager
def on_new_objects() -> Iterator[None]:
    """Have the collector scan new objects only, instead of the whole kernel each time.

    A solution that keeps many objects alive makes it run often.
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
    """Hide existing objects from the collector: it would write to memory that forks still share."""
    was_frozen = _is_frozen()
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not was_frozen:
            gc.unfreeze()
