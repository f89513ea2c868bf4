import IPython
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

import autograd_core as torch
from graders.card import STYLE
from lessons import widgets
from lessons.widgets import reveal
from lessons.widgets.answers import same_answer, shown


def test_nothing_predicted_shows_the_truth_and_invites_to_commit():
    card = reveal(..., 48, question="What is x.grad?")
    assert card.state == "none"
    assert repr(card).startswith("? Nothing predicted yet\nWhat is x.grad?\nPut your answer")
    assert "The answer is: 48" in repr(card)


def test_what_lessons_import_as_a_guess_is_no_prediction():
    assert reveal(widgets.guess, 48).state == "none"


def test_nothing_predicted_hides_the_truth_in_html_until_it_is_asked_for():
    html = reveal(..., 48)._repr_html_()
    assert html.index("<details") < html.index("48") < html.index("</details>")


@pytest.mark.parametrize("guess", [..., "...", [..., ...], {"h": ..., "x": ...}])
def test_ellipses_everywhere_are_no_prediction(guess):
    assert reveal(guess, {"h": 12, "x": 36}).state == "none"


def test_a_half_filled_dict_is_a_prediction():
    assert reveal({"h": 12, "x": ...}, {"h": 12, "x": 36}).state == "wrong"


def test_a_right_prediction_is_confirmed_and_explained():
    card = reveal(48, 48, because={24: "overwrites"}, explain="Gradients add up.")
    assert repr(card) == "✓ Predicted right\nYou predicted it: 48.\nGradients add up."


def test_a_wrong_prediction_names_the_idea_behind_it():
    card = reveal(24, 48, because={72: "other", 24: "You let backward overwrite."})
    assert repr(card).splitlines() == [
        "✗ Not what happens",
        "You predicted 24. What happens: 48.",
        "You let backward overwrite.",
    ]


@pytest.fixture
def revealed(monkeypatch):
    """Run a cell with a guess in a notebook, and return what the cell below reveals."""
    shell = InteractiveShell()
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    shell.push({"reveal": reveal})

    def card_below(guess, truth):
        shell.run_cell(f"guess = {guess}")
        return shell.run_cell(f"reveal(guess, {truth!r})").result

    return card_below


def test_a_guess_left_over_from_another_question_is_no_prediction(revealed):
    assert revealed("True", True).state == "right"
    card = revealed("works", "works")
    assert card.state == "none"
    said = "stopped with an error, so there is no prediction yet. Words need quotation marks."
    assert said in repr(card).splitlines()[1]
    assert f"{said}</strong>" in card._repr_html_()
    assert "quotation marks" not in repr(revealed("1 / 0", 1))
    assert "no prediction yet" in repr(revealed("(True", True))
    assert revealed("'works'", "works").caution == ""


def test_a_guess_left_over_is_asked_for_in_the_parts_of_the_answer(revealed):
    revealed("3", 3)
    assert revealed("{'h': twelve, 'x': 36}", {"h": 12, "x": 36}).form.parts == ("h", "x")


@pytest.mark.parametrize("guess", [torch.tensor(2.0), reveal, True])
def test_a_guess_without_quotation_marks_is_no_word(guess):
    card = reveal(guess, "x", because={"z": "the end"})
    assert card.state == "none"
    assert repr(card).splitlines()[1] == "The answer is a word, and words need quotation marks."
    assert reveal(guess, "error", because={6: "overwrites"}).state == "wrong"
    assert reveal(..., "x").caution == reveal("...", "x").caution == ""


def test_an_unforeseen_wrong_prediction_names_no_idea():
    assert reveal(25, 48, because={24: "You let backward overwrite."}).idea == ""


def test_foreseen_answers_are_compared_as_fairly_as_the_truth():
    card = reveal(torch.tensor(24.0), 48, because={24: "overwrites"})
    assert card.idea == "overwrites"


@pytest.mark.parametrize(
    ("guess", "truth"),
    [
        (48, 48.0),
        (0.3324, 0.33239537477493286),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3),
        ("48", 48),
        (torch.tensor(12.0), 12),
        (torch.tensor(12.0, requires_grad=True), 12),
        (12, torch.tensor(12.0)),
        (" Works ", "works"),
        ("silent  wrong", "Silent wrong"),
        ("flies-off.", "flies off"),
        ("\uff37orks!", "works"),
        (["x"], "x"),
        ("'w', 'b'", "w, b"),
        ("RuntimeError", "raises"),
        (RuntimeError, "error"),
        (RuntimeError("again"), "raises"),
        ("an error", "error"),
        (0.4547, 0.454649),
        (-0.2884, -0.288451),
        ([12], 12),
        ((None,), None),
        ("True", True),
        (np.bool_(False), False),
        (1, True),
        (torch.tensor(True), True),
        ("none", None),
        ((10, 2), [10.0, 2.0]),
        (torch.tensor([10.0, 2.0]), [10, 2]),
        ({"x": [10, 2], "backward": "Raises"}, {"backward": "raises", "x": [10, 2]}),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
    ],
)
def test_equal_answers_count_in_any_dress(guess, truth):
    assert same_answer(guess, truth)


@pytest.mark.parametrize(
    ("guess", "truth"),
    [
        (47, 48),
        (0.333, 0.3324),
        (-48, 48),
        (True, 1.0),
        ("works", "raises"),
        (False, True),
        (2, True),
        ("perhaps", True),
        ([10], [10, 2]),
        (10, [10, 2]),
        ([12, 12], 12),
        ("RuntimeError", "works"),
        ("no error", "error"),
        ("wb", "w, b"),
        (0.4549, 0.454649),
        ({"h": 12}, {"h": 12, "x": 36}),
        (np.ndarray, "Tensor"),
        (torch.Tensor, 12),
        ([12], {"h": 12}),
        (None, 0),
        (0, None),
        ("forty-eight", 48),
        (..., 48),
        (float("nan"), 1.0),
        (10**400, 1.0),
    ],
)
def test_different_answers_do_not_count(guess, truth):
    assert not same_answer(guess, truth)


@pytest.mark.parametrize(
    ("guess", "truth"), [("[20, 4]", [20, 4]), ("20, 4", [20, 4]), ("1/2", 0.5), ("tensor(8.)", 8)]
)
def test_a_guess_in_quotation_marks_is_read_as_in_the_card(guess, truth):
    assert reveal(guess, truth).state == "right"


def test_answers_are_shown_as_a_learner_writes_them():
    assert shown(torch.tensor(0.33239537477493286)) == "0.332395"
    assert shown({"x": (10, 2), "backward": "raises"}) == "x: [10, 2], backward: raises"
    assert shown({"h": ...}) == "h: …"


def test_the_html_escapes_what_the_learner_wrote():
    html = reveal("<script>", "works")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_code_between_backticks_is_shown_as_code():
    card = reveal(48, 48, explain="`x.grad < y` adds up.")
    assert "<code>x.grad &lt; y</code> adds up." in card._repr_html_()
    assert "`x.grad < y` adds up." in repr(card)


def test_the_state_is_said_in_words_and_sign_not_by_colour_alone():
    for guess, words, sign in ((48, "Predicted right", "✓"), (1, "Not what happens", "✗")):
        html = reveal(guess, 48)._repr_html_()
        assert words in html
        assert sign in html
        assert f'aria-label="Prediction: {words}"' in html


def test_the_card_looks_like_that_of_check():
    html = reveal(48, 48)._repr_html_()
    assert f"<style>{STYLE}</style>" in html
    assert 'class="al-card passed"' in html
    assert 'class="al-card failed"' in reveal(1, 48)._repr_html_()


def test_an_answer_that_holds_itself_is_shown_to_where_it_begins_anew():
    answer = [1.0]
    answer.append(answer)
    holder = {}
    holder["x"] = holder
    assert "You predicted [1, [...]]. What happens: 2." in repr(reveal(answer, 2))
    assert "You predicted x: [...]. What happens: 2." in repr(reveal(holder, 2))
    # What only stands there twice is shown twice.
    assert "You predicted [[1], [1]]." in repr(reveal([answer[:1]] * 2, 2))
