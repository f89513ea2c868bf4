"""Makes wheels of what is installed here, so that a site is built without a package index.

All of it is plain Python. Compiled speedups are left out: they are built for this machine, and the
packages that have them work without.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from graders.export import own_package
from graders.export.archive import zipped
from graders.export.own_package import COMPILED
from graders.site import SiteError
from graders.site.installed import installed

BROWSER = {
    "extra": "",
    "implementation_name": "cpython",
    "implementation_version": "3.13.2",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_release": "",
    "platform_system": "Emscripten",
    "platform_version": "",
    "python_full_version": "3.13.2",
    "python_version": "3.13",
    "sys_platform": "emscripten",
}
"""The environment for the markers of requirements: the kernel's, not the building machine's."""

UNUSED = re.compile(
    # Thousands of type stubs for other packages, which completion does not need.
    r"jedi/third_party/(django-stubs|typeshed/stubs)/"
    # The parts of widgets that run in the page, which are in the site already.
    r"|(^|/)(nbextension|labextension)/"
    r"|(^|/)tests?/"
)
LESSONS = re.compile(r"^lessons/.*\.ipynb$")
"""The notebooks, which are not in our wheel because learners get them as files."""


@dataclass(frozen=True)
class Wheel:
    """A wheel: its name, its contents, and what it requires in the browser."""

    name: str
    version: str
    contents: Mapping[str, bytes]
    requires: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The name that installers expect."""
        return f"{self._stem}-py3-none-any.whl"

    @property
    def imports(self) -> list[str]:
        """The top-level modules in the wheel."""
        tops = {path.partition("/")[0].removesuffix(".py") for path in self.contents}
        return sorted(top for top in tops if top.isidentifier())

    @cached_property
    def content(self) -> bytes:
        """The wheel's bytes, which are the same for the same contents."""
        about = f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {self.version}\n"
        kind = "Wheel-Version: 1.0\nGenerator: autograd-lessons\n"
        kind += "Root-Is-Purelib: true\nTag: py3-none-any\n"
        folder = f"{self._stem}.dist-info"
        entries = dict(self.contents)
        entries[f"{folder}/METADATA"] = about.encode()
        entries[f"{folder}/WHEEL"] = kind.encode()
        record = "".join(f"{path},{_digest(each)},{len(each)}\n" for path, each in entries.items())
        entries[f"{folder}/RECORD"] = f"{record}{folder}/RECORD,,\n".encode()
        return zipped(entries)

    @property
    def _stem(self) -> str:
        return f"{canonicalize_name(self.name).replace('-', '_')}-{self.version}"


def our_wheel() -> Wheel:
    """The wheel of this package, which may be installed or a copy of its repository. SiteError."""
    files = {path: each for path, each in own_package.contents() if not LESSONS.match(path)}
    try:
        version, required = own_package.version(), own_package.requirements()
    except own_package.PackageError as error:
        raise SiteError(str(error)) from error
    return Wheel(own_package.NAME, version, files, _needed(required))


def installed_wheel(name: str) -> Wheel:
    """The wheel of the distribution `name`, made from its installed files. SiteError without it."""
    found = installed(name)
    contents = {
        str(path): Path(str(path.locate())).read_bytes()
        for path in sorted(found.files or ())
        if _belongs(str(path))
    }
    if not contents:
        raise SiteError(
            f"{name} has no list of its files; perhaps it is installed as editable."
            f" Install it as usual: pip install --force-reinstall {name}"
        )
    return Wheel(name, found.version, contents, _needed(found.requires or []))


def unpacked(path: Path) -> Wheel:
    """The wheel in the file `path`, without its requirements."""
    name, version = path.name.split("-")[:2]
    with ZipFile(path) as archive:
        contents = {each: archive.read(each) for each in archive.namelist() if _belongs(each)}
    return Wheel(str(canonicalize_name(name)), version, contents)


def with_requirements(roots: list[Wheel], elsewhere: Callable[[str], bool]) -> dict[str, Wheel]:
    """`roots` and the wheels of all their requirements, by name, except those found `elsewhere`."""
    found: dict[str, Wheel] = {}
    waiting = list(roots)
    while waiting:
        wheel = waiting.pop()
        found[str(canonicalize_name(wheel.name))] = wheel
        wanted = [name for name in wheel.requires if name not in found and not elsewhere(name)]
        waiting += [installed_wheel(name) for name in wanted]
    return found


def _needed(requirements: list[str]) -> tuple[str, ...]:
    """The names of the `requirements` that apply in the browser."""
    wanted = [Requirement(each) for each in requirements]
    return tuple(
        str(canonicalize_name(each.name))
        for each in wanted
        if each.marker is None or each.marker.evaluate(BROWSER)
    )


def _belongs(path: str) -> bool:
    outside = path.startswith(("..", "/")) or ".dist-info/" in path or ".data/" in path
    return not (outside or COMPILED.search(path) or UNUSED.search(path))


def _digest(content: bytes) -> str:
    return f"sha256={urlsafe_b64encode(sha256(content).digest()).decode().rstrip('=')}"
