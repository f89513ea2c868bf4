"""Exercises in JupyterLab: a wrong solution is typed, its idea is named, and a right one passes."""

import pytest

from graders.exercise import load, source_of

# One exercise of each of several lessons, with a wrong idea that learners have.
TRIED = [
    ("welcome-slope", 0),
    ("leaf-predict", 0),
    ("detach-round", 0),
    ("fn-square", 0),
    ("dirty-add-one", 0),
]


def plain(text):
    """Words as a card shows them: without marks for code, however the lines break."""
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize(("id", "idea"), TRIED)
def test_a_wrong_idea_is_named_and_the_right_solution_passes(opened, id, idea):
    exercise = load(id)
    misconception = exercise.misconceptions[idea]
    lesson = opened(exercise.lesson)
    lesson.run(lesson.place("import check"))
    place = lesson.exercise(id)
    lesson.run(place)
    lesson.run(place + 1)
    assert "not attempted" in lesson.shown(place + 1)

    lesson.write(place, source_of(misconception.solution, exercise.symbol))
    lesson.run(place + 1)
    card = plain(lesson.shown(place + 1))
    assert plain(misconception.says) in card
    assert "✗" in card
    assert "· passed" not in card

    lesson.write(place, source_of(exercise.reference, exercise.symbol))
    lesson.run(place + 1)
    card = plain(lesson.shown(place + 1))
    assert f"✓ {plain(exercise.title)} · passed" in card
    assert f"{exercise.points:g} of {exercise.points:g} points" in card
    assert plain(misconception.says) not in card


def test_what_was_passed_shows_in_the_progress_and_survives_a_restart(opened):
    lesson = opened("00_welcome")
    exercise = load("welcome-slope")
    place = lesson.exercise("welcome-slope")
    lesson.run(lesson.place("import check"))
    lesson.write(place, source_of(exercise.reference, exercise.symbol))
    lesson.run(place + 1)
    lesson.restart()
    lesson.run(lesson.place("import check"))
    table = lesson.place("progress()")
    lesson.run(table)
    assert "Welcome" in lesson.shown(table)
