"""Run lessons from the top and keep their outputs: `python -m tests.lessons.refresh [LESSON ...]`.

Needed after a change of a lesson, or of anything that a lesson shows: a card, a figure, a message.
"""

import sys

import nbformat

from .notebooks import LESSONS, lessons, load, run


def refresh(lesson: str) -> None:
    """Write the outputs of a fresh run into the lesson's file; its metadata stay as they are."""
    kept = load(lesson)
    done = run(kept)
    done.metadata = kept.metadata
    for cell in done.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(done, LESSONS / f"{lesson}.ipynb")


if __name__ == "__main__":
    for name in sys.argv[1:] or lessons():
        refresh(name)
        print(f"refreshed {name}")
