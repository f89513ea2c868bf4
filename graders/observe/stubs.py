"""Stand-ins for what notebooks import and an isolated worker does not have: cards, widgets, plots.

They let a lesson's demonstrations, and what a student shows beside an answer, run on without
showing anything. `check` answers None: nothing
in the worker knows whether a solution is right.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

OF_LESSONS = frozenset({"IPython", "anywidget", "graders", "ipywidgets", "lessons", "matplotlib"})
OF_STUDENTS = frozenset({"graphviz", "pandas", "plotly", "seaborn", "torchviz", "tqdm"})
ABSENT = OF_LESSONS | OF_STUDENTS


class Silent:
    """Whatever is done to it, it answers with itself and shows nothing."""

    def __getattr__(self, name: str) -> Silent:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **options: Any) -> Silent:
        """Answer a call with the same silence."""
        return self

    def __getitem__(self, key: Any) -> Silent:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Silent]:
        # `figure, axes = plt.subplots()` is what lessons unpack.
        return iter((self, self))

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __repr__(self) -> str:
        return ""


class Bar(Silent):
    """A bar of progress that is not shown: what it goes through comes as it is."""

    def __init__(self, through: Any = (), *arguments: Any, **options: Any) -> None:
        self._through = through

    def __iter__(self) -> Iterator[Any]:
        return iter(self._through)

    def __len__(self) -> int:
        return len(self._through)


def _counting(*numbers: int, **options: Any) -> Bar:
    return Bar(range(*numbers))


class SilentModule(ModuleType):
    """A module, and a package of any modules, with every name in it `Silent`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent()

    def __call__(self, *arguments: Any, **options: Any) -> None:
        """`from graders.check import check` may have put a module where a function was."""


class SilentModules(Loader):
    """The import system's last resort for the names in ABSENT."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The import system's question: where is `name`?"""
        if name.partition(".")[0] not in ABSENT:
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty stand-in."""
        return SilentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is to be run; some modules have a name or two that do something."""
        if module.__name__ == "graders.check":
            module.__dict__["check"] = check
        if module.__name__.partition(".")[0] == "tqdm":
            module.__dict__.update(tqdm=Bar, trange=_counting)


def check(*arguments: Any, **options: Any) -> None:
    """Take the place of `graders.check`."""


def install() -> None:
    """Put the stand-ins where `import` finds them when it finds nothing else."""
    sys.meta_path.append(SilentModules())
    graders = sys.modules.get("graders")
    if graders is not None:
        graders.__dict__["check"] = check
        graders.__dict__["__getattr__"] = _silent_name


def _silent_name(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Silent()
