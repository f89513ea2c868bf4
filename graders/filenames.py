"""File names made of students' names: safe on every file system, and no two students share one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 150  # bytes; file systems allow 255, and the suffix, a temporary name and a zip need room
FORBIDDEN = re.compile(r'[<>:"/\\|?*%#\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]')
OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\U000e0000-\U000e007f]"
)
"""Control characters, ends of lines, what changes the direction of writing, and what nobody sees.

What joins letters or keeps them apart belongs to the spelling of names in some languages.
"""
SPELLED = re.compile(r"\\(?:[abfnrtv]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
"""How `printable` spells; who has that in their name could pass for somebody else."""
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
MARKED = re.compile(r"~[0-9a-f]{8}$")
"""The end of a name that was made safe: nobody's own name may look so."""


def file_names(students: Iterable[str]) -> dict[str, str]:
    """A file name, without its suffix, for each of `students`.

    An ordinary name, also with spaces or in any script, is kept as it is. One that some file
    system refuses, or that differs from another's only in case or in Unicode's spelling, is made
    safe and gets a short mark of its own.
    """
    names = {student: _safe(student) for student in students}
    taken = Counter(_folded(name) for name in names.values())

    def is_own(name: str) -> bool:
        return taken[_folded(name)] == 1 and not MARKED.search(_folded(name))

    return {
        student: name if name == student and is_own(name) else _marked(name, student)
        for student, name in names.items()
    }


def printable(text: str) -> str:
    r"""`text` as it may be shown: what a terminal or a reader would obey is spelled out.

    So is a file name's byte that is no UTF-8: as `\udcff`.
    """
    text = OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def student_name(found: str) -> str:
    """The name of the student who was `found` under a file's name: printable, and theirs alone."""
    name = printable(found)
    return _marked(name, found) if SPELLED.search(found) else name


def _safe(student: str) -> str:
    name = FORBIDDEN.sub("_", printable(student))
    name = re.sub(r"^[.\-~\s]+", "_", name)
    name = re.sub(r"[.\s]+$", "_", name)
    if RESERVED.match(name) or not name:
        name = "_" + name
    return name.encode("utf-8")[:LONGEST].decode("utf-8", "ignore")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _marked(name: str, student: str) -> str:
    mark = sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name}~{mark}"
