import json

import pytest

from graders.working_folder import LabError, copy_lessons


@pytest.fixture
def source(tmp_path):
    """A folder as the package `lessons` is: notebooks, pictures, Python beside them."""
    lessons = tmp_path / "installed" / "lessons"
    for name in (
        "02_leaf_nodes.ipynb",
        "images/graph.svg",
        "__init__.py",
        "py.typed",
        "widgets/__init__.py",
        "widgets/stepper.js",
        "__pycache__/__init__.cpython-311.pyc",
        ".ipynb_checkpoints/02_leaf_nodes-checkpoint.ipynb",
    ):
        path = lessons / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(notebook(name) if path.suffix == ".ipynb" else f"the lesson's {name}")
    return lessons


def notebook(text, outputs=(), count=None):
    """A notebook with one cell, as JSON."""
    cell = {"cell_type": "code", "source": text, "outputs": list(outputs), "execution_count": count}
    return json.dumps({"nbformat": 4, "cells": [cell, {"cell_type": "markdown", "source": "é"}]})


def test_lessons_and_what_they_show_are_copied_and_python_stays(source, tmp_path):
    copied = copy_lessons(tmp_path / "work", source)
    assert copied.added == ("02_leaf_nodes.ipynb", "images/graph.svg")
    assert copied.kept == ()
    files = {p.relative_to(tmp_path / "work").as_posix() for p in (tmp_path / "work").rglob("*.*")}
    assert files == {"02_leaf_nodes.ipynb", "images/graph.svg"}


def test_a_learners_file_is_never_overwritten(source, tmp_path):
    work = tmp_path / "work"
    copy_lessons(work, source)
    (work / "02_leaf_nodes.ipynb").write_text("my answers")
    (source / "03_new.ipynb").write_text(notebook("a new lesson"))
    copied = copy_lessons(work, source)
    assert copied.added == ("03_new.ipynb",)
    assert copied.kept == ("02_leaf_nodes.ipynb",)
    assert (work / "02_leaf_nodes.ipynb").read_text() == "my answers"


def test_a_newer_lesson_does_not_replace_the_copy_that_is_there(source, tmp_path):
    copy_lessons(tmp_path / "work", source)
    (source / "02_leaf_nodes.ipynb").write_text(notebook("a newer text"))
    assert copy_lessons(tmp_path / "work", source).kept == ("02_leaf_nodes.ipynb",)
    assert "a newer text" not in (tmp_path / "work" / "02_leaf_nodes.ipynb").read_text()


def test_a_link_or_folder_in_a_lessons_place_is_kept(source, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    (work / "02_leaf_nodes.ipynb").symlink_to(tmp_path / "nowhere")
    assert copy_lessons(work, source).kept == ("02_leaf_nodes.ipynb",)
    assert (work / "02_leaf_nodes.ipynb").is_symlink()


def test_a_copy_leaves_no_scratch_files(source, tmp_path):
    copy_lessons(tmp_path / "work", source)
    assert not list((tmp_path / "work").rglob("*.copying"))


def test_a_folder_that_cannot_be_made_is_explained(source, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LabError, match="Choose another working folder with --dir"):
        copy_lessons(tmp_path / "file" / "work", source)


def test_a_lesson_is_handed_out_without_outputs_that_would_spoil_its_questions(source, tmp_path):
    shown = {"output_type": "stream", "name": "stdout", "text": "42"}
    (source / "02_leaf_nodes.ipynb").write_text(notebook("print(6 * 7)", [shown], 3))
    copy_lessons(tmp_path / "work", source)
    handed_out = json.loads((tmp_path / "work" / "02_leaf_nodes.ipynb").read_text("utf-8"))
    assert handed_out == json.loads(notebook("print(6 * 7)"))


def test_every_real_lesson_is_handed_out_with_its_exercises(tmp_path):
    copied = copy_lessons(tmp_path)
    assert "02_leaf_nodes.ipynb" in copied.added
    for name in copied.added:
        cells = json.loads((tmp_path / name).read_text("utf-8"))["cells"]
        assert not [cell for cell in cells if cell.get("outputs")]
        assert [cell for cell in cells if "exercise" in cell["metadata"]]
