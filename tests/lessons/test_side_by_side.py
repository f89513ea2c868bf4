import base64
import re

import autograd_core as torch
from autograd_core.drawing.svg import Figure
from lessons.widgets import reveal, side_by_side


def raises():
    raise RuntimeError("modified by an <inplace> operation")


def test_captions_stand_in_the_given_order():
    text = repr(side_by_side({"first": "one", "second": "two\nlines"}))
    assert text == "first\n  one\n\nsecond\n  two\n  lines"


def test_a_function_is_run_and_its_value_or_error_is_shown():
    figure = side_by_side({"marked": raises, "unmarked": lambda: 8.0})
    assert repr(figure) == (
        "marked\n  ✗ raised RuntimeError: modified by an <inplace> operation\n\n"
        "unmarked\n  → returned 8.0"
    )


def test_a_method_is_run_like_a_function():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    text = repr(side_by_side({"once more": y.backward, "value": y.item}))
    assert "once more\n  ✗ raised RuntimeError: Trying to backward through the graph" in text
    assert "value\n  → returned 9.0" in text


def test_a_class_is_shown_and_not_made():
    assert "→ returned" not in repr(side_by_side({"type": dict}))


def test_an_exception_as_a_value_is_an_ending_too():
    assert "✗ raised ValueError: no" in repr(side_by_side({"a": ValueError("no")}))


def test_a_value_that_was_not_run_is_shown_as_it_is():
    assert repr(side_by_side({"grad": 0.33239537477493286})) == "grad\n  0.33239537477493286"


def test_an_interrupt_is_not_swallowed():
    def interrupted():
        raise KeyboardInterrupt

    try:
        side_by_side({"a": interrupted})
    except KeyboardInterrupt:
        return
    raise AssertionError("the learner could not stop the cell")


def test_html_escapes_captions_and_errors():
    html = side_by_side({"a < b": raises})._repr_html_()
    assert "a &lt; b" in html
    assert "&lt;inplace&gt;" in html


def test_a_figure_becomes_an_image_with_its_text_as_alternative():
    figure = Figure('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a "quoted" text')
    html = side_by_side({"memory": figure})._repr_html_()
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert base64.b64decode(source[1]).decode() == figure.svg
    assert 'alt="a &quot;quoted&quot; text"' in html


def test_cards_keep_their_html():
    card = reveal(1, 1)
    assert card._repr_html_() in side_by_side({"card": card})._repr_html_()


def test_every_ending_is_a_figure_with_a_caption():
    html = side_by_side({"a": 1, "b": 2, "c": 3})._repr_html_()
    assert html.count("<figure") == html.count("<figcaption") == 3


def test_a_long_error_gets_more_of_the_row_than_a_number():
    def raises_at_length():
        raise RuntimeError("word " * 40)

    html = side_by_side({"long": raises_at_length, "short": lambda: 8.0})._repr_html_()
    assert re.findall(r"flex: (\d)", html) == ["3", "1"]
