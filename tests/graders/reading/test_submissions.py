import json
import os
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.reading.submissions import find_submissions

LESSONS = {
    "02_leaf_nodes": ["leaf-predict"],
    "07_custom_functions": ["fn-square", "fn-exp"],
}
LESSON = "07_custom_functions"


def notebook(*sources, **more):
    """A notebook's JSON with a code cell for each source; (source, id) marks it."""
    cells = []
    for written in sources:
        source, mark = written if isinstance(written, tuple) else (written, None)
        metadata = {"exercise": mark} if mark else {}
        cells.append({"cell_type": "code", "source": source, "metadata": metadata, "outputs": []})
    return json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, **more})


def hand_in(top, path, content=None):
    place = top / path
    place.parent.mkdir(parents=True, exist_ok=True)
    raw = notebook("x = 1") if content is None else content
    place.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return place


def found(top):
    return find_submissions(top, LESSONS)


def only(top):
    (submission,) = found(top)
    return submission


def sources(submission):
    return [cell.source for cell in submission.cells]


def test_every_student_s_notebooks_are_found_in_order(tmp_path):
    hand_in(tmp_path, f"bob/{LESSON}.ipynb")
    hand_in(tmp_path, "ada/02_leaf_nodes.ipynb")
    hand_in(tmp_path, f"ada/week 3/late/{LESSON}.ipynb")

    assert [(each.student, each.lesson, each.problem) for each in found(tmp_path)] == [
        ("ada", "02_leaf_nodes", ""),
        ("ada", LESSON, ""),
        ("bob", LESSON, ""),
    ]


def test_code_cells_keep_their_index_and_mark(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": "# Title"},
        {
            "cell_type": "code",
            "source": ["x = 1\n", "y = 2"],
            "metadata": {"exercise": "fn-square"},
        },
        {"cell_type": "raw", "source": "raw"},
        {"cell_type": "code", "source": "!ls"},
    ]
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", json.dumps({"cells": cells}))

    first, second = only(tmp_path).cells

    assert (first.index, first.source, first.exercise) == (1, "x = 1\ny = 2", "fn-square")
    assert (second.index, second.exercise) == (3, None)
    assert "get_ipython" in second.code


def test_notebooks_of_format_3_are_read(tmp_path):
    sheets = [{"cells": [{"cell_type": "code", "input": ["a = 1"]}]}, {"cells": "none"}]
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", json.dumps({"worksheets": sheets, "nbformat": 3}))

    assert sources(only(tmp_path)) == ["a = 1"]


def test_a_script_is_a_submission(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.py", "import math\nx = 1\n")
    hand_in(tmp_path, "ada/helper.py", "y = 1")

    submission = only(tmp_path)

    assert (submission.lesson, sources(submission)) == (LESSON, ["import math\nx = 1\n"])


def test_the_marks_of_exporters_split_a_script(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.py", "# coding\n# In[1]:\nx = 1\n# %% next\ny = 2\n")

    expected = ["# coding\n", "# In[1]:\nx = 1\n", "# %% next\ny = 2\n"]
    assert sources(only(tmp_path)) == expected


@pytest.mark.parametrize(
    "name",
    [
        "07_custom_functions (1).ipynb",
        "07_custom_functions-ada.ipynb",
        "Copy of 07-Custom-Functions.IPYNB",
        "ada_07_custom_functions_final.ipynb",
    ],
)
def test_what_downloads_and_students_do_to_a_name_does_not_matter(tmp_path, name):
    hand_in(tmp_path, f"ada/{name}")

    assert only(tmp_path).lesson == LESSON


def test_another_name_is_no_matter_if_the_cells_are_marked(tmp_path):
    hand_in(tmp_path, "ada/Untitled.ipynb", notebook(("x = 1", "fn-exp")))

    assert (only(tmp_path).lesson, only(tmp_path).problem) == (LESSON, "")


def test_a_notebook_of_no_lesson_is_told(tmp_path):
    hand_in(tmp_path, "ada/holiday.ipynb")

    submission = only(tmp_path)

    assert (submission.student, submission.lesson, submission.cells) == ("ada", "", ())
    assert "no lesson's" in submission.problem


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "broken (line 1)"),
        (notebook("x = 1")[:30], "broken"),
        (b"[]", "no list of cells"),
        (b"null", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "broken"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "broken"),
        (notebook(*["x"] * 6000), "more than 5000 cells"),
        (notebook("x" * 2_000_000), "MiB of code"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_what_cannot_be_read_is_a_submission_with_a_problem(tmp_path, content, why):
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", content)

    submission = only(tmp_path)

    assert (submission.student, submission.lesson) == ("ada", LESSON)
    assert why in submission.problem
    assert submission.cells == ()
    assert len(submission.digest) == 64


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_script_under_the_name_of_a_notebook_is_a_script(tmp_path, encoding):
    text = "# Übung\nimport math\n# %%\nx = 1\n"
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", text.encode(encoding))

    assert sources(only(tmp_path)) == ["# Übung\nimport math\n", "# %%\nx = 1\n"]


@pytest.mark.parametrize(
    "text", ["I had no time.", "'x = 1'", "3", "<p>\nclass = 1\n</p>", "x = ("]
)
def test_prose_and_data_under_the_name_of_a_notebook_are_none(tmp_path, text):
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", text.encode())

    assert "no notebook" in only(tmp_path).problem


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "cp1252", "latin-1"]
)
def test_encodings_do_not_matter(tmp_path, encoding):
    text = json.dumps(
        {"cells": [{"cell_type": "code", "source": "# Übung\nx = 1"}]}, ensure_ascii=False
    )
    if encoding == "utf-16-le-bom":
        raw = b"\xff\xfe" + text.encode("utf-16-le")
    else:
        raw = text.encode(encoding)
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", raw)

    assert sources(only(tmp_path)) == ["# Übung\nx = 1"]


def test_halves_of_characters_are_replaced(tmp_path):
    hand_in(
        tmp_path, f"ada/{LESSON}.ipynb", '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}'
    )

    assert sources(only(tmp_path)) == ["?"]


@pytest.mark.parametrize(
    "damage",
    [
        {"metadata": None},
        {"metadata": []},
        {"metadata": {"exercise": 7}},
        {"metadata": {"exercise": {"id": "fn-exp"}}},
        {"source": None},
        {"source": [1, "x = 1", None]},
        {"source": {"a": 1}},
        {"cell_type": None},
        {"id": "same"},
    ],
    ids=str,
)
def test_damaged_cells_do_not_hide_the_others(tmp_path, damage):
    plain = {"cell_type": "code", "source": "x = 1", "metadata": {}}
    cells = [{**plain, **damage}, "no cell", None, [], {**plain, "source": "y = 2"}]
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", json.dumps({"cells": cells}))

    submission = only(tmp_path)

    assert submission.problem == ""
    assert sources(submission)[-1] == "y = 2"
    assert submission.cells[-1].index == 4


def test_a_folder_in_the_notebooks_place(tmp_path):
    (tmp_path / "ada" / f"{LESSON}.ipynb").mkdir(parents=True)

    assert (only(tmp_path).lesson, only(tmp_path).problem) == (
        LESSON,
        "There is a folder in the notebook's place.",
    )


def test_pipes_and_sockets_keep_nobody_waiting(tmp_path):
    (tmp_path / "ada").mkdir()
    os.mkfifo(tmp_path / "ada" / f"{LESSON}.ipynb")
    (tmp_path / "bob").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(tmp_path / "bob")
        try:
            listener.bind(f"{LESSON}.ipynb")
        finally:
            os.chdir(here)

    fifo, bound = found(tmp_path)

    assert (fifo.problem, bound.problem) == ("It is no file.", "It is no file.")


def test_links_out_of_a_student_s_folder_are_not_followed(tmp_path):
    top = tmp_path / "submissions"
    secret = hand_in(tmp_path, "outside/secret.ipynb")
    neighbour = hand_in(top, f"ada/{LESSON}.ipynb")
    for student, target in (("bob", neighbour), ("eve", secret), ("joe", tmp_path / "nothing")):
        (top / student).mkdir()
        (top / student / f"{LESSON}.ipynb").symlink_to(target)
    (top / "zoe").symlink_to(tmp_path / "outside")
    (top / "ida").mkdir()
    (top / "ida" / "work").symlink_to(tmp_path / "outside")

    problems = {each.student: each.problem for each in found(top)}

    assert problems.pop("ada") == ""
    assert set(problems) == {"bob", "eve", "ida", "joe", "zoe"}
    assert set(problems.values()) == {"It is a link that leads out of the student's folder."}


def test_links_inside_of_a_student_s_folder_are_fine(tmp_path):
    original = hand_in(tmp_path, "ada/drafts/solution.txt")
    (tmp_path / "ada" / f"{LESSON}.ipynb").symlink_to(original)
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / f"{LESSON}.ipynb").symlink_to(f"{LESSON}.ipynb")

    ada, bob = found(tmp_path)

    assert (ada.problem, sources(ada)) == ("", ["x = 1"])
    assert bob.problem != ""


def test_an_empty_folder_is_a_student_without_a_notebook(tmp_path):
    hand_in(tmp_path, "ada/notes.txt")
    (tmp_path / "bob").mkdir()

    assert [(each.student, each.lesson, each.problem) for each in found(tmp_path)] == [
        ("ada", "", "It has no notebook in it."),
        ("bob", "", "It has no notebook in it."),
    ]


def test_a_notebook_outside_of_any_student_s_folder_is_told(tmp_path):
    hand_in(tmp_path, f"{LESSON}.ipynb")
    hand_in(tmp_path, "README.md", "hello")
    hand_in(tmp_path, "roster.csv", "a,b")

    assert only(tmp_path).problem == (
        "It lies outside of any student's folder: put it into one, named as the student."
    )


def test_files_of_nobody_in_particular_are_told_one_by_one(tmp_path):
    names = [f"07_custom_functions_{name}.ipynb" for name in ("ada", "ben", "cleo")]
    for name in names:
        hand_in(tmp_path, name)

    assert [(each.path.name, each.note) for each in found(tmp_path)] == [(n, "") for n in names]


def test_what_machines_leave_behind_is_no_submission(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.ipynb")
    for left in (".ipynb_checkpoints", "__MACOSX/ada", "__pycache__"):
        hand_in(tmp_path, f"ada/{left}/{LESSON}-checkpoint.ipynb")
    hand_in(tmp_path, f"ada/._{LESSON}.ipynb", b"\x00\x05\x16\x07")
    hand_in(tmp_path, f".git/{LESSON}.ipynb")

    assert only(tmp_path).path == tmp_path / "ada" / f"{LESSON}.ipynb"


@pytest.mark.parametrize(
    "name", ["Ada Lovelace", "ada;rm -rf", "<b>ada", "-x", "ада", "a'b\"c", "a\nb", "%00"]
)
def test_odd_names_of_students_are_names(tmp_path, name):
    hand_in(tmp_path, f"{name}/{LESSON}.ipynb")

    assert (only(tmp_path).student, only(tmp_path).problem) == (name, "")


def test_names_that_are_no_text_are_names(tmp_path):
    folder = os.fsencode(tmp_path) + b"/ad\xff"
    os.mkdir(folder)
    with open(folder + f"/{LESSON}.ipynb".encode(), "w") as stream:
        stream.write(notebook("x = 1"))

    assert (only(tmp_path).student, only(tmp_path).problem) == ("ad\udcff", "")


def test_outputs_alone_make_no_new_submission(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", notebook("x = 1"))
    hand_in(tmp_path, f"bob/{LESSON}.ipynb", notebook("x = 1", metadata={"kernel": "a" * 9999}))
    hand_in(tmp_path, f"eve/{LESSON}.ipynb", notebook("x = 2"))
    hand_in(tmp_path, f"joe/{LESSON}.ipynb", notebook(("x = 1", "fn-exp")))

    ada, bob, eve, joe = (each.digest for each in found(tmp_path))

    assert ada == bob
    assert len({ada, eve, joe}) == 3


def test_large_outputs_are_read_over(tmp_path):
    cell = {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "a" * 20_000_000}]}
    hand_in(tmp_path, f"ada/{LESSON}.ipynb", json.dumps({"cells": [cell]}))

    assert sources(only(tmp_path)) == ["x = 1"]


def test_files_that_are_too_large_are_told(tmp_path):
    place = hand_in(tmp_path, f"ada/{LESSON}.ipynb")
    os.truncate(place, 129 * 1024 * 1024)

    assert only(tmp_path).problem == "It is larger than 128 MiB."


def test_there_are_lessons_by_default(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.ipynb")

    (submission,) = find_submissions(tmp_path)

    assert submission.lesson == LESSON


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.just("code"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "metadata", "exercise", "worksheets"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(value=json_values)
def test_no_notebook_of_any_shape_is_skipped_or_fatal(value, tmp_path_factory):
    top = tmp_path_factory.mktemp("any")
    hand_in(top, f"ada/{LESSON}.ipynb", json.dumps(value))

    submission = only(top)

    assert submission.problem or all(isinstance(cell.code, str) for cell in submission.cells)


@given(data=st.data())
def test_no_damage_to_a_notebook_is_skipped_or_fatal(data, tmp_path_factory):
    raw = bytearray(notebook("x = 1", ("class Square: pass", "fn-square")).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    top = tmp_path_factory.mktemp("damaged")
    hand_in(top, f"ada/{LESSON}.ipynb", bytes(raw) or b"x")

    assert only(top).lesson == LESSON
