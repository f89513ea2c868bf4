"""Pages made from the gradebook: the instructor's report and each student's feedback.

The submodules are imported on first use, because a notebook's progress card needs only `words`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graders.report.pages import excerpt, feedback_page, report_page
    from graders.report.summary import summarize

__all__ = ["excerpt", "feedback_page", "report_page", "summarize"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from graders.report import pages, summary

    return getattr(pages if hasattr(pages, name) else summary, name)
