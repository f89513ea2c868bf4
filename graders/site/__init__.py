"""A static site on which the lessons run in the learner's browser, with no server behind them.

It is JupyterLite: JupyterLab as plain files, and a Python kernel that pyodide brings into the page.
"""

from __future__ import annotations


class SiteError(Exception):
    """The site cannot be built; the message says why and what to do."""
