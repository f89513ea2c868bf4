"""What a worker may read: the interpreter, the standard library, NumPy, the engine, the observers.

The view is the same for every kind of isolation and keeps the paths of the real file system,
because interpreters and libraries hold absolute paths of their own. Folders of installed packages
are hidden as a whole, since the graders with their solutions may be among them; the packages that
a worker needs are shown again one by one and found by name (see `inner/start.py`), not by
searching a path.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SYSTEM_LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
PACKAGES = ("numpy", "autograd_core", "graders.observe", "graders.isolation.inner")


@dataclass(frozen=True)
class View:
    """Absolute paths: `roots` are readable except for what is `hidden`; the others always are."""

    interpreter: Path
    roots: tuple[Path, ...]
    hidden: tuple[Path, ...]
    packages: Mapping[str, Path]
    libraries: tuple[Path, ...]

    @property
    def start(self) -> Path:
        """The script that every nursery begins with."""
        return self.packages["graders.isolation.inner"] / "start.py"

    def shown(self) -> tuple[Path, ...]:
        """All that is readable, as paths that have nothing hidden below them."""
        return self._shown

    @functools.cached_property
    def _shown(self) -> tuple[Path, ...]:
        open_roots = [path for root in self.roots for path in _carved(root, self.hidden)]
        return tuple(dict.fromkeys([*open_roots, *self.packages.values(), *self.libraries]))


@functools.cache
def worker_view() -> View:
    """The view for this interpreter and these packages, wherever they are installed."""
    interpreter = _interpreter()
    prefixes = [Path(sys.base_prefix), interpreter.parent.parent]
    roots = [prefix / lib for prefix in prefixes for lib in ("lib", "lib64")]
    roots += [Path(os.__file__).resolve().parent, Path(sysconfig.get_path("platstdlib"))]
    roots += [Path(path) for path in (*SYSTEM_LIBRARIES, *SYSTEM_FILES)]
    packages = {name: _folder_of(name) for name in PACKAGES}
    numpy_libraries = packages["numpy"].with_name("numpy.libs")
    known = [path for path in dict.fromkeys(roots) if os.path.exists(path)]
    known = [path for path in known if not _is_virtual_environment(path)]
    return View(
        interpreter=interpreter,
        roots=(interpreter, *known),
        hidden=tuple(sorted(_package_folders(known))),
        packages=packages,
        libraries=(numpy_libraries,) if numpy_libraries.is_dir() else (),
    )


def _interpreter() -> Path:
    """The real path of the interpreter, which in a virtual environment is only linked to."""
    base = Path(getattr(sys, "_base_executable", "") or sys.executable)
    return (base if base.exists() else Path(sys.executable)).resolve()


def _is_virtual_environment(library: Path) -> bool:
    return sys.prefix != sys.base_prefix and library.is_relative_to(sys.prefix)


def _folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"No package named {package!r}", name=package)
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def _package_folders(roots: Iterable[Path]) -> Iterator[Path]:
    """Folders of installed packages, and the graders themselves, that lie below `roots`."""
    candidates = {Path(path) for path in (*site.getsitepackages(), site.getusersitepackages())}
    candidates |= {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    candidates.add(_folder_of("graders"))
    for root in roots:
        for name in ("site-packages", "dist-packages"):
            candidates |= {*root.glob(name), *root.glob(f"python*/{name}")}
    for folder in {candidate.resolve() for candidate in candidates}:
        # `os.path.isdir` is false for a folder that we may not look at; neither may workers.
        if os.path.isdir(folder) and any(folder.is_relative_to(root.resolve()) for root in roots):
            yield folder


def _carved(path: Path, hidden: tuple[Path, ...]) -> Iterator[Path]:
    """`path`, or, if something below it is hidden, the largest paths below it without that."""
    real = path.resolve()
    if not any(real.is_relative_to(folder) for folder in hidden):
        yield from _around(real, hidden)


def _around(real: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    inside = [folder for folder in hidden if folder.is_relative_to(real)]
    if not inside:
        yield real
        return
    leading = {folder.relative_to(real).parts[:1] for folder in inside}
    if () in leading:
        return
    with os.scandir(real) as children:
        names = sorted(child.name for child in children if not child.is_symlink())
    for name in names:
        if (name,) in leading:
            yield from _around(real / name, inside)
        else:
            yield real / name
