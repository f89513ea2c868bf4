"""Finds the installed distributions that a site is built from."""

from __future__ import annotations

from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from graders.site import SiteError

PINNED = {"jupyterlite-core": "0.7.6", "jupyterlite-pyodide-kernel": "0.7.0"}
"""Releases that were tested together, with the pyodide of `graders.site.pyodide`."""

IPYTHON = ((9, 0), (9, 16))
"""The first version of IPython that works, and the first that lacks a part the kernel uses."""

NEEDED = ("anywidget", "ipywidgets", "packaging", "jupyter-server")
GET_IT = "Install what a site is built from: pip install 'autograd-lessons[site]'"


def check_builder() -> None:
    """Raise SiteError, with how to install it, unless all that builds a site is installed."""
    for name, pinned in PINNED.items():
        found = installed(name).version
        if found != pinned:
            raise SiteError(f"{name} {found} is installed; a site needs {name} {pinned}. {GET_IT}")
    for name in NEEDED:
        installed(name)
    found = installed("ipython").version
    first, end = IPYTHON
    if not first <= tuple(map(int, found.split(".")[:2])) < end:
        wanted = f"at least {_dotted(first)} and below {_dotted(end)}"
        raise SiteError(f"IPython {found} is installed; a site needs {wanted}. {GET_IT}")


def installed(name: str) -> Distribution:
    """The distribution `name`. SiteError, which says how to install it, when it is missing."""
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise SiteError(f"{name} is not installed in this environment. {GET_IT}") from error


def page_extension(brought_by: str, name: str) -> Path:
    """The folder of JupyterLab's extension `name` in the distribution `brought_by`.

    Raises SiteError when the distribution does not have it.
    """
    end = f"share/jupyter/labextensions/{name}/package.json"
    for path in installed(brought_by).files or ():
        if path.as_posix().endswith(end):
            return Path(str(path.locate())).resolve().parent
    raise SiteError(
        f"{brought_by} is installed without its extension for JupyterLab."
        f" Install it as usual: pip install --force-reinstall {brought_by}"
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
