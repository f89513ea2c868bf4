"""Whereabouts: where the grader is installed, which is nobody's business, is left out of verdicts.

Warnings and tracebacks that a student's code prints name the files of the engine, of NumPy and of
Python by their whole paths, on the instructor's machine.
"""

from __future__ import annotations

import functools
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

import numpy as np

import autograd_core
from graders.verdict import Verdict

USUAL_PARTS = 2
"""Folders with fewer than this below the root, such as /usr, are the same everywhere."""


def without_folders(verdict: Verdict) -> Verdict:
    """`verdict` in whose words files of the installation are named from its folders on."""
    told = verdict.to_json()
    shortened = _shortened(told)
    return verdict if shortened == told else Verdict.from_json(shortened)


def shortened(text: str) -> str:
    """`text` in which files of the installation are named from its folders on."""
    return _folders().sub(lambda found: "" if found[1] else "…", text)


def _shortened(data: Any) -> Any:
    if isinstance(data, str):
        return shortened(data) if "/" in data or "\\" in data else data
    if isinstance(data, dict):
        return {key: _shortened(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(map(_shortened, data))
    return data


@functools.cache
def _folders() -> re.Pattern[str]:
    """What finds the folders, the inner before the outer, and the slash behind them."""
    packages = [Path(str(module.__file__)).parents[1] for module in (autograd_core, np)]
    known = [Path(path) for path in sysconfig.get_paths().values()]
    whole = [Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[2]]
    folders = {each for path in (*packages, *known, *whole) for each in (path, path.resolve())}
    named = [str(each) for each in folders if len(each.parts) > USUAL_PARTS]
    longest_first = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
    return re.compile(rf"(?:{longest_first})(?:([/\\])|(?![\w.-]))")
