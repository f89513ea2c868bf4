"""Classes of students to grade: notebooks of a lesson, mostly right, sometimes not."""

import json
import random
from pathlib import Path

from graders.exercise import Exercise, load, source_of
from tests.lessons.notebooks import LESSONS

RIGHT = 0.75
"""How many of the solutions are the reference; the others are one of the misconceptions."""


def hand_in(lesson: str, count: int, folder: Path) -> None:
    """Write `count` notebooks of `lesson` into `folder`, one for each student; always the same."""
    notebook = json.loads((LESSONS / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    rng = random.Random(lesson)
    for number in range(count):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
            if id := cell["metadata"].get("exercise"):
                cell["source"] = _solution(load(id), rng)
        place = folder / f"student{number:04}"
        place.mkdir(parents=True)
        (place / f"{lesson}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def _solution(exercise: Exercise, rng: random.Random) -> str:
    wrong = rng.choice(exercise.misconceptions).solution
    return source_of(exercise.reference if rng.random() < RIGHT else wrong, exercise.symbol)
