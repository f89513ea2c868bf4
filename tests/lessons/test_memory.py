import xml.etree.ElementTree as ET

import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from lessons.widgets import memory

SVG = "{http://www.w3.org/2000/svg}"


def texts(figure):
    return [element.text for element in ET.fromstring(figure.svg).iter(f"{SVG}text")]


def leaf(values):
    return torch.tensor(values, requires_grad=True)


def test_one_tensor_is_one_name_one_memory_and_one_counter():
    assert memory(x=leaf([1.0, 2.5])).text == "\n".join(
        [
            "Memory of x",
            "memory A: [1, 2.5] (float32, 8 bytes)",
            "  version counter at 0",
            "    x: leaf, requires grad, shape (2,)",
        ]
    )


def test_aliases_share_a_memory_and_its_counter():
    x = leaf([1.0, 2.0])
    d = x.detach()
    d[0] = 10.0
    assert memory(x=x, d=d).text == "\n".join(
        [
            "Memory of x, d",
            "memory A: [10, 2] (float32, 8 bytes)",
            "  version counter at 1",
            "    x: leaf, requires grad, shape (2,)",
            "    d: leaf, shape (2,)",
        ]
    )


def test_a_clone_has_a_memory_of_its_own():
    x = leaf([1.0])
    figure = memory(x=x, c=x.clone())
    assert "memory B: [1]" in figure.text
    assert "c: made by CloneBackward0, shape (1,)" in figure.text


def test_a_view_says_whose_view_it_is():
    y = leaf([1.0, 2.0]) * 1
    assert "v: view of y, made by SelectBackward0, shape ()" in memory(y=y, v=y[0]).text


def test_a_view_alone_shows_the_whole_memory():
    v = torch.tensor([1.0, 2.0, 3.0])[1:]
    figure = memory(v=v)
    assert "[1, 2, 3]" in figure.text
    assert "v: view, leaf, shape (2,)" in figure.text


def test_data_shares_memory_but_counts_for_itself():
    x = leaf([1.0])
    data = x.data
    data.add_(1)
    assert memory(x=x, data=data).text == "\n".join(
        [
            "Memory of x, data",
            "memory A: [2] (float32, 4 bytes)",
            "  version counter at 0",
            "    x: leaf, requires grad, shape (1,)",
            "  version counter at 1",
            "    data: leaf, shape (1,)",
        ]
    )


def test_saved_slots_tell_function_part_and_version():
    x = leaf(2.0)
    figure = memory(x=x, y=torch.sin(x))
    assert "SinBackward0 saved self at version 0: up to date" in figure.text
    assert "up to date" in texts(figure)
    assert "STALE" not in figure.svg


def test_one_memory_saved_twice_by_one_function_is_one_slot():
    x = leaf(2.0)
    assert "MulBackward0 saved self, other at version 0" in memory(x=x, y=x * x).text


def test_a_slot_is_stale_once_its_memory_has_changed():
    a = leaf(3.0).clone()
    b = a * a
    assert "STALE" not in memory(a=a, b=b).text
    a.detach().add_(1)
    figure = memory(a=a, b=b)
    assert "saved self, other at version 0: STALE: memory is at version 1" in figure.text
    assert "STALE: memory is at version 1" in texts(figure)


def test_a_stale_slot_has_a_sign_and_a_dashed_border():
    a = leaf(3.0).clone()
    b = a * a
    fresh = memory(a=a, b=b).svg
    a.detach().add_(1)
    stale = memory(a=a, b=b).svg
    assert "stroke-dasharray" not in fresh
    assert "stroke-dasharray" in stale
    assert stale.count("<path") == fresh.count("<path") + 2


def test_a_change_through_data_leaves_the_slot_up_to_date():
    a = leaf(3.0).clone()
    b = a * a
    a.data.add_(1)
    figure = memory(a=a, b=b)
    assert "[4]" in figure.text
    assert "up to date" in figure.text
    assert "STALE" not in figure.text


def test_custom_functions_slots_are_numbered():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return 2 * x * grad_output

    x = leaf(3.0)
    assert "SquareBackward saved 0 at version 0" in memory(x=x, y=Square.apply(x)).text


def test_what_only_a_graph_keeps_is_shown_without_a_name():
    z = torch.sin(leaf(1.0) * 2)
    figure = memory(z=z)
    assert "(no name was given; a graph keeps it)\n    SinBackward0 saved self" in figure.text


def test_after_backward_the_note_says_what_was_freed():
    x = leaf(2.0)
    y = x * x
    y.backward()
    assert memory(x=x, y=y).text.endswith("Freed by backward: what MulBackward0 had saved.")


def test_where_nothing_is_saved_the_note_says_so():
    x = leaf(2.0)
    note = "Nothing is saved: no function needs it for backward."
    assert memory(x=x, y=x + 1).text.endswith(note)


def test_long_memories_show_their_beginning():
    figure = memory(x=torch.arange(100))
    assert "[0, 1, 2, 3, 4, 5, … 94 more] (int64, 800 bytes)" in figure.text
    assert "… 94 more" in texts(figure)


def test_empty_and_boolean_tensors_are_shown():
    figure = memory(nothing=torch.zeros(0), flags=torch.tensor([True, False]))
    assert "memory A: [] (float32, 0 bytes)" in figure.text
    assert "memory B: [True, False] (bool, 2 bytes)" in figure.text
    assert "no elements" in texts(figure)


def test_two_empty_tensors_do_not_share_memory():
    assert "memory B" in memory(a=torch.zeros(0), b=torch.zeros(0)).text


def test_many_memories_and_slots_are_cut_with_a_note():
    x = leaf(1.0)
    uses = {f"y{n}": x * float(n) for n in range(14)}
    figure = memory(x=x, **uses)
    assert "3 more memories are not shown." in figure.text
    many = x
    for _ in range(12):
        many = many + x * x
    assert "4 more slots hold memory A." in memory(x=x, many=many).text


def test_stale_slots_are_kept_when_slots_are_cut():
    a = leaf(1.0).clone()
    total = a * a
    for _ in range(10):
        a.detach().add_(1)
        total = total + a * a
    figure = memory(a=a, total=total)
    assert figure.text.count("STALE") == 8


def test_no_tensors_is_said_in_words():
    assert memory().text == "Memory: no tensors were given"
    assert texts(memory()) == ["Memory: no tensors were given"]


def test_inference_tensors_have_no_version_to_be_shown():
    with torch.inference_mode():
        x = torch.ones(2)
    assert memory(x=x).text.splitlines()[2:] == ["  no version counter", "    x: leaf, shape (2,)"]
    assert "no version counter" in texts(memory(x=x))
    x.data = torch.zeros(2)
    assert not x.is_inference()
    assert "no version counter" in memory(x=x).text


def test_what_is_no_tensor_is_refused_by_name():
    with pytest.raises(TypeError, match=r"memory\(\) shows tensors, but lr is a float"):
        memory(lr=0.1)


def test_the_figure_describes_itself_and_is_deterministic():
    first, second = memory(x=leaf([1.0])), memory(x=leaf([1.0]))
    assert first.svg == second.svg
    root = ET.fromstring(first.svg)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == "Memory of x"
    assert "version counter at 0" in root.find(f"{SVG}desc").text


def test_showing_memory_changes_nothing():
    a = leaf(3.0).clone()
    b = a * a
    memory(a=a, b=b)
    assert a._version == 0
    b.backward()
