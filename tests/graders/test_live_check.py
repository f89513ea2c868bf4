import inspect

import IPython
import pytest
from IPython.core.interactiveshell import InteractiveShell

from graders import check
from graders.check import forget_hints
from graders.exercise import load
from graders.exercises.fn_square import ForgetsTheTwo
from graders.exercises.fn_square import Square as RightSquare
from graders.progress.kept import VARIABLE, bests
from tests.graders.test_check import Outline

HINTS = load("fn-square").hints
PLAIN = [hint.replace("`", "") for hint in HINTS]


@pytest.fixture(autouse=True)
def _no_progress(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "data"))
    forget_hints()


class Notebook:
    """A kernel's names, and cells that are run on them."""

    def __init__(self, **names):
        self.names = {"check": check, **names}

    def run(self, source):
        exec(compile(source, "<cell>", "exec"), self.names)
        return self.names.get("card")


@pytest.fixture
def notebook():
    return Notebook()


def again(shown):
    shown._hear(shown, {"do": "again"}, [])


def text(shown):
    return Outline(shown.html).text


def test_the_live_card_is_the_card_with_a_button(notebook, live):
    card = notebook.run("card = check('fn-square')")
    shown = live(card)

    still = card._repr_html_()
    assert shown.html.startswith(still.removesuffix("</section>"))
    assert 'data-al-do="again"' in shown.html
    assert "Check again" in text(shown)
    assert "Check again" not in still


def test_check_again_looks_at_what_the_symbol_stands_for_now(notebook, live):
    notebook.names["Square"] = ForgetsTheTwo
    shown = live(notebook.run("card = check('fn-square')"))
    assert "partly right (0.8 of 4 points)" in text(shown)

    notebook.names["Square"] = RightSquare
    again(shown)
    assert "passed (4 of 4 points)" in text(shown)
    assert bests()["fn-square"].status == "passed"
    assert "passed (4 of 4 points)" in shown.still["text/plain"]
    assert "Check again" not in shown.still["text/html"]

    del notebook.names["Square"]
    again(shown)
    assert "There is no Square yet." in text(shown)


def test_each_further_failure_brings_the_next_hint_and_keeps_those_before(notebook, live):
    notebook.names["Square"] = ForgetsTheTwo
    shown = live(notebook.run("card = check('fn-square')"))
    assert PLAIN[0] in text(shown)
    assert "Earlier hint" not in text(shown)

    notebook.names["Square"] = lambda x: x
    again(shown)
    assert f"Hint 2 of 3: {PLAIN[1]}" in text(shown)
    assert text(shown).index(PLAIN[1]) < text(shown).index("Earlier hint")
    assert text(shown).index("Earlier hint") < text(shown).index(PLAIN[0])

    notebook.names["Square"] = ForgetsTheTwo
    again(shown)
    assert f"Hint 3 of 3: {PLAIN[2]}" in text(shown)
    assert text(shown).index("Earlier hints") < text(shown).index(PLAIN[1])


def test_asking_again_about_the_same_costs_no_hint_and_no_try(notebook, live):
    notebook.names["Square"] = ForgetsTheTwo
    shown = live(notebook.run("card = check('fn-square')"))
    for _ in range(3):
        again(shown)

    assert f"Hint 1 of 3: {PLAIN[0]}" in text(shown)
    assert "`Square` is the same as before." in shown.note
    assert bests()["fn-square"].tries == 1

    notebook.names["Square"] = RightSquare
    again(shown)
    assert shown.note == ""


def test_the_cell_itself_counts_every_failure_as_ever(notebook, live):
    notebook.names["Square"] = ForgetsTheTwo
    for hint in HINTS:
        assert notebook.run("card = check('fn-square')").hint == hint
    assert bests()["fn-square"].tries == 3


def test_a_dict_that_is_filled_in_place_is_looked_at_anew(notebook, live):
    right = load("leaf-predict").reference
    symbol = load("leaf-predict").symbol
    notebook.names[symbol] = {"a": True}
    shown = live(notebook.run("card = check('leaf-predict')"))
    assert "passed" not in text(shown).splitlines()[0]

    notebook.names[symbol].clear()
    notebook.names[symbol].update(right)
    again(shown)
    assert "passed" in text(shown)


def test_what_cannot_be_looked_up_again_has_no_button(live):
    assert live(check("fn-square", RightSquare)) is None
    assert live(check("no-such-exercise")) is None

    def inside():
        Square = RightSquare  # noqa: N806 - the name is the exercise's symbol
        return Square and check("fn-square")

    assert live(inside()) is None


def test_a_check_that_cannot_look_answers_and_may_be_asked_again(notebook, live, monkeypatch):
    notebook.names["Square"] = RightSquare
    shown = live(notebook.run("card = check('fn-square')"))
    with monkeypatch.context() as patched:
        patched.setattr("graders.observe.lab.observe", lambda *given: 1 / 0)
        again(shown)
        assert "The check itself failed (ZeroDivisionError)" in text(shown)

    again(shown)
    assert "passed (4 of 4 points)" in text(shown)


def test_the_live_card_is_well_formed_and_escapes_what_it_tells(notebook, live):
    notebook.run("def Square(x):\n    raise ValueError('<script>alert(1)</script>')")
    shown = live(notebook.run("card = check('fn-square')"))
    again(shown)
    assert Outline(shown.html).open == []
    assert "<script" not in shown.html


def test_the_cards_own_text_and_bundle_stay_as_they_are(notebook):
    card = notebook.run("card = check('fn-square')")
    assert card._repr_mimebundle_() == {"text/plain": str(card), "text/html": card._repr_html_()}
    assert repr(card) == str(card)


@pytest.fixture
def card_below(monkeypatch):
    """Run a cell of a notebook that has `names`, and return the card of a check below it."""
    shell = InteractiveShell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)

    def card_below(source, id, **names):
        shell.push({"check": check, **names})
        shell.run_cell(source)
        return shell.run_cell(f"check({id!r})").result

    return card_below


def test_after_a_cell_that_python_cannot_read_the_card_says_what_was_checked(live, card_below):
    before = card_below("wrong = Square", "fn-square", Square=ForgetsTheTwo)
    unread = card_below("class Square(Function:\n    pass", "fn-square")
    elsewhere = card_below("def other(:\n    pass", "fn-square")

    said = "The cell that you ran last has a syntax error: none of it has run, and `Square`"
    assert str(unread).splitlines()[1].startswith(said)
    assert f"<p><strong>{said.replace('`Square`', '<code>Square</code>')}" in unread._repr_html_()
    assert unread.hint == before.hint == HINTS[0]
    assert said not in str(before)
    assert said not in str(elsewhere)
    assert elsewhere.hint == HINTS[1]


def test_after_a_cell_that_stopped_the_card_says_what_was_checked(card_below):
    before = card_below("diamond = 15", "graph-diamond")
    stopped = card_below("diamond = 3 * seven", "graph-diamond")
    afterwards = card_below("diamond = 21\nprint(seven)", "graph-diamond")

    assert (
        str(stopped)
        .splitlines()[1]
        .startswith(
            "The cell that you ran last stopped with an error, and `diamond` is what it was before."
        )
    )
    assert stopped.verdict == before.verdict
    assert stopped.hint_number == before.hint_number
    assert afterwards.passed
    assert afterwards.caution == ""


def test_an_answer_that_python_cannot_read_is_not_told_that_its_cell_is_untouched(card_below):
    lines = str(card_below("class Square(Function:\n    pass", "fn-square")).splitlines()

    assert "not attempted" in lines[0]
    assert lines[1].startswith("The cell that you ran last has a syntax error")
    assert len(lines) == 2


def test_a_name_that_the_notebook_does_not_have_is_told_what_may_be_meant(notebook):
    source = inspect.getsource(RightSquare).replace("return x * x", "return pow(x, two)")
    notebook.run("from autograd_core.autograd import Function\nTwo = 2")
    card = notebook.run(f"{source}\ncard = check('fn-square')")

    assert "name 'two' is not defined. Did you mean `Two` instead of `two`?" in card.verdict.summary
