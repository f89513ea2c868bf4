"""Joining the gradebooks of a class that was graded in parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from graders.gradebook import Entry, Gradebook, GradebookError, Grading
from graders.gradebook.overrides import Override
from graders.report import summarize
from graders.report.terminal import tell
from graders.report.words import counted
from graders.run.found import FACT as IGNORED
from graders.run.found import IgnoredFiles, notes_of
from graders.run.grading_run import write_results
from graders.run.intake import DAMAGED, SHARD, SUBMISSIONS
from graders.run.shard import Shard

NAMED = 10
"""How many conflicts are listed; the others are only counted."""

Place = tuple[str, str, str]
"""Where a file was handed in: student, lesson and path."""


class MergeError(Exception):
    """These gradebooks cannot be joined; the message says why and what to do."""


@dataclass(frozen=True)
class Part:
    """What is in the gradebook of one part."""

    folder: Path
    entries: Mapping[Place, Entry]
    gradings: Mapping[Place, Grading]
    overrides: Mapping[tuple[str, str], Override]
    shard: Shard | None
    submissions: str
    ignored: IgnoredFiles
    damaged: int

    @property
    def unfinished(self) -> int:
        """How many submissions the part's run has found but not graded."""
        return len(self.entries) - len(self.gradings)


@dataclass(frozen=True)
class Merge:
    """The arguments of the command line; calling this object carries the merge out."""

    out: Path
    parts: Sequence[Path]

    def __call__(self) -> int:
        """Join the parts into `out`, write all results, and print a summary.

        Returns 0 only if the class is complete: it counts submissions that could not be read
        completely or are not graded, and parts that are missing or unfinished. Raises MergeError,
        before anything is written, when the parts do not fit together.
        """
        try:
            return self._merge()
        except GradebookError as error:
            raise MergeError(str(error)) from error
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise MergeError(f"Cannot go on: {error.strerror or error}{where}.") from error

    def _merge(self) -> int:
        folders = list(dict.fromkeys(each.resolve() for each in self.parts))
        if self.out.resolve() in folders:
            raise MergeError(f"{self.out} cannot be both a part and the folder to merge into.")
        parts = [read(folder) for folder in folders]
        missing = missing_shards(parts)
        check_editions(parts)
        check_conflicts(parts)
        with Gradebook(self.out / "gradebook.db") as gradebook:
            self._write(gradebook, parts)
            ignored = IgnoredFiles.joined({each.submissions: each.ignored for each in parts})
            gradebook.note(IGNORED, ignored.to_json())
            damaged = sum(each.damaged for each in parts)
            gradebook.note(DAMAGED, str(damaged))
            results = gradebook.results()
            summary = summarize(results, str(ignored))
            write_results(self.out, results, summary)
        notes = [f"Part {each} is missing." for each in missing] + [
            f"{each.folder} is not finished ({counted(each.unfinished, 'submission')} not graded):"
            " run its command again, then this one."
            for each in parts
            if each.unfinished
        ]
        found = [*notes_of((each.entry for each in results), len(summary.not_graded)), str(ignored)]
        tell(summary, self.out, notes=[*notes, *filter(None, found)])
        return len(summary.unreadable) + len(summary.not_graded) + damaged + len(notes)

    def _write(self, gradebook: Gradebook, parts: Iterable[Part]) -> None:
        entries = {place: entry for part in parts for place, entry in part.entries.items()}
        gradebook.enroll(entries.values())
        for part in parts:
            for grading in part.gradings.values():
                if gradebook.grading(grading.entry) != grading:
                    gradebook.record(grading)
            made = gradebook.overrides()
            for key, override in part.overrides.items():
                if key not in made or made[key].made_at < override.made_at:
                    gradebook.override(override)
        came_from = {part.submissions for part in parts}
        gradebook.note(SUBMISSIONS, came_from.pop() if len(came_from) == 1 else "")


def read(folder: Path) -> Part:
    """What is in the gradebook of `folder`. MergeError when `folder` has none."""
    path = folder / "gradebook.db"
    if not path.is_file():
        raise MergeError(
            f"There is no gradebook in {folder}. A part is a folder that `autograd-lessons grade`"
            " has written with --out."
        )
    with Gradebook(path, written=True) as gradebook:
        entries = {place_of(entry): entry for entry in gradebook.roster()}
        found = {place: gradebook.grading(entry) for place, entry in entries.items()}
        shard, submissions = gradebook.noted(SHARD), gradebook.noted(SUBMISSIONS)
        return Part(
            folder,
            entries,
            {place: each for place, each in found.items() if each is not None},
            gradebook.overrides(),
            Shard.parse(shard) if shard else None,
            submissions,
            IgnoredFiles.from_json(gradebook.noted(IGNORED)),
            int(gradebook.noted(DAMAGED) or 0),
        )


def place_of(entry: Entry) -> Place:
    """Where the file of `entry` was handed in."""
    return entry.student, entry.lesson, entry.path


def missing_shards(parts: Iterable[Part]) -> list[Shard]:
    """The shards that are missing from `parts`; MergeError when their counts differ."""
    shards = {part.shard: part.folder for part in parts if part.shard is not None}
    counts = sorted({shard.count for shard in shards})
    if len(counts) > 1:
        named = ", ".join(f"{folder} has {shard}" for shard, folder in shards.items())
        raise MergeError(
            f"These parts come from different divisions of a class: {named}. Merge parts of one"
            " division."
        )
    wanted = [Shard(index, count) for count in counts for index in range(1, count + 1)]
    return [shard for shard in wanted if shard not in shards]


def check_editions(parts: Iterable[Part]) -> None:
    """Raise MergeError unless each lesson was graded by the same exercises everywhere."""
    graded_by: dict[str, dict[tuple[str, str], Path]] = {}
    for part in parts:
        for grading in part.gradings.values():
            entry = grading.entry
            edition = entry.exercise_set, entry.wording
            graded_by.setdefault(entry.lesson, {}).setdefault(edition, part.folder)
    for lesson, folders in graded_by.items():
        if len(folders) > 1:
            named = " and ".join(map(str, folders.values()))
            raise MergeError(
                f"{lesson or 'What is of no lesson'} was graded by different exercise sets in"
                f" {named}. Grade all parts with the same version of autograd-lessons."
            )


def check_conflicts(parts: Iterable[Part]) -> None:
    """Raise MergeError, which lists the conflicts, when parts contradict each other."""
    said: dict[Hashable, tuple[Path, object]] = {}
    conflicts: list[str] = []
    for part in parts:
        for about, what, contradiction in _sayings(part):
            folder, before = said.setdefault(about, (part.folder, what))
            if before != what:
                conflicts.append(f"{contradiction} in {folder} than in {part.folder}")
    if conflicts:
        listed = "".join(f"\n  - {each}" for each in conflicts[:NAMED])
        more = f"\n  - and {len(conflicts) - NAMED} more" if len(conflicts) > NAMED else ""
        raise MergeError(
            f"The parts do not agree, so nothing was merged:{listed}{more}\n"
            "Leave out the part that does not count, or grade both again."
        )


def _sayings(part: Part) -> Iterator[tuple[Hashable, object, str]]:
    """The claims of `part`: what each is about, what it says, and the beginning of a message."""
    for place, entry in part.entries.items():
        yield ("contents", place), entry.digest, f"{entry.path} has other contents"
    for place, grading in part.gradings.items():
        entry = grading.entry
        about = "results", place, entry.digest
        yield about, _outcome(grading), f"{entry.path} has other results"
    for key, override in part.overrides.items():
        yield ("by hand", key), override.points, f"{' '.join(key)} has other points by hand"


def _outcome(grading: Grading) -> list[tuple[str, str, float, tuple[str, ...]]]:
    return [(each.exercise, each.status, each.points, each.findings) for each in grading.verdicts]
