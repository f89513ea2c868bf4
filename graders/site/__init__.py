"""A static site on which the lessons run in the learner's browser, with no server behind them.

It uses JupyterLite: JupyterLab as plain files, with a Python kernel that pyodide runs in the page.
"""

from __future__ import annotations


class SiteError(Exception):
    """The site cannot be built; the message says why and what to do."""
