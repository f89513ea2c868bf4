import gc
import re
import sys
import weakref
import xml.etree.ElementTree as ET

import pytest

import autograd_core as torch
from autograd_core import drawing, make_dot
from autograd_core.autograd import Function
from autograd_core.drawing import figure
from autograd_core.drawing.figure import Graph

SVG = "{http://www.w3.org/2000/svg}"


def document_graph():
    """The overview document's z = log(x1 x2) sin(x1 x2), with all its intermediates."""
    x1 = torch.tensor(1.0, requires_grad=True)
    x2 = torch.tensor(2.0, requires_grad=True)
    y1 = x1 * x2
    y2, y3 = torch.log(y1), torch.sin(y1)
    return {"x1": x1, "x2": x2, "y1": y1, "y2": y2, "y3": y3, "z": y2 * y3}


def texts(graph):
    return [element.text for element in ET.fromstring(graph.svg).iter(f"{SVG}text")]


def test_the_document_graph_is_listed_from_the_output_to_the_leaves():
    names = document_graph()
    assert make_dot(names["z"], names).text == "\n".join(
        [
            "Computation graph of z: 2 leaves, 4 functions. "
            "Below each line, indented: what it takes.",
            "z (output, shape ())",
            "└─ MulBackward0",
            "   ├─ LogBackward0 (makes y2)",
            "   │  └─ MulBackward0 (makes y1) [1]",
            "   │     ├─ x1 (leaf, shape ())",
            "   │     └─ x2 (leaf, shape ())",
            "   └─ SinBackward0 (makes y3)",
            "      └─ MulBackward0 (makes y1) [1, as above]",
        ]
    )


def test_the_figure_says_what_the_text_says():
    names = document_graph()
    drawn = texts(make_dot(names["z"], names))
    leaf = ["leaf, shape ()", "AccumulateGrad"]
    functions = ["MulBackward0", "makes y1", "LogBackward0", "makes y2"]
    functions += ["SinBackward0", "makes y3", "MulBackward0"]
    assert sorted(drawn) == sorted(["x1", *leaf, "x2", *leaf, *functions, "z", "output, shape ()"])


def test_the_dot_source_points_the_way_the_data_went():
    names = document_graph()
    source = make_dot(names["z"], names).source
    number = dict(re.findall(r'(n\d+) \[label="(\w+)', source))
    edges = [(number[a], number[b]) for a, b in re.findall(r"(n\d+) -> (n\d+)", source)]
    assert edges == [
        ("x1", "MulBackward0"),
        ("x2", "MulBackward0"),
        ("MulBackward0", "LogBackward0"),
        ("MulBackward0", "SinBackward0"),
        ("LogBackward0", "MulBackward0"),
        ("SinBackward0", "MulBackward0"),
        ("MulBackward0", "z"),
    ]


def test_a_detached_branch_is_absent_and_the_note_says_why():
    names = document_graph()
    detached = names["y1"].detach()
    names["y2"] = torch.log(detached)
    names["z"] = names["y2"] * names["y3"]
    graph = make_dot(names["z"], {**names, "d": detached})
    assert "LogBackward0" not in graph.text + graph.source + graph.svg
    assert graph.text.endswith("Not in this graph: y2, d (requires_grad is False).")


def test_what_does_not_lead_to_the_output_is_absent_and_the_note_says_why():
    x, w = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    graph = make_dot(x * 2, {"x": x, "w": w})
    assert graph.text.endswith("Not in this graph: w (no path leads from there to here).")


def test_long_lists_of_absent_names_are_cut():
    x = torch.tensor(1.0, requires_grad=True)
    others = {f"w{n}": torch.tensor(1.0) for n in range(7)}
    note = make_dot(x * 2, {"x": x, **others}).text.splitlines()[-1]
    assert note == "Not in this graph: w0, w1, w2, w3 and 3 more (requires_grad is False)."


def test_without_names_leaves_and_outputs_show_their_shape():
    x = torch.zeros((2, 3), requires_grad=True)
    graph = make_dot(x.sum())
    assert "leaf (shape (2, 3))" in graph.text
    assert "output (shape ())" in graph.text
    assert {"leaf", "shape (2, 3)", "output", "shape ()"} <= set(texts(graph))


def test_kinds_differ_by_shape_and_not_by_colour_alone():
    names = document_graph()
    source = make_dot(names["z"], names, show_saved=True).source
    shapes = {shape for line in source.splitlines() for shape in re.findall(r"shape=(\w+)", line)}
    assert shapes == {"box", "ellipse", "note"}
    assert "peripheries=2" in source


def test_a_tensor_used_twice_has_two_edges():
    x = torch.tensor(3.0, requires_grad=True)
    graph = make_dot(x * x, {"x": x})
    assert graph.source.count("n0 -> n1;") == 2
    assert graph.text.count("x (leaf, shape ())") == 2


def test_several_outputs_share_one_figure():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    a, b = torch.sin(y), torch.cos(y)
    graph = make_dot((a, b), {"a": a, "b": b})
    assert graph.text.startswith("Computation graph of a, b: 1 leaf, 3 functions.")
    assert graph.text.count("MulBackward0 [1") == 2


def test_custom_functions_have_their_own_name():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.variable = x
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            return 2 * ctx.variable * grad_output

    x = torch.tensor(3.0, requires_grad=True)
    assert "SquareBackward" in make_dot(Square.apply(x), {"x": x}).text


def test_a_plain_tensor_says_that_nothing_was_recorded():
    graph = make_dot(torch.tensor(2.0))
    assert "leaf (shape (), requires_grad=False)" in graph.text
    assert "Nothing was recorded: grad_fn is None, because no input required grad" in graph.text
    assert "AccumulateGrad" not in graph.svg


def test_a_leaf_that_requires_grad_is_where_a_graph_would_start():
    x = torch.tensor(2.0, requires_grad=True)
    assert "this leaf is where a graph would start" in make_dot(x, {"x": x}).text


def test_empty_tensors_are_drawn():
    x = torch.zeros(0, requires_grad=True)
    assert "leaf, shape (0,)" in make_dot(x * 2, {"x": x}).svg


@pytest.mark.parametrize("z", [3.0, "z", None])
def test_what_is_no_tensor_is_refused(z):
    with pytest.raises(TypeError, match="make_dot needs tensors, but z is a"):
        make_dot(z)


def test_a_name_for_what_is_no_tensor_is_refused():
    x = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(TypeError, match="but lr is a float"):
        make_dot(x * 2, {"x": x, "lr": 0.1})


def test_saved_tensors_carry_name_and_version():
    names = document_graph()
    listing = make_dot(names["z"], names, show_saved=True).text
    assert "6 saved tensors" in listing
    assert "saved self (x1, shape (), version 0)" in listing
    assert "saved other (y3, shape (), version 0)" in listing


def test_one_memory_saved_under_two_names_is_one_item():
    x = torch.tensor(3.0, requires_grad=True)
    graph = make_dot(x * x, {"x": x}, show_saved=True)
    assert "saved self, other (x, shape (), version 0)" in graph.text


def test_a_stale_saved_tensor_says_so_in_words():
    a = torch.tensor(3.0, requires_grad=True).clone()
    b = a * a
    a.detach().add_(1)
    graph = make_dot(b, {"a": a, "b": b}, show_saved=True)
    assert "(a, shape (), version 0, STALE: memory is at version 1)" in graph.text
    assert "STALE: memory is at version 1" in texts(graph)


def test_the_history_of_a_stale_view_is_drawn_without_being_renewed():
    base = torch.ones(3, requires_grad=True) * 1
    view = base[:2]
    base.mul_(2)

    listing = make_dot(view, {"view": view}).text

    assert "AsStridedBackward0" in listing
    assert "SliceBackward0" not in listing
    assert view._grad_fn.name() == "SliceBackward0"


def test_what_backward_has_freed_is_shown_as_freed():
    names = document_graph()
    names["z"].backward()
    listing = make_dot(names["z"], names, show_saved=True).text
    assert listing.endswith("saved self, other (freed by backward)")


def test_where_nothing_is_saved_a_note_says_so():
    x = torch.tensor(2.0, requires_grad=True)
    listing = make_dot(x + 1, show_saved=True).text
    assert listing.endswith("Nothing is saved: no function needs it for backward.")


def test_a_deep_chain_is_folded_and_the_note_says_so():
    x = torch.tensor(0.5, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = torch.sin(y)
    graph = make_dot(y, {"x": x, "y": y})
    assert "… 9,981 nodes folded (9,981 SinBackward0)" in graph.text
    assert graph.text.endswith(
        "The graph has 10,001 nodes; the 9,981 in the middle are drawn as one."
    )
    assert graph.text.count("SinBackward0") == 19 + 1
    assert "x (leaf, shape ())" in graph.text


def test_a_folded_graph_counts_the_edges_that_it_joins():
    w = torch.tensor(0.5, requires_grad=True)
    y = w
    for _ in range(100):
        y = y * w
    graph = make_dot(y, {"w": w})
    assert "81 edges from w (leaf, shape ())" in graph.text
    assert "81 edges" in texts(graph)


def test_saved_tensors_of_a_folded_part_are_folded_with_it():
    y = torch.tensor(0.5, requires_grad=True)
    for _ in range(200):
        y = torch.sin(y)
    assert "19 saved tensors" in make_dot(y, show_saved=True).text


def test_sixty_nodes_are_drawn_in_full():
    y = torch.tensor(0.5, requires_grad=True)
    for _ in range(59):
        y = torch.sin(y)
    graph = make_dot(y)
    assert "folded" not in graph.text
    assert texts(graph).count("SinBackward0") == 59


def test_the_same_program_gives_the_same_picture():
    one, other = document_graph(), document_graph()
    assert make_dot(one["z"], one).svg == make_dot(other["z"], other).svg


def test_different_pictures_have_different_ids():
    names = document_graph()
    ids = re.findall(r'id="([^"]+)"', make_dot(names["z"], names).svg)
    other_ids = re.findall(r'id="([^"]+)"', make_dot(names["z"]).svg)
    assert len({*ids, *other_ids}) == 6


def test_the_svg_names_and_describes_itself_for_screen_readers():
    names = document_graph()
    root = ET.fromstring(make_dot(names["z"], names).svg)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.text == "Computation graph of z"
    assert "LogBackward0 takes MulBackward0." in description.text
    assert "x1: leaf, shape ()." in description.text


def test_the_svg_can_be_dark_and_its_style_is_for_itself_alone():
    root = ET.fromstring(make_dot(document_graph()["z"]).svg)
    style, key = root.find(f"{SVG}style").text, root.get("id")
    assert style.count("{filter:") == style.count(f"#{key}") == 2


def test_a_notebook_gets_svg_and_text():
    names = document_graph()
    graph = make_dot(names["z"], names)
    assert graph._repr_mimebundle_() == {"image/svg+xml": graph.svg, "text/plain": graph.text}
    assert graph._repr_svg_() == graph.svg
    assert repr(graph) == graph.text


@pytest.mark.parametrize("name", ['a<b>&"c"', "back\\slash", "control\x00\n", "重み" * 40])
def test_any_name_gives_valid_svg_and_dot(name):
    x = torch.tensor(1.0, requires_grad=True)
    graph = make_dot(x * 2, {name: x})
    ET.fromstring(graph.svg)
    labels = re.findall(r'label="((?:[^"\\]|\\.)*)", shape', graph.source)
    assert len(labels) == 3


def test_text_stays_inside_its_box():
    x = torch.tensor(1.0, requires_grad=True)
    root = ET.fromstring(make_dot(x * 2, {"an_unreasonably_long_name" * 5: x}).svg)
    widest = max(float(box.get("width")) for box in root.iter(f"{SVG}rect"))
    assert widest < 400
    assert all(len(element.text) <= 48 for element in root.iter(f"{SVG}text"))


def test_with_graphviz_it_is_a_digraph_with_the_same_source_and_picture(monkeypatch):
    graphviz = pytest.importorskip("graphviz")
    names = document_graph()
    drawn = make_dot(names["z"], names)
    assert isinstance(drawn, graphviz.Digraph)
    monkeypatch.setattr(drawing, "_digraph", without_graphviz)
    plain = make_dot(names["z"], names)
    assert type(plain) is Graph
    assert drawn.source == plain.source
    assert drawn._repr_mimebundle_() == plain._repr_mimebundle_()
    assert (repr(drawn), str(drawn), drawn.svg) == (repr(plain), str(plain), plain.svg)


@pytest.mark.parametrize("package", ["graphviz", None])
def test_the_picture_is_drawn_when_it_is_looked_at_of_the_graph_as_it_was(monkeypatch, package):
    if package:
        pytest.importorskip(package)
    else:
        monkeypatch.setattr(drawing, "_digraph", without_graphviz)
    drawings = []
    draw = figure._svg
    monkeypatch.setattr(figure, "_svg", lambda graph: drawings.append(graph) or draw(graph))
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a.exp()
    names, node = {"a": a, "b": b}, weakref.ref(b.grad_fn)
    first, second = (make_dot(b, names, show_saved=True) for _ in range(2))
    assert "version 0" in first.text
    assert "version 0" in first.source
    assert not drawings
    expected = first.svg
    b.add_(1)
    b.sum().backward(inputs=[b])
    del b, names
    gc.collect()
    assert node() is None
    assert second._repr_svg_() == second.svg == expected
    assert len(drawings) == 2


def without_graphviz():
    raise ImportError("No module named 'graphviz'")


def test_a_digraph_can_be_changed_as_graphviz_lets_it():
    pytest.importorskip("graphviz")
    names = document_graph()
    drawn = make_dot(names["z"], names)
    drawn.node("mine", label="a node of mine")
    drawn.graph_attr["rankdir"] = "LR"
    assert '\tmine [label="a node of mine"]' in drawn.source
    assert "graph [rankdir=LR]" in drawn.source
    assert "a node of mine" in drawn.copy().source
    assert drawn.unflatten.__self__ is drawn


def test_a_notebook_shows_the_picture_where_the_program_dot_is_missing(monkeypatch):
    pytest.importorskip("graphviz")
    monkeypatch.setenv("PATH", "")
    formatter = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    names = document_graph()
    data, _ = formatter.format(make_dot(names["z"], names))
    assert set(data) == {"image/svg+xml", "text/plain"}
    assert data["image/svg+xml"].startswith("<svg")


def test_without_the_package_the_figure_is_ours(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    drawing._digraph.cache_clear()
    names = document_graph()
    assert type(make_dot(names["z"], names)) is Graph
    drawing._digraph.cache_clear()
