import re

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

import autograd_core as torch
from lessons.widgets import line, plot, plots, points
from lessons.widgets.series import limits, ticks


def three_panels():
    x = np.linspace(-2, 2, 9)
    data = points(x, np.sin(x))
    return plots({f"step {k}": {"data": data, "network": line(x, k * x)} for k in range(3)})


def paths(svg):
    return re.findall(r'<path d="(M[^"]+L[^"]+)"', svg)


def test_a_list_is_drawn_over_its_places():
    series = line([4.0, 5.0, 6.0])
    assert series.x.tolist() == [0, 1, 2]
    assert series.y.tolist() == [4, 5, 6]


def test_tensors_are_drawn_whatever_their_shape_and_history():
    x = torch.tensor([[1.0], [2.0]], requires_grad=True)
    series = line(x, x * 2)
    assert series.x.tolist() == [1, 2]
    assert series.y.tolist() == [2, 4]


@pytest.mark.parametrize("numbers", [([1, 2], [1, 2, 3]), ([],), ([], [])])
def test_a_curve_without_matching_numbers_is_refused(numbers):
    with pytest.raises(ValueError, match="as many x as y"):
        line(*numbers)


def test_lines_are_told_apart_by_more_than_colour():
    text = repr(plot({"data": points([0, 1], [0, 1]), "one": [1, 2], "other": [2, 1]}))
    assert "data (points)" in text
    assert "one (solid line)" in text
    assert "other (dashed line)" in text


def test_the_words_name_panels_and_series_and_tell_some_values():
    assert repr(plot({"loss": [1, 0.5, 0.25]}, "The loss", "step", "loss")) == (
        "The loss\n  loss (solid line), step from 0 to 2: 1.00 at 0, 0.50 at 1, 0.25 at 2"
    )


def test_nothing_is_said_to_be_minus_zero():
    assert "-0" not in repr(plot({"a": line([-1e-9, 1], [-0.001, 1])}))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-2.2, 2.2, [-2, 0, 2]),
        (0, 1, [0, 0.5, 1]),
        (-0.03, 1.05, [0, 0.5, 1]),
        (0, 200, [0, 50, 100, 150, 200]),
        (0.001, 0.004, [0.001, 0.002, 0.003, 0.004]),
    ],
)
def test_ticks_are_round_numbers(low, high, expected):
    assert ticks(low, high) == expected


@pytest.mark.parametrize("size", [1e-7, 0.3, 1.0, 7.0, 123.0, 9e9])
def test_there_are_some_ticks_and_not_too_many(size):
    assert 2 <= len(ticks(-0.4 * size, 0.6 * size)) <= 8


def test_all_panels_share_their_axes():
    figure = three_panels()
    (left, right), (low, high) = limits(figure.panels)
    assert (left, right) == pytest.approx((-2.2, 2.2))
    assert low < -4 < 4 < high


def test_a_constant_and_missing_numbers_have_axes_too():
    ((left, right), (low, high)) = limits(plot({"a": [3.0, 3.0, float("nan")]}).panels)
    assert left < 0 < 2 < right
    assert low < 3 < high


def test_there_is_svg_with_axes_labels_and_legend():
    shown = three_panels()._repr_mimebundle_()
    assert set(shown) == {"image/svg+xml", "text/plain"}
    svg = shown["image/svg+xml"]
    assert svg.startswith("<svg")
    assert re.search(r"<title\b[^>]*>step 0; step 1; step 2</title>", svg)
    assert "network (solid line)" in re.search(r"<desc\b[^>]*>(.*?)</desc>", svg, re.S)[1]
    for words in (
        "step 0",
        "step 1",
        "step 2",
        "data",
        "network",
        ">x<",
        ">y<",
        ">\u22122<",
        ">2<",
    ):
        assert words in svg


def test_the_svg_is_the_same_every_time():
    assert three_panels().svg == three_panels().svg


def test_dashes_show_in_the_svg():
    svg = plot({"one": [1, 2], "other": [2, 1]}).svg
    assert len(re.findall(r'stroke-dasharray="7 4"', svg)) == 2  # the line and the legend


def test_a_line_pauses_where_a_number_is_missing():
    svg = plot({"loss": [1, 2, float("nan"), 2, float("inf"), 1, 1]}).svg
    (drawn,) = paths(svg)
    assert drawn.count("M") == 3
    assert "nan" not in drawn
    assert "inf" not in drawn


def test_names_are_escaped_in_the_svg():
    assert "<loss>" not in plot({"<loss>": [1, 2], "b": [1, 2]}, "a < b").svg


def test_a_notebook_shows_the_picture_and_has_its_words():
    figure = three_panels()
    shown, _ = DisplayFormatter().format(figure)
    assert shown == {"image/svg+xml": figure.svg, "text/plain": repr(figure)}
