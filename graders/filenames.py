"""File names made from students' names: safe on every file system, and different for everybody."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

LONGEST = 150  # bytes; file systems allow 255, but suffixes and temporary names are added
FORBIDDEN = re.compile(r'[<>:"/\\|?*%#\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]')
OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\U000e0000-\U000e007f]"
)
"""Control characters, line ends, marks of writing direction, and invisible characters.

Those that join letters or keep them apart are not among them: some languages spell names with them.
"""
SPELLED = re.compile(r"\\(?:[abfnrtv]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
"""The escapes that `printable` writes; a name that contains one could pass for another name."""
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
MARKED = re.compile(r"~[0-9a-f]{8}$")
"""The end of a name that was made safe; an own name with such an end gets another mark."""


def file_names(students: Iterable[str]) -> dict[str, str]:
    """A file name, without its suffix, for each of `students`.

    An ordinary name is kept as it is, in any script and with spaces. A name that some file system
    refuses, or that differs from another only in case or in its Unicode form, is made safe and gets
    a short mark of its own.
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
    r"""`text` with escapes for the characters that a terminal would obey or a reader not see.

    A byte of a file name that is not UTF-8 is escaped, too, as `\udcff`.
    """
    text = OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def student_name(found: str) -> str:
    """The printable and unique name of the student whose folder or file is called `found`."""
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
