"""Stand-ins for what notebooks import and an isolated worker does not have: cards, widgets, plots.

With them a lesson's demonstrations, and what a student shows besides an answer, run without showing
anything. `check` returns None: nothing in the worker knows whether a solution is right. Debuggers
and profilers, which look at frames, have stand-ins as well, which never stop and measure nothing.
The stand-in for PyTorch is the engine, so that answers which import `torch` are graded like others.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

from graders.observe.own_function import yours

OF_LESSONS = frozenset({"IPython", "anywidget", "graders", "ipywidgets", "lessons", "matplotlib"})
OF_STUDENTS = frozenset({"graphviz", "marimo", "pandas", "plotly", "seaborn", "torchviz", "tqdm"})
ABSENT = OF_LESSONS | OF_STUDENTS


class Silent:
    """An object on which every operation returns the object itself and shows nothing.

    Using it as a base class, too, gives an object of this kind, and so does calling that.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in PARTS:
            return lambda *arguments, **options: Several(PARTS[name])
        return self

    def __call__(self, *arguments: Any, **options: Any) -> Silent:
        """Return this object."""
        return self

    def __getitem__(self, key: Any) -> Silent:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Silent]:
        return iter((self, self))

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __repr__(self) -> str:
        return ""

    def __format__(self, wanted: str) -> str:
        return ""

    def _combined(self, *others: Any) -> Silent:
        return self

    def __float__(self) -> float:
        return 0.0

    def __int__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _combined
    __matmul__ = __rmatmul__ = __mod__ = __floordiv__ = _combined
    __truediv__ = __rtruediv__ = __neg__ = __pow__ = __abs__ = __round__ = _combined
    __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __invert__ = _combined


PARTS = {"hist": 3, "hist2d": 4, "loglog": 1, "plot": 1, "semilogx": 1, "semilogy": 1, "step": 1}
"""How many parts a drawing function returns: `line, = plt.plot(...)` unpacks one."""


class Several(Silent):
    """A row of `count` silent parts; with `inner`, a grid that has so many parts in each row."""

    def __init__(self, count: int, inner: int = 0) -> None:
        self._parts: list[Silent] = [Several(inner) if inner else Silent() for _ in range(count)]

    def __iter__(self) -> Iterator[Silent]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, key: Any) -> Silent:
        return self._parts[key] if type(key) is int else Silent()

    @property
    def flat(self) -> Several:
        """All the parts in one row."""
        rows = [len(each) if isinstance(each, Several) else 1 for each in self._parts]
        return Several(sum(rows))

    def ravel(self, *order: Any) -> Several:
        """All the parts in one row, as with arrays."""
        return self.flat

    flatten = ravel


def _subplots(
    nrows: int = 1, ncols: int = 1, *more: Any, squeeze: bool = True, **options: Any
) -> tuple[Silent, Silent]:
    """A figure and its axes, to be unpacked as those of `matplotlib` are."""
    if not squeeze or min(nrows, ncols) > 1:
        return Silent(), Several(nrows, ncols)
    count = max(nrows, ncols)
    return Silent(), Several(count) if count > 1 else Silent()


class Bar(Silent):
    """A progress bar that is not shown; it only iterates."""

    def __init__(self, through: Any = (), *arguments: Any, **options: Any) -> None:
        self._through = through

    def __iter__(self) -> Iterator[Any]:
        return iter(self._through)

    def __len__(self) -> int:
        return len(self._through)


def _counting(*numbers: int, **options: Any) -> Bar:
    return Bar(range(*numbers))


class Profiler:
    """A stand-in for the base class of `cProfile`'s profiler, which measures nothing."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def enable(self, *arguments: Any, **options: Any) -> None:
        """Measure nothing."""

    disable = clear = enable

    def getstats(self) -> list[SimpleNamespace]:
        """A single entry, because `pstats` cannot make a table without any."""
        numbers = dict.fromkeys(("callcount", "reccallcount", "totaltime", "inlinetime"), 0)
        return [SimpleNamespace(code="nothing is measured here", calls=None, **numbers)]


class SilentModule(ModuleType):
    """A module, or a package with any submodule, in which every name is `Silent`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "pyplot":
            # `from matplotlib import pyplot` asks here before it imports.
            return importlib.import_module(f"{self.__name__}.{name}")
        return getattr(Silent(), name)

    def __call__(self, *arguments: Any, **options: Any) -> None:
        """Do nothing: `import graders.check` puts this module where the function `check` was."""


class SilentModules(Loader):
    """The last finder and loader of imports, for the packages in ABSENT."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder.find_spec`."""
        if name.partition(".")[0] not in ABSENT:
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty stand-in."""
        return SilentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing; give some modules the few names that have to do something."""
        if module.__name__ == "graders.check":
            module.__dict__["check"] = check
        if module.__name__ == "lessons.widgets":
            # Lessons and answers use what it returns.
            module.__dict__["yours"] = yours
        if module.__name__ == "matplotlib.pyplot":
            module.__dict__["subplots"] = _subplots
        if module.__name__.partition(".")[0] == "tqdm":
            module.__dict__.update(tqdm=Bar, trange=_counting)


class PyTorch(Loader):
    """The first finder and loader of imports: `torch` is the engine, which has the same names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder.find_spec`."""
        found = name.partition(".")[0] == "torch" and find_spec(_in_engine(name)) is not None
        return ModuleSpec(name, self, is_package=True) if found else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the engine's module, which may have been imported long ago, in its place."""
        sys.modules[module.__name__] = importlib.import_module(_in_engine(module.__name__))

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave that to Python."""


def _in_engine(name: str) -> str:
    return "autograd_core" + name.removeprefix("torch")


def check(*arguments: Any, **options: Any) -> None:
    """Stand in for `graders.check`."""


def install() -> None:
    """Install the stand-ins; most are imported only if nothing else of that name is found."""
    sys.meta_path.append(SilentModules())
    sys.meta_path.insert(0, PyTorch())
    sys.modules.update(pdb=SilentModule("pdb"), _lsprof=SilentModule("_lsprof"))
    vars(sys.modules["_lsprof"])["Profiler"] = Profiler
    sys.breakpointhook = Silent()
    graders = sys.modules.get("graders")
    if graders is not None:
        graders.__dict__["check"] = check
        graders.__dict__["__getattr__"] = _silent_name


def _silent_name(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return Silent()
