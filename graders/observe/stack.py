"""Has the standard library handle frames with more care than it does on its own.

While it does, it runs code that a student may have replaced, such as `itertools.islice`, and this
could take the frames.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any

from graders.observe.hidden import with_constant

ASK = "what asks the guard"
"""The constant in the code of `walk_stack` that stands for `sys._getframe`."""


def be_careful() -> None:
    """Replace what walks up the stack for `traceback`, and let `logging` look at no frames."""
    code = with_constant(walk_stack, ASK, sys._getframe)
    # With the globals of `traceback`, because only its own code is trusted there.
    replacement: Any = FunctionType(code, vars(traceback), walk_stack.__name__)
    traceback.walk_stack = replacement
    vars(logging)["currentframe"] = no_frame
    # Otherwise it shows the stack when a message does not fit its arguments.
    logging.raiseExceptions = False


def walk_stack(frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
    """Do what that of `traceback` does, and ask the guard at each step who gets the frame."""
    ask: Any = "what asks the guard"
    if frame is None:
        frame = own = ask()
        while frame is not None and frame.f_globals is own.f_globals:
            frame = frame.f_back
    while frame is not None:
        ask()
        yield frame, frame.f_lineno
        frame = frame.f_back


def no_frame() -> None:
    """Return None, as where there are no frames: `logging` then does not say who called it."""
