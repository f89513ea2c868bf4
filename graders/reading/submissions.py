"""Finds and reads what students hand in, in folders and archives, in any state.

A submission that cannot be read is still a submission, with a `problem` in words for its student.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

from graders.reading import Unreadable, archives, choice, encoding
from graders.reading.cells import Cell, is_program
from graders.reading.files import NOTEBOOK_SUFFIX, HandedIn, unreadable
from graders.reading.lessons import Lessons
from graders.reading.notebook import NotebookCells, is_notebook, notebook_cells
from graders.reading.script import script_cells
from graders.reading.students import owned_files
from graders.reading.written import PackedCells, Written

log = logging.getLogger(__name__)

MAX_FILES = 500  # that look like submissions, for each student
MAX_BYTES = 1024 * 1024 * 1024  # in these files
MAX_BARE = 64 * 1024 * 1024  # in these files without their outputs
MAX_CODE = 2 * 1024 * 1024  # characters of code in them: twenty times that of all lessons
MAX_IGNORED_NAMES = 20
MAX_NAME = 120
SCRIPT_SUFFIXES = (".py", ".txt", "")

NOTHING = "It has no notebook in it."
EXHAUSTED = (
    f"It comes after {MAX_BYTES // 2**20} MiB of files, {MAX_BARE // 2**20} MiB without their"
    f" outputs, or {MAX_CODE // 2**20} MiB of code, which is all that is read of one student."
)


@dataclass(frozen=True)
class Submission:
    """One lesson that one student handed in.

    `cells` are its code cells in order; `digest` is made from them, so that a submission with other
    outputs alone counts as unchanged. `problem` says why the file could not be read; then there are
    no cells, and `lesson` is empty if it is unknown. `note` is for student and instructor, for
    example about other files of the same lesson, which do not count. A `damaged` file was read in
    parts: an answer that is missing may have been in the lost ones.
    """

    student: str
    lesson: str
    path: Path
    cells: Sequence[Cell] = ()
    digest: str = ""
    problem: str = ""
    note: str = ""
    damaged: bool = False

    @property
    def packed_bytes(self) -> int:
        """How much memory its cells take while they wait to be graded."""
        return self.cells.packed_bytes if isinstance(self.cells, PackedCells) else 0


@dataclass
class Ignored:
    """Files that are not submissions: their number, and the first of their paths."""

    count: int = 0
    paths: list[Path] = field(default_factory=list)

    def add(self, path: Path) -> None:
        """Count `path`."""
        self.count += 1
        if len(self.paths) < MAX_IGNORED_NAMES:
            self.paths.append(path)


@dataclass(frozen=True)
class HandIns:
    """All that was found: the submissions, and the files that were ignored."""

    submissions: tuple[Submission, ...]
    ignored: Ignored


def find_submissions(
    top: Path, lessons: Mapping[str, Iterable[str]] | None = None
) -> list[Submission]:
    """Every submission below `top`: see `find_hand_ins`."""
    return list(find_hand_ins(top, lessons).submissions)


def find_hand_ins(
    top: Path,
    lessons: Mapping[str, Iterable[str]] | None = None,
    leave_out: Collection[Path] = (),
) -> HandIns:
    """Every submission below `top`: `top/<student>/…/<lesson>.ipynb` or `.py`, in order of path.

    `top` may also be a zip archive of that, a student's folder may be or hold an archive, and
    everything may be as a learning platform exports it. `lessons` maps each lesson's name to its
    exercises' ids; by default it has all lessons. A lesson that a student handed in more than once
    counts once, see `graders.reading.choice`. Notebooks of no lesson, folders and links in place of
    a notebook, and students without any file become submissions with a problem. Other files, and
    those in `leave_out` (absolute paths), are ignored. Raises OSError when `top` itself cannot be
    listed, and Unreadable when it is a file but not an archive.
    """
    found = Found(top, lessons, leave_out)
    return HandIns(tuple(sorted(found, key=lambda each: each.path.parts)), found.ignored)


class Found(Iterator[Submission]):
    """What `find_hand_ins` finds, one student after another, as soon as their files are read.

    If the files of different students are mixed, all of them are read first. `ignored` is complete
    when the iteration ends.
    """

    def __init__(
        self,
        top: Path,
        lessons: Mapping[str, Iterable[str]] | None = None,
        leave_out: Collection[Path] = (),
    ) -> None:
        """Nothing is read yet; the first `next` may raise what `find_hand_ins` raises."""
        self.ignored = Ignored()
        self._submissions: Iterator[Submission] = self._read(
            top, _Reader(Lessons(lessons), self.ignored), leave_out
        )

    def __next__(self) -> Submission:
        return next(self._submissions)

    def any(self) -> bool:
        """Whether another submission will come; it is read, but stays in the iteration."""
        first = list(islice(self._submissions, 1))
        self._submissions = chain(first, self._submissions)
        return bool(first)

    def all(self) -> list[Submission]:
        """All submissions that will come; they are read, but stay in the iteration."""
        found = list(self._submissions)
        self._submissions = iter(found)
        return found

    def _read(
        self, top: Path, reader: _Reader, leave_out: Collection[Path]
    ) -> Iterator[Submission]:
        complete: list[str] = []
        for student, handed in owned_files(top, self.ignored.add, leave_out, complete.append):
            while complete:
                yield from reader.submissions_of(complete.pop(0), top)
            reader.take(student, handed)
        for student in reader.students:
            yield from reader.submissions_of(student, top)


@dataclass
class _Allowance:
    """How much of one student's files may still be read, so that no student takes minutes."""

    bytes: int = MAX_BYTES
    code: int = MAX_CODE
    bare: int = MAX_BARE

    def covers(self, bytes: int = 0, code: int = 0) -> bool:
        """Count so much as read, and return whether that is within bounds."""
        self.bytes -= bytes
        self.code -= code
        return min(self.bytes, self.code, self.bare) >= 0

    def parse(self, size: int) -> None:
        """Count `size` bytes of a notebook without its outputs. Raises Unreadable beyond bounds."""
        self.bare -= size
        if self.bare < 0:
            raise Unreadable(EXHAUSTED)


@dataclass(frozen=True)
class _Read:
    """A submission, and when its file was saved, which may decide whether it counts."""

    submission: Submission
    modified: float


class _Reader:
    """Reads the files of one run in the order in which they are found."""

    def __init__(self, lessons: Lessons, ignored: Ignored) -> None:
        self._lessons = lessons
        self._ignored = ignored
        self._of: dict[str, list[_Read]] = {}
        # Scripts with other names have an allowance of their own, so that they crowd nothing out.
        self._allowances: dict[tuple[str, bool], _Allowance] = defaultdict(_Allowance)

    def take(self, student: str, handed: HandedIn | None) -> None:
        """Note that `student` exists, and read their file if it may be a submission."""
        own = self._of.setdefault(student, [])
        if handed is None:
            return
        if len(own) > MAX_FILES:
            self._ignored.add(handed.path)
            return
        if len(own) == MAX_FILES:
            handed = unreadable(handed.path, f"There are more than {MAX_FILES} notebooks.")
        submission = self._submission(student, handed)
        if submission is None:
            self._ignored.add(handed.path)
        else:
            own.append(_Read(submission, handed.modified))

    @property
    def students(self) -> list[str]:
        """The students whose submissions have not been asked for yet."""
        return list(self._of)

    def submissions_of(self, student: str, top: Path) -> list[Submission]:
        """The submissions of `student` that count, in order of path; at least one."""
        own = self._of.pop(student)
        for loose in (False, True):
            self._allowances.pop((student, loose), None)
        # Files of nobody are no rivals: each may be another student's.
        found = self._counting(own) if student else [each.submission for each in own]
        found = found or [Submission(student, "", top / student, (), "", NOTHING)]
        return sorted(found, key=lambda each: each.path.parts)

    def _counting(self, own: Sequence[_Read]) -> list[Submission]:
        by_lesson: dict[str, list[_Read]] = defaultdict(list)
        for each in own:
            by_lesson[each.submission.lesson].append(each)
        found = [each.submission for each in by_lesson.pop("", [])]
        for lesson, rivals in by_lesson.items():
            found.append(_one_of(lesson, rivals) if len(rivals) > 1 else rivals[0].submission)
        return found

    def _submission(self, student: str, handed: HandedIn) -> Submission | None:
        """The submission in the file `handed`, or None if it is not one. Never raises."""
        path, name = handed.path, handed.path.name
        named = self._lessons.named(name)
        student = student or path.stem
        digest = ""
        try:
            if not named and not _may_be_one(name):
                # A closed folder or a broken archive may hide a submission: that is reported.
                return self._of_hiding(student, handed)
            raw = handed.read()
            loose = not named and name.lower().endswith(".py")
            allowance = self._allowances[student, loose]
            script = _is_script(name, raw)
            within = allowance.covers(len(raw), len(raw) if script else 0)
            if loose and not within:
                return None
            digest = sha256(raw).hexdigest()
            raw = encoding.as_utf8(raw)
            read = _written(name, raw, allowance) if within else NotebookCells([])
            written = read.written
            if not within or not allowance.covers(code=0 if script else _size(written)):
                raise Unreadable(EXHAUSTED)
            inside = self._lessons.inside(written)
            lesson = named or inside
            if not lesson and name.lower().endswith(".py"):
                return None
            if not lesson:
                expected = ", ".join(self._lessons.names)
                raise Unreadable(
                    f"Its name is no lesson's ({expected}), and it has none of their exercises."
                )
            cells = PackedCells(written)
        except Unreadable as error:
            return Submission(student, named, path, (), digest, str(error))
        except Exception as error:
            # A single file must not stop the others from being graded, whatever is wrong with it.
            log.exception("%r could not be read", str(path))
            why = f"The grader itself failed on this file ({type(error).__name__})."
            return Submission(student, named, path, (), digest, why)
        strange = f"Its exercises are those of {inside}." if inside not in ("", lesson) else ""
        note = " ".join(filter(None, [read.damage, strange]))
        damaged = bool(read.damage)
        return Submission(student, lesson, path, cells, cells.digest, note=note, damaged=damaged)

    def _of_hiding(self, student: str, handed: HandedIn) -> Submission | None:
        if handed.problem:
            return Submission(student, "", handed.path, (), "", handed.problem)
        if Path(handed.path.name).suffix.lower() in archives.OTHER_SUFFIXES:
            why = "It is an archive that is not looked into: hand in the notebook, or a zip."
            return Submission(student, "", handed.path, (), "", why)
        return None


def _may_be_one(name: str) -> bool:
    """Whether to read a file of that name although it is not named after a lesson."""
    return NOTEBOOK_SUFFIX in name.lower() or name.lower().endswith(".py")


def _written(name: str, raw: bytes, allowance: _Allowance) -> NotebookCells:
    """The cells in `raw`, as returned by `as_utf8`. Raises Unreadable when it is not code."""
    if _is_script(name, raw):
        return NotebookCells(script_cells(encoding.script_text(raw)))
    suffix = Path(name).suffix.lower()
    if is_notebook(raw) or suffix == NOTEBOOK_SUFFIX:
        return notebook_cells(raw, allowance.parse)
    raise Unreadable(f"It is no notebook but a file of another kind ({suffix[:10]}).")


def _size(written: Iterable[Written]) -> int:
    return sum(len(each.source) for each in written)


def _is_script(name: str, raw: bytes) -> bool:
    suffix = Path(name).suffix.lower()
    if suffix == NOTEBOOK_SUFFIX:
        # It may be a script with the name of a notebook.
        return not is_notebook(raw) and is_program(encoding.script_text(raw))
    return suffix in SCRIPT_SUFFIXES and not is_notebook(raw)


def _one_of(lesson: str, rivals: Sequence[_Read]) -> Submission:
    """The one of several submissions of a lesson that counts, with a note about the others."""
    candidates = [
        choice.Candidate(
            each.submission.path.name,
            tuple(each.submission.cells),
            not each.submission.problem,
            each.modified,
            each.submission.damaged,
        )
        for each in rivals
    ]
    place = choice.chosen(lesson, candidates)
    counts = rivals[place].submission
    others = [_shown(each.submission, counts) for each in rivals if each is not rivals[place]]
    told = f"{choice.note(_shown(counts, counts), others)} {counts.note}".strip()
    return replace(counts, note=told)


def _shown(submission: Submission, beside: Submission) -> str:
    """A short name for the file: its path without the folders that it shares with `beside`."""
    shared = 0
    for one, other in zip(submission.path.parts[:-1], beside.path.parts[:-1], strict=False):
        if one != other:
            break
        shared += 1
    name = _in_short("/".join(submission.path.parts[shared:]))
    return f"{name} ({submission.problem.rstrip('.')})" if submission.problem else name


def _in_short(name: str) -> str:
    """`name`, shortened to fit in a sentence: names in archives may be of any length."""
    half = MAX_NAME // 2
    return name if len(name) <= MAX_NAME else f"{name[:half]}…{name[-half:]}"
