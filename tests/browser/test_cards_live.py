"""The cards of a lesson in JupyterLab, alive: predictions are committed, the first line follows."""

import pytest

from graders.exercise import load, source_of

# A prediction of a lesson: its own words, a wrong answer, the idea behind it, and the true one.
NUMBER = ("00_welcome", "y.backward()\nreveal(", "6", "That is one slope.", "12")
CHOICE = ("02_leaf_nodes", "y.is_leaf,", "False", "So do many texts.", "True")
WORD = ("03_requires_grad", '"neither": "You looked', "x", "the input to catch the flag", "y")
TITLE = "Your first Function: the square"
LIST = ("06_detach", "x.data[0] = 10", "2, 4", "the y that was computed", "20, 4")


def card(lesson, place):
    return lesson.cell(place).locator(".al-card")


def commit(lesson, place, answer):
    """Put the answer in the form of the cell's card, and commit it."""
    again = card(lesson, place).get_by_role("button", name="Predict again")
    if again.count():
        again.click()
    form = card(lesson, place).locator("form")
    form.get_by_role("button", name="Commit").wait_for()
    choice = form.locator(f'input[type=radio][value="{answer}"]')
    if choice.count():
        choice.check()
    else:
        form.locator("input[type=text]").fill(answer)
    form.get_by_role("button", name="Commit").click()


@pytest.mark.parametrize(
    ("name", "words", "wrong", "idea", "right"),
    [NUMBER, CHOICE, WORD, LIST],
    ids=["number", "choice", "word", "list"],
)
def test_a_wrong_prediction_is_told_its_idea_and_a_right_one_is_accepted(
    opened, name, words, wrong, idea, right
):
    lesson = opened(name)
    lesson.run_all()
    place = lesson.place(words)
    assert "Nothing predicted yet" in lesson.shown(place)
    commit(lesson, place, wrong)
    card(lesson, place).get_by_text("Not what happens").wait_for()
    assert idea in lesson.shown(place)
    commit(lesson, place, right)
    card(lesson, place).get_by_text("Predicted right").wait_for()
    assert idea not in lesson.shown(place)


@pytest.mark.parametrize("answer", ["6", "12"])
def test_shift_enter_goes_on_from_a_committed_prediction_and_keeps_it(opened, answer):
    lesson = opened("00_welcome")
    lesson.run_all()
    place = lesson.place(NUMBER[1])
    commit(lesson, place, answer)
    verdict = "Predicted right" if answer == NUMBER[4] else "Not what happens"
    card(lesson, place).get_by_text(verdict).wait_for()
    with lesson.running(place):
        lesson.page.keyboard.press("Shift+Enter")
    lesson.page.locator(
        f'.jp-Cell.jp-mod-active[data-windowed-list-index="{place + 1}"]'
    ).wait_for()
    card(lesson, place).get_by_text(verdict).wait_for()
    assert card(lesson, place).get_by_role("button", name="Predict again").count() == 1


def test_a_guess_in_the_cell_above_is_answered_without_a_form(opened):
    lesson = opened("00_welcome")
    place = lesson.place("reveal(\n")
    lesson.run(lesson.place("import check"))
    lesson.write(place - 2, "guess = 9")
    lesson.run(place)
    assert "That is y itself" in lesson.shown(place)
    assert lesson.cell(place).locator("form").count() == 0


def test_the_first_line_follows_the_checks_below_it(opened):
    lesson = opened("00_welcome")
    exercise = load("welcome-slope")
    top, place = lesson.place("import check"), lesson.exercise(exercise.id)
    lesson.run(top)
    assert "0 of 1 exercise passed" in lesson.shown(top)
    misled = exercise.misconceptions[0].solution
    for solution, told in ((misled, "0 of 1"), (exercise.reference, "1 of 1")):
        lesson.write(place, source_of(solution, exercise.symbol))
        lesson.run(place + 1)
        card(lesson, top).get_by_text(f"{told} exercise passed").wait_for()


def test_the_first_line_leads_to_the_exercise(opened):
    lesson = opened("07_custom_functions")
    top = lesson.place("import check")
    lesson.run(top)
    card(lesson, top).get_by_role("link", name=TITLE, exact=True).click()
    heading = lesson.page.get_by_role("heading", name=f"Exercise: {TITLE}")
    lesson.page.wait_for_function(
        "heading => Math.abs(heading.getBoundingClientRect().top) < 300",
        arg=heading.element_handle(),
    )


@pytest.fixture
def busy(lab):
    """A page so busy that anywidget gives up on each of its widgets before it has come."""
    yield lambda lesson: lesson.page.evaluate(GIVE_UP_AT_ONCE)
    lab.close()


GIVE_UP_AT_ONCE = """() => {
  AbortSignal.timeout = () => {
    const giving = new AbortController();
    queueMicrotask(() => giving.abort());
    return giving.signal;
  };
}"""


def test_cards_that_came_late_to_a_busy_page_hear_the_kernel_all_the_same(busy, opened):
    lesson = opened("00_welcome")
    busy(lesson)
    lesson.run_all()
    place = lesson.place(NUMBER[1])
    commit(lesson, place, NUMBER[2])
    card(lesson, place).get_by_text("Not what happens").wait_for()
    assert NUMBER[3] in lesson.shown(place)
