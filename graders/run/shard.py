"""Shards: parts of a class that separate runs grade; all files of a student are in one part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from graders.filenames import student_name


@dataclass(frozen=True)
class Shard:
    """Part `index` of `count`, counted from 1."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise ValueError(f"there is no part {self.index} of {self.count}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The shard that `text` names, such as `3/8`; ValueError for anything else."""
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
        if match is None:
            raise ValueError(f"{text!r} is not of the form 3/8 (part 3 of 8)")
        return cls(int(match[1]), int(match[2]))

    def has(self, student: str) -> bool:
        """Whether `student` is in this part: by the name alone, so that all machines agree."""
        digest = sha256(student_name(student).encode()).digest()
        return int.from_bytes(digest[:8]) % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"
