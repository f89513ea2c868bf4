"""What a notebook keeps of widgets when JupyterLab saves it."""

from copy import deepcopy

from graders.lab import lab_command
from graders.saved_outputs import STANDS_ALONE, without_views

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


def test_files_that_are_no_notebooks_are_left_alone():
    for model in ({"type": "file", "content": "text"}, {"type": "notebook", "content": None}):
        before = deepcopy(model)
        without_views(model)
        assert model == before


def test_the_lessons_jupyterlab_saves_so():
    command = lab_command(8888, browser=False)
    [hook] = [part for part in command if part.startswith("--ContentsManager.pre_save_hook=")]
    assert hook.endswith("graders.saved_outputs.without_views")
