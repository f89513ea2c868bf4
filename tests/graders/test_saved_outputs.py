"""What a notebook keeps of widgets when JupyterLab saves it."""

from copy import deepcopy

import pytest

from graders.lab import lab_command
from graders.saved_outputs import STANDS_ALONE, STATES, without_views

VIEW = "application/vnd.jupyter.widget-view+json"


def output(data, **metadata):
    return {"output_type": "display_data", "data": data, "metadata": metadata}


def saved(*outputs):
    cells = [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": list(outputs)}]
    model = {"type": "notebook", "content": {"nbformat": 4, "cells": cells}}
    without_views(model=model, path="lesson.ipynb", contents_manager=None)
    return cells[1]["outputs"]


def test_what_stands_alone_is_saved_without_the_view():
    kept = saved(output({VIEW: {"model_id": "m"}, "text/html": "alive"}, **{STANDS_ALONE: True}))
    assert kept[0]["data"] == {"text/html": "alive"}


def test_other_widgets_and_outputs_are_saved_as_they_are():
    outputs = [
        output({VIEW: {"model_id": "m"}, "text/html": "a table"}),
        output({VIEW: {"model_id": "m"}, "text/plain": "words"}, **{STANDS_ALONE: True}),
        {"output_type": "stream", "name": "stdout", "text": "1"},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": []},
    ]
    assert saved(*deepcopy(outputs)) == outputs


def layout(id):
    return {"model_name": "LayoutModel", "state": {}, "model_module": f"of {id}"}


def with_states(outputs, **states):
    """A notebook that JupyterLab saves together with the states of its widgets."""
    found = {
        id: {"state": {**state, "layout": f"IPY_MODEL_of-{id}"}} for id, state in states.items()
    }
    found |= {f"of-{id}": layout(id) for id in states}
    metadata = {"kernelspec": {}, "widgets": {STATES: {"version_major": 2, "state": found}}}
    content = {"nbformat": 4, "metadata": metadata, "cells": [{"outputs": outputs}]}
    without_views({"type": "notebook", "content": content})
    return content


def test_a_card_is_saved_as_it_stands_now_and_without_its_widget():
    still = {"text/html": "passed", "text/plain": "passed"}
    shown = output({VIEW: {"model_id": "m"}, "text/html": "failed", "text/plain": "failed"})
    content = with_states([shown], m={"still": still, "html": "passed, alive"})

    assert shown["data"] == still
    assert content["metadata"] == {"kernelspec": {}}


def test_other_widgets_keep_their_states_and_what_these_refer_to():
    card = output({VIEW: {"model_id": "card"}, "text/html": "", "text/plain": ""})
    alone = output({VIEW: {"model_id": "alone"}, "text/html": "x"}, **{STANDS_ALONE: True})
    slider = output({VIEW: {"model_id": "slider"}, "text/plain": "a slider"})
    content = with_states(
        [card, alone, slider],
        card={"still": {"text/html": "now"}},
        alone={"story": {}},
        slider={"value": 3, "beside": "IPY_MODEL_hidden"},
        hidden={"value": 4},
    )

    states = content["metadata"]["widgets"][STATES]["state"]
    assert set(states) == {"slider", "of-slider", "hidden", "of-hidden"}
    assert slider["data"][VIEW] == {"model_id": "slider"}


def test_what_another_widget_still_shows_is_kept():
    card = output({VIEW: {"model_id": "card"}, "text/html": ""})
    box = output({VIEW: {"model_id": "box"}, "text/plain": "a box"})
    content = with_states(
        [card, box], card={"still": {"text/html": "now"}}, box={"children": ["IPY_MODEL_card"]}
    )
    assert "card" in content["metadata"]["widgets"][STATES]["state"]


@pytest.mark.parametrize("state", [None, 3, {}, {"state": None}, {"state": {"still": "words"}}])
def test_states_of_another_kind_change_nothing(state):
    shown = output({VIEW: {"model_id": "m"}, "text/html": "failed"})
    before = deepcopy(shown)
    content = {
        "metadata": {"widgets": {STATES: {"state": {"m": state}}}},
        "cells": [{"outputs": [shown]}],
    }
    without_views({"type": "notebook", "content": content})
    assert shown == before


def test_files_that_are_no_notebooks_are_left_alone():
    for model in ({"type": "file", "content": "text"}, {"type": "notebook", "content": None}):
        before = deepcopy(model)
        without_views(model)
        assert model == before


def test_the_lessons_jupyterlab_saves_so():
    command = lab_command(8888, browser=False)
    [hook] = [part for part in command if part.startswith("--ContentsManager.pre_save_hook=")]
    assert hook.endswith("graders.saved_outputs.without_views")
