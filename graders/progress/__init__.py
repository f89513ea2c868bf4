"""A learner's progress in the lessons: showing it, and resetting it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graders.progress.kept import bests, forget

if TYPE_CHECKING:
    from graders.progress.card import ProgressCard
    from graders.progress.lesson import LessonProgress


class Notice:
    """An answer of one or two sentences."""

    def __init__(self, says: str) -> None:
        self.says = says

    def __repr__(self) -> str:
        return self.says


def progress(lesson: str | None = None) -> ProgressCard | LessonProgress | Notice:
    """Return a card with the points in every exercise, and a suggestion what to do next.

    With a `lesson` (`"02"` or `"02_leaf_nodes"`) the card is about that lesson alone, and in
    JupyterLab every check updates it. Never raises.
    """
    if lesson is None:
        from graders.progress.card import ProgressCard

        return ProgressCard(bests())
    from graders.exercise import lesson_called
    from graders.progress.lesson import LessonProgress

    name = lesson_called(lesson)
    if name is None:
        return Notice(f"There is no lesson {lesson!r}.")
    return LessonProgress(name, bests())


def reset_progress(lesson: str | None = None) -> Notice:
    """Forget the progress in `lesson` (`"02"` or `"02_leaf_nodes"`), or all progress.

    The notebooks, and what was written into them, stay as they are. Never raises.
    """
    from graders.exercise import exercises_of, lesson_called

    if lesson is None:
        chosen = None
    elif (name := lesson_called(lesson)) is None:
        return Notice(f"There is no lesson {lesson!r}. Nothing was forgotten.")
    else:
        chosen = {exercise.id for exercise in exercises_of(name)}
    try:
        forgotten = forget(chosen)
    except OSError as error:
        return Notice(f"Your progress could not be changed: {error.strerror or error}.")
    exercises = "1 exercise" if forgotten == 1 else f"{forgotten} exercises"
    return Notice(f"Your progress in {exercises} is forgotten. Your notebooks are as they were.")
