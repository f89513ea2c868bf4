"""The pyodide release that the kernel runs on: Python and NumPy, compiled for the browser."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any

from graders.site import SiteError

VERSION = "0.29.0"
RELEASE = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
"""The address of the release's single files."""

LOCK = "pyodide-lock.json"
CORE = {
    "pyodide.js": "4b189b200cd62705bded5c3982e8ea9edfb4757aae03308f13f7431009992554",
    "pyodide.asm.js": "f1e70077bd701757b2798fc57f540fe39cf23d36ee5cd7c1a9b3a6f35cf500a7",
    "pyodide.asm.wasm": "615172c6b2f5efe53e41d0201a98eb37c1f3aa7675d11cb06b6079b3a6b2bef5",
    "python_stdlib.zip": "e389fbdc394a00d31ff0624386c9e3e52e04727130ac73597a99c477afe4f1ca",
    LOCK: "701557726114e9a968d2088153414b2f126b8631aa734ed98eaf1797d4e4d087",
}
"""The files that every release has, with the SHA-256 that they must have in this one."""

PACKAGES = ("micropip", "numpy")
"""The packages taken from the release; all others are plain Python, taken from this machine."""

SECONDS_FOR_A_FILE = 120


@dataclass(frozen=True)
class Release:
    """The files of a release that the site needs, and the parts of its lock about packages."""

    files: dict[str, bytes]
    info: dict[str, Any]
    packages: dict[str, dict[str, Any]]


def from_folder(folder: Path) -> Release:
    """The release in `folder`. SiteError names files that are missing or of another release."""
    missing = [name for name in _names_in(folder) if not (folder / name).is_file()]
    if missing:
        raise SiteError(
            f"{folder} lacks {_listed(missing)} of pyodide {VERSION}. Unpack"
            f" pyodide-{VERSION}.tar.bz2 (https://github.com/pyodide/pyodide/releases) there, or"
            f" download each file from {RELEASE}"
        )
    return _release(lambda name: (folder / name).read_bytes(), str(folder))


def from_network(address: str = RELEASE) -> Release:
    """The release from the servers of the pyodide project. SiteError when a download fails."""
    return _release(lambda name: _fetched(address + name), address)


def _names_in(folder: Path) -> Iterator[str]:
    """The files that have to be in `folder`; the names of the wheels come from its lock."""
    yield from CORE
    try:
        packages = json.loads((folder / LOCK).read_bytes())["packages"]
        yield from (packages[name]["file_name"] for name in PACKAGES)
    except FileNotFoundError:
        yield from (f"the wheel of {name}" for name in PACKAGES)
    except (KeyError, TypeError, ValueError) as error:
        raise _not_of_this_release(folder / LOCK) from error


def _release(read: Callable[[str], bytes], source: str) -> Release:
    files = {}
    for name, digest in CORE.items():
        files[name] = _verified(read(name), digest, source, name)
    lock = json.loads(files.pop(LOCK))
    packages = {name: lock["packages"][name] for name in PACKAGES}
    for package in packages.values():
        name = package["file_name"]
        files[name] = _verified(read(name), package["sha256"], source, name)
    return Release(files, lock["info"], packages)


def _verified(content: bytes, digest: str, source: str, name: str) -> bytes:
    if sha256(content).hexdigest() != digest:
        raise _not_of_this_release(f"{name} in {source}")
    return content


def _not_of_this_release(what: object) -> SiteError:
    return SiteError(
        f"{what} is not that of pyodide {VERSION}: its contents differ. The kernel needs exactly"
        f" this release; download it again from {RELEASE}"
    )


def _fetched(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=SECONDS_FOR_A_FILE) as answer:
            content: bytes = answer.read()
            return content
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise SiteError(
            f"{address} cannot be downloaded: {reason}. Without a network, use --pyodide with a"
            f" folder that holds the files of pyodide {VERSION}."
        ) from error


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
