import gc
import linecache
import math
import random
import re
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders import check
from graders.card import Card, anchor
from graders.check import forget_hints
from graders.exercise import load
from graders.exercises.fn_square import ForgetsTheTwo, SquareThatPrints
from graders.exercises.fn_square import Square as RightSquare
from graders.verdict import CheckReport, StudentError, Verdict

HINTS = load("fn-square").hints


@pytest.fixture(autouse=True)
def _fresh_hints():
    forget_hints()


def test_a_right_solution_gets_a_card_that_says_so():
    card = check("fn-square", RightSquare)

    assert card.passed
    assert str(card).splitlines()[:2] == [
        "✓ Your first Function: the square · passed (4 of 4 points)",
        "Everything is right.",
    ]
    assert "Hint" not in str(card)


def test_the_solution_is_found_where_check_is_called():
    Square = RightSquare  # noqa: N806 - the name is the exercise's symbol
    assert Square
    assert check("fn-square").passed


def test_the_solution_is_found_among_the_callers_globals():
    namespace = {"check": check, "Square": RightSquare}

    exec("def inner():\n    return check('fn-square')\ncard = inner()", namespace)

    assert namespace["card"].passed


def test_an_absent_symbol_is_not_attempted():
    card = check("fn-square")

    assert str(card) == (
        "\u2013 Your first Function: the square · not attempted (0 of 4 points)\n"
        "There is no `Square` yet."
    )


def test_an_answer_under_another_name_is_told_so():
    namespace = {"check": check, "square": RightSquare, 7: "no name"}

    exec("card = check('fn-square')", namespace)

    assert namespace["card"].verdict.status == "failed"
    assert "There is no `Square`, but there is `square`." in str(namespace["card"])


def test_an_untouched_exercise_is_not_attempted_and_uses_up_no_hint():
    starter = load("fn-square").started()

    for _ in range(5):
        card = check("fn-square", starter)
        assert card.verdict.status == "not_attempted"
        assert not card.hint

    assert check("fn-square", ForgetsTheTwo).hint == HINTS[0]


def test_each_further_failure_shows_a_more_specific_hint():
    seen = [check("fn-square", ForgetsTheTwo).hint for _ in range(5)]

    assert seen == [HINTS[0], HINTS[1], HINTS[2], HINTS[2], HINTS[2]]


def test_hints_are_counted_for_each_exercise():
    check("fn-square", ForgetsTheTwo)
    check("fn-square", ForgetsTheTwo)

    assert check("leaf-predict", {"a": True}).hint_number == 1


def test_the_misconception_is_named_in_words():
    text = str(check("fn-square", ForgetsTheTwo))

    assert "Your gradient is half of what it should be." in text
    assert "✗ The gradient is not right." in text
    assert "✓ The output is right for numbers, vectors and matrices." in text
    assert "Hint 1 of 3: " in text


def test_a_check_that_waits_for_another_has_a_sign_of_its_own():
    card = check("fn-square", ForgetsTheTwo)

    waits = "“grad_output” counts once “gradient” is right."
    assert f"… {waits}" in str(card)
    assert f'<li><b class="al-waiting">…</b> <span>{waits}' in card._repr_html_()
    assert "✗ " + waits not in str(card)


def test_a_wrong_answer_leads_back_to_the_section_that_explains_it():
    card = check("dirty-saves", {"multiply": "output"})

    assert "Read again: Who needs the old value?" in str(card)
    assert '<a href="#Who-needs-the-old-value?">Who needs the old value?</a>' in card._repr_html_()


@pytest.mark.parametrize("solution", [RightSquare, load("fn-square").started()])
def test_who_is_right_or_has_not_begun_is_not_sent_back(solution):
    assert "Read again" not in str(check("fn-square", solution))


def test_each_part_says_what_it_earned():
    card = check("fn-square", ForgetsTheTwo)

    for report in card.verdict.checks:
        earned = f"{report.points:g} of {report.max_points:g}"
        assert f"{report.says} ({earned})" in str(card)
        assert f"({earned})" in card._repr_html_()
    parts = [report.max_points for report in card.verdict.checks]
    assert math.fsum(parts) == card.verdict.max_points


def test_the_same_solution_gets_the_same_card():
    first = check("fn-square", ForgetsTheTwo)
    forget_hints()
    second = check("fn-square", ForgetsTheTwo)

    assert str(first) == str(second)
    assert first._repr_html_() == second._repr_html_()


def test_the_students_own_line_is_shown():
    source = "class Square(Function):\n    @staticmethod\n    def forward(ctx, x):\n        x.foo\n"
    linecache.cache["<ipython-1>"] = (len(source), None, source.splitlines(True), "<ipython-1>")
    namespace: dict = {"Function": Function}
    exec(compile(source, "<ipython-1>", "exec"), namespace)

    card = check("fn-square", namespace["Square"])

    text = str(card)
    assert "The code stopped with `AttributeError`: 'Tensor' object has no attribute 'foo'." in text
    assert "It happened in line 4:\n    x.foo\n" in text
    assert "<pre>The code stopped with <code>AttributeError</code>: " in card._repr_html_()


class Hostile:
    def __getattribute__(self, name):
        raise RuntimeError("hands off")

    __repr__ = __eq__ = __hash__ = __call__ = __bool__ = __len__ = __iter__ = __getattribute__


class HostileMeta(type):
    def __getattribute__(cls, name):
        raise RuntimeError("hands off")


class HostileClass(metaclass=HostileMeta):
    pass


class ExitingFunction(Function):
    @staticmethod
    def forward(ctx, x):
        raise SystemExit


class EndlessRecursion(Function):
    @staticmethod
    def forward(ctx, x):
        return EndlessRecursion.forward(ctx, x)


class ReturnsHostile(Function):
    @staticmethod
    def forward(ctx, x):
        return Hostile()


# By name, because pytest itself does not survive looking at some of them.
ODD_SOLUTIONS = {
    "None": None,
    "number": 3,
    "text": "text",
    "empty list": [],
    "builtin": print,
    "wrong arguments": lambda: None,
    "hostile object": Hostile(),
    "hostile class": HostileClass,
    "bare Function": Function,
    "exits": ExitingFunction,
    "recursion": EndlessRecursion,
    "returns hostile object": ReturnsHostile,
    "tensor": torch.tensor(1.0),
    "array": np.zeros((1000, 1000)),
}


@pytest.mark.parametrize("name", ODD_SOLUTIONS)
@pytest.mark.parametrize("exercise", ["fn-square", "leaf-predict"])
def test_check_survives_whatever_the_student_defined(exercise, name):
    card = check(exercise, ODD_SOLUTIONS[name])

    assert card.verdict.status in ("failed", "partial")
    assert str(card)
    assert card._repr_html_()


def test_an_unknown_exercise_is_answered_with_a_suggestion():
    assert "There is no exercise 'fn-sqare'; did you mean 'fn-square'?" in str(check("fn-sqare"))
    assert check(3).verdict.status == "error"


def test_the_learners_random_numbers_and_grad_mode_stay():
    torch.manual_seed(3), np.random.seed(3), random.seed(3)
    expected = torch.randn(2).tolist(), np.random.rand(), random.random()

    torch.manual_seed(3), np.random.seed(3), random.seed(3)
    with torch.no_grad():
        check("fn-square", ForgetsTheTwo)
        assert not torch.is_grad_enabled()

    assert (torch.randn(2).tolist(), np.random.rand(), random.random()) == expected


def test_what_is_frozen_for_the_collector_stays_so_and_nothing_else(nothing_frozen):
    check("fn-square", ForgetsTheTwo)
    assert gc.get_freeze_count() == 0

    gc.freeze()
    frozen = gc.get_freeze_count()
    check("fn-square", ForgetsTheTwo)
    # Some of them may have come to their end since.
    assert 0 < gc.get_freeze_count() <= frozen


def test_what_the_code_prints_goes_into_the_card(capsys):
    card = check("fn-square", SquareThatPrints)

    assert card.passed
    assert "What your code printed" in card._repr_html_()
    assert capsys.readouterr().out == ""


class Outline(HTMLParser):
    """Which tags there are, and whether each is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.text += data


def card_with(**changes) -> Card:
    fields = {
        "exercise": "fn-square",
        "lesson": "07_custom_functions",
        "title": "The square",
        "symbol": "Square",
        "section": "Forward and backward",
        "status": "partial",
        "points": 1.5,
        "max_points": 4.0,
        "summary": "Look at `grad_output`.",
        "checks": (
            CheckReport("output", True, 1.5, 1.5, "The output is right."),
            CheckReport("gradient", False, 0, 2.5, "The gradient is not.", "x = [1]"),
        ),
        **changes,
    }
    return Card(Verdict(**fields), "Think of <slopes>.", 2)


def test_the_card_is_well_formed_and_folds_details():
    outline = Outline(card_with()._repr_html_())

    assert outline.open == []
    assert "details" in outline.seen
    assert "x = [1]" in outline.text


def test_the_cards_html_says_what_its_text_says():
    card = card_with(remarks=("Well done.",))
    html = Outline(card._repr_html_()).text

    for line in str(card).replace("`", "").splitlines():
        for part in re.split(r" \(|: |\)$", line.strip()):
            assert part in html


def test_no_meaning_rests_on_colour_alone():
    text = Outline(card_with()._repr_html_()).text

    assert "◐ The square · partly right" in text
    assert "✓ The output is right." in text
    assert "✗ The gradient is not." in text


def test_students_words_cannot_become_markup():
    evil = "<script>alert(1)</script>"
    card = card_with(
        output=evil,
        summary=evil,
        error=StudentError("E", evil, 1, evil),
        checks=(CheckReport(evil, False, 0, 1, evil, evil),),
    )

    assert "<script" not in card._repr_html_()
    assert "&lt;script&gt;" in card._repr_html_()


def test_the_card_follows_the_theme_of_jupyterlab():
    html = card_with()._repr_html_()

    assert set(re.findall(r"--[a-z]+", html)) == {"--jp"}
    assert not re.search(r"var\(--[\w-]+\)", html), "each colour needs a fallback"


@pytest.mark.parametrize(
    ("heading", "address"),
    [
        ("Keep what backward needs", "#Keep-what-backward-needs"),
        ("What `ctx` is for", "#What-ctx-is-for"),
        ("The document's function: why?", "#The-document's-function:-why?"),
        ("A < b", ""),
        ("The “same” storage", ""),
    ],
)
def test_headings_are_linked_as_jupyterlab_and_browsers_spell_them_alike(heading, address):
    assert anchor(heading) == address
    assert f"Read again: {heading}" in str(card_with(section=heading))
    assert (f'<a href="{escape(address)}">' in card_with(section=heading)._repr_html_()) is bool(
        address
    )


def test_an_error_that_the_summary_does_not_name_is_told_in_full():
    card = card_with(error=StudentError("ValueError", "too\nlong", 3, "f(x)"))

    assert "`ValueError` in line 3: too long\n    f(x)" in str(card)


def test_notebooks_get_both_kinds_of_card():
    card = card_with()
    bundle = card._repr_mimebundle_()

    assert bundle == {"text/plain": str(card), "text/html": card._repr_html_()}
    assert repr(card) == str(card)
