import pytest

from graders import live as live_module
from graders.live import mimebundle

widget = pytest.importorskip("graders.widget", reason="anywidget is not installed")
LiveCard = widget.LiveCard
STILL = {"text/plain": "text", "text/html": "<p>html</p>"}


class Shown:
    def __repr__(self):
        return STILL["text/plain"]

    def _repr_html_(self):
        return STILL["text/html"]


def ask(card, **fields):
    card._hear(card, fields, [])


def test_what_a_form_asks_for_is_answered_with_new_content():
    def answer(fields):
        card.show(f"<p>{fields['answer']}</p>", {"text/plain": "6"}, "Look.")

    card = LiveCard("<p>?</p>", STILL, answer)
    ask(card, do="commit", answer="6")

    assert (card.html, card.note, card.answered) == ("<p>6</p>", "Look.", 1)
    assert card.still == {"text/plain": "6"}


def test_a_page_that_waits_gets_an_answer_even_when_none_can_be_given():
    card = LiveCard("<p>?</p>", STILL, lambda fields: 1 / 0)
    ask(card, do="commit")

    assert (card.html, card.answered) == ("<p>?</p>", 1)
    assert "ZeroDivisionError" in card.note
    assert "Run this card's cell again." in card.note


@pytest.mark.parametrize("content", [None, "commit", ["do"]])
def test_messages_of_another_kind_are_passed_over(content):
    card = LiveCard("<p>?</p>", STILL, lambda fields: pytest.fail("asked"))
    card._hear(card, content, [])
    assert card.answered == 0


def test_a_live_bundle_keeps_what_a_page_without_a_kernel_shows(live):
    bundle = mimebundle(Shown(), lambda: LiveCard("<p>live</p>", STILL))
    assert bundle["text/plain"] == "text"
    assert bundle["text/html"] == "<p>html</p>"
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"]


def test_what_can_be_no_widget_is_shown_all_the_same(live):
    assert mimebundle(Shown(), lambda: None) == STILL
    assert mimebundle(Shown(), lambda: 1 / 0) == STILL


def test_nothing_is_asked_of_widgets_where_nothing_is_live(monkeypatch):
    monkeypatch.setattr(live_module, "is_live", lambda: False)
    bundle = mimebundle(Shown(), lambda: pytest.fail("made"))
    assert set(bundle) == {"text/plain", "text/html"}
