import re

import pytest

from lessons.widgets import reveal
from lessons.widgets.answers import same_answer
from lessons.widgets.prediction_form import MAX_LENGTH, form_for, written
from tests.graders.test_check import Outline


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("8", 8),
        (" 8.0 ", 8.0),
        ("-1", -1),
        ("\u22121", -1),
        ("1/2", 0.5),
        ("1e-3", 0.001),
        ("tensor(8.)", 8.0),
        ("[20, 4]", [20, 4]),
        ("20, 4", [20, 4]),
        ("tensor([20., 4.])", [20, 4]),
        ("error", "error"),
        ('"error"', "error"),
        ("flies off", "flies off"),
        ("True", True),
        ("true", True),
        ("None", None),
        ("none", None),
        ("don't know", "don't know"),
    ],
)
def test_answers_are_understood_as_learners_write_them(text, answer):
    assert same_answer(written(text), answer)


@pytest.mark.parametrize("text", ["", "  ", "...", "…", None])
def test_nothing_is_no_answer(text):
    assert written(text) is ...


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').getcwd()",
        "print(1)",
        "9**9**9",
        "[x for x in range(9)]",
        "f'{1}'",
        "lambda: 1",
        "1/0",
        "x.grad",
    ],
)
def test_what_is_written_is_never_evaluated(text, capsys):
    assert written(text) == text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 100_000, "\x00", "é" * 1000, "1e999999"])
def test_no_text_is_too_odd_to_be_read(text):
    assert same_answer(written(text), 3) is False
    assert len(str(written(text))) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("guess", "truth", "foreseen", "choices"),
    [
        (..., 8, [6, "error"], ()),
        (..., "error", [6, 8], ()),
        (..., None, [12], ()),
        (..., True, [False], ("True", "False")),
        (..., False, [], ("True", "False")),
        (..., "works", ["error"], ("error", "works")),
        (..., "y", ["neither", "both", "x"], ("both", "neither", "x", "y")),
        (..., "c", ["a", "b", "bc", "ac", "abc"], ()),
        (..., "swings", [], ()),
        ([..., ...], (True, False), [(True, True)], ("True", "False")),
        ({"a": ..., "b": ...}, {"a": True, "b": False}, [], ("True", "False")),
        ({"a": ..., "b": ...}, {"a": "error", "b": "error"}, [], ()),
    ],
)
def test_truth_values_and_few_words_are_chosen_and_all_else_is_written(
    guess, truth, foreseen, choices
):
    assert form_for(guess, truth, foreseen).choices == choices


def test_a_lesson_may_say_what_there_is_to_choose_from():
    form = form_for(..., "swings", ["arrives"], ("arrives", "swings", "flies off"))
    assert re.findall(r'value="([^"]+)"', form.html()) == ["arrives", "swings", "flies off"]


def test_each_part_of_an_answer_has_a_field_and_comes_back_in_its_place():
    by_name = form_for({"Sine": ..., "h": ...}, {"Sine": "error", "h": 2}, [])
    assert by_name.html().count("<input") == 2
    assert by_name.read({"part0": "error", "part1": "2"}) == {"Sine": "error", "h": 2}

    by_place = form_for([..., ..., ...], (1, 2, 3), [])
    assert by_place.html().count("<input") == 3
    assert by_place.read({"part0": "1", "part2": "3"}) == [1, ..., 3]


def test_a_form_is_well_formed_labelled_and_escapes_its_words():
    for form in (
        form_for(..., 8, []),
        form_for(..., True, []),
        form_for({"<b>": ...}, {"<b>": "x"}, [], ("<script>", '"')),
    ):
        inputs = form.html().count("<input")
        assert Outline(re.sub(r"<input[^>]*>", "", form.html())).open == []
        assert form.html().count("<label") == form.html().count("</label>") >= inputs
        assert "<script" not in form.html()
        assert "<b>" not in form.html()


def answer(shown, **fields):
    shown._hear(shown, {"do": "commit", **fields}, [])


def test_the_card_asks_who_has_not_predicted_and_keeps_the_answer_folded(live):
    shown = live(reveal(..., 48, question="What is `x.grad`?"))

    assert "Nothing predicted yet" in shown.html
    assert "What is <code>x.grad</code>?" in shown.html
    assert 'data-al-do="commit"' in shown.html
    assert shown.html.index("<form") < shown.html.index("<details") < shown.html.index("48")


def test_a_wrong_answer_committed_in_the_card_names_the_idea(live):
    shown = live(reveal(..., 48, because={24: "You let backward overwrite."}, explain="It adds."))
    answer(shown, answer="24")

    assert "Not what happens" in shown.html
    assert "You predicted 24. What happens: 48." in shown.html
    assert "You let backward overwrite." in shown.html
    assert "It adds." in shown.html
    assert 'data-al-do="commit"' not in shown.html
    assert shown.still["text/plain"].startswith("✗ Not what happens\nYou predicted 24.")


def test_a_right_answer_committed_in_the_card_is_confirmed(live):
    shown = live(reveal({"h": ..., "x": ...}, {"h": 12, "x": 36}))
    answer(shown, part0="12.0", part1="36")
    assert "Predicted right" in shown.html
    assert 'class="al-card passed"' in shown.html


def test_what_is_typed_in_the_card_needs_no_quotation_marks(live):
    shown = live(reveal(..., "c", because={"ab": "the first is refused"}))
    answer(shown, answer="3")
    assert "You predicted 3. What happens: c." in shown.html


def test_a_cell_that_is_run_again_shows_what_was_committed(live):
    def run(guess=..., truth=48):
        return live(reveal(guess, truth, because={24: "You let backward overwrite."}))

    answer(run(), answer="24")

    again = run()
    assert "You predicted 24. What happens: 48." in again.html
    assert "You let backward overwrite." in again.html
    assert again.still["text/plain"].startswith("✗ Not what happens")
    assert 'data-al-do="commit"' in run(truth=47).html

    again._hear(again, {"do": "again"}, [])
    assert 'data-al-do="commit"' in again.html
    assert 'data-al-do="commit"' in run().html


def test_an_empty_answer_is_asked_for_again(live):
    shown = live(reveal(..., 48))
    answer(shown, answer=" ... ")
    assert "<form" in shown.html
    assert shown.note == "There is no answer in it yet."


def test_what_was_typed_becomes_no_markup(live):
    shown = live(reveal(..., "works"))
    answer(shown, answer="<img src=x onerror=alert(1)>")
    assert "<img" not in shown.html
    assert "&lt;img" in shown.html


def test_who_has_predicted_in_the_cell_gets_no_form(live):
    assert live(reveal(24, 48)) is None


def test_without_a_page_that_listens_the_card_is_as_it_was():
    card = reveal(..., 48)
    bundle = card._repr_mimebundle_()
    assert bundle == {"text/plain": repr(card), "text/html": card._repr_html_()}
    assert "<form" not in bundle["text/html"]
    assert "Put your answer in place of the …" in bundle["text/html"]
