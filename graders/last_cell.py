"""The cell that ran before this one: whether it stopped before it had bound a name."""

from __future__ import annotations

import re
import sys
from typing import Any


def error_before(name: str) -> BaseException | None:
    """Return the error that kept the last cell from binding `name`, None if there was none.

    A cell with a syntax error counts if it mentions `name`: none of it has run.
    """
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    last: Any = getattr(shell, "last_execution_result", None)
    if last is None:
        return None
    source = str(last.info.raw_cell)
    unread, error = last.error_before_exec, last.error_in_exec
    if isinstance(unread, SyntaxError):
        return unread if re.search(rf"\b{re.escape(name)}\b", source) else None
    if error is None or name not in source:
        return None
    return error if _binds(source, name, _line(error, shell.user_global_ns)) else None


def _line(error: BaseException, names: dict[str, Any]) -> int:
    """The line of the cell with the globals `names` that had not ended when `error` arose."""
    step = error.__traceback__
    while step is not None and step.tb_frame.f_globals is not names:
        step = step.tb_next
    return step.tb_lineno if step is not None else sys.maxsize


def _binds(source: str, name: str, line: int) -> bool:
    """Whether `source` binds `name` in the statement that `line` is in, or further down."""
    # Imported on first use: most cells end well.
    from graders.reading.cells import defines, parse

    tree = parse(source)
    begin = [each.lineno for each in tree.body if (each.end_lineno or 0) >= line] if tree else []
    return bool(begin) and defines("\n".join(source.splitlines()[begin[0] - 1 :]), name)
