"""The stepper without a kernel: a figure of the end, all steps as text, the same in every run."""

import re
from xml.etree import ElementTree

import autograd_core as torch
from lessons.widgets.stepper import record, step

from .test_stepper_truth import document

SVG = "{http://www.w3.org/2000/svg}"


def test_the_text_tells_values_gradients_and_every_step():
    x1, x2, y, z = document()
    text = repr(step(z, x1=x1, x2=x2, y=y, z=z))
    assert text.splitlines()[:4] == [
        "The graph of z",
        "              function      value   grad",
        "y             MulBackward0  2.      0.1662",
        "x1            leaf          1.      0.3324",
    ]
    assert " 8 ↑ 0.6931 has arrived at SinBackward0. " in text
    assert "12 ↑ x2 is a leaf: its .grad was None and is 0.1662 now." in text


def test_the_figure_is_well_formed_and_says_the_same():
    figure = step(document()[3]).still
    root = ElementTree.fromstring(figure.svg)
    words = " ".join(each.text or "" for each in root.iter(f"{SVG}text"))
    for number in ("0.3324", "0.1662", "0.6303", "-0.2885", "0.4546"):
        assert number in words
    assert root.find(f"{SVG}title").text == "The graph of z" or "graph" in figure.svg
    assert "leaf" in root.find(f"{SVG}desc").text


def test_a_page_without_widgets_gets_picture_and_text(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LESSONS_STATIC", "1")
    shown = step(document()[3])
    assert set(shown._repr_mimebundle_()) == {"image/svg+xml", "text/plain"}


def test_two_runs_show_the_same():
    def program():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        with record() as recording:
            y = x.exp()
            y.sum().backward()
        return recording.still

    assert program().svg == program().svg
    assert program().text == program().text


def test_what_is_cut_is_broken_and_says_why():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        d = x.detach()
        z = x * d
        z.backward()
    svg = recording.still.svg
    assert "✂ cut by detach" in svg
    assert re.search(r"stroke-dasharray", svg)


def test_words_of_learners_are_escaped():
    x = torch.tensor(2.0, requires_grad=True)
    svg = step(x * 2, **{"<b>&": x}).still.svg
    ElementTree.fromstring(svg)
    assert "&lt;b&gt;&amp;" in svg


def test_an_empty_recording_can_be_shown():
    with record() as recording:
        pass
    ElementTree.fromstring(recording.still.svg)
    assert repr(recording)
