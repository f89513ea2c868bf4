import codecs
import json

import pytest

from graders.reading import Unreadable
from graders.reading.encoding import as_utf8, script_text, text_of
from graders.reading.magics import runnable
from graders.reading.script import script_cells
from tests.graders.reading.hand_ins import LESSON, NAME, SQUARE, cell, found, hand_in, only, sources


def parts(text):
    return [(each.source, each.exercise) for each in script_cells(text)]


def test_a_plain_script_is_one_cell():
    assert parts("import math\n# a comment\nx = 1\n") == [
        ("import math\n# a comment\nx = 1\n", None)
    ]


@pytest.mark.parametrize(
    "mark",
    [
        "# %%",
        "#%%",
        "# %% a title",
        "# In[1]:",
        "# In [ ]:",
        "# <codecell>",
        "# COMMAND ----------",
        "# +",
        '# + tags=["a"]',
    ],
)
def test_the_marks_of_editors_and_exporters_begin_a_cell(mark):
    script = f"import math\n{mark}\nx = 1\n{mark}\ny = 2\n"

    assert [source for source, _ in parts(script)] == [
        "import math\n",
        f"{mark}\nx = 1\n",
        f"{mark}\ny = 2\n",
    ]


@pytest.mark.parametrize("line", ["# In the end", "# + and -", "#+1", "    # %%", "x = '# %%'"])
def test_comments_are_no_marks(line):
    assert len(parts(f"x = 1\n{line}\ny = 2\n")) == (2 if line == "# + and -" else 1)


def test_cells_of_text_are_left_out():
    script = '# %% [markdown]\n"""\nx = (\n"""\n# %%\nx = 1\n# %% [md]\n# Text\n'

    assert parts(script) == [("# %%\nx = 1\n", None)]


@pytest.mark.parametrize(
    "options",
    [
        '{"exercise": "fn-square"}',
        'exercise="fn-square" tags=["a"]',
        'title {"nbgrader": {"grade_id": "fn-square", "solution": true}}',
        "grade_id='fn-square'",
    ],
)
def test_jupytext_s_options_mark_an_exercise(options):
    assert parts(f"# %% {options}\nx = 1\n") == [(f"# %% {options}\nx = 1\n", "fn-square")]


@pytest.mark.parametrize("options", ["{", '{"exercise": 1}', "{[", '{"a": ' + "[" * 5000])
def test_damaged_options_mark_nothing(options):
    assert parts(f"# %% {options}\nx = 1\n")[0][1] is None


def test_what_nbconvert_made_of_magics_is_undone():
    inside = "class Square:\n    pass\n"
    call = f"get_ipython().run_cell_magic('time', '', {inside!r})\n"

    assert runnable(call).strip() == inside.strip()
    assert runnable("get_ipython().run_cell_magic('bash', '', 'rm -rf /')\n") == ""


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_notebook_is_read_in_any_encoding(tmp_path, encoding):
    text = json.dumps({"cells": [cell("# Übung\nx = 1")]}, ensure_ascii=False)
    hand_in(tmp_path, f"ada/{NAME}", text.encode(encoding))

    assert sources(only(tmp_path)) == ["# Übung\nx = 1"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_script_is_read_in_any_encoding(tmp_path, encoding):
    hand_in(tmp_path, f"ada/{LESSON}.py", "# Übung\nx = 1\n".encode(encoding))

    assert sources(only(tmp_path)) == ["# Übung\nx = 1\n"]


def test_a_script_s_own_word_about_its_encoding_counts():
    raw = "# -*- coding: koi8-r -*-\nx = 'ж'\n".encode("koi8-r")

    assert "'ж'" in script_text(as_utf8(raw))
    assert "x = 1" in script_text(b"# coding: no-such-thing\nx = 1\n")


@pytest.mark.parametrize("named", ["punycode", "idna", "undefined", "utf-7"])
def test_an_encoding_that_nobody_writes_in_stops_nothing(named, tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.py", f"# -*- coding: {named} -*-\nx = 1\n# a-b\xff".encode())

    assert sources(only(tmp_path))[0].endswith("x = 1\n# a-bÿ")


def test_a_file_at_which_the_grader_fails_costs_no_other(tmp_path, monkeypatch):
    def fail(raw):
        raise ZeroDivisionError if b"trap" in raw else Unreadable("It is empty.")

    monkeypatch.setattr("graders.reading.encoding.as_utf8", fail)
    hand_in(tmp_path, f"ada/{LESSON}.py", b"x = 'trap'\n")
    hand_in(tmp_path, f"bob/{LESSON}.py", b"x = 1\n")

    assert [each.problem for each in found(tmp_path)] == [
        "The grader itself failed on this file (ZeroDivisionError).",
        "It is empty.",
    ]


def test_line_ends_may_be_mixed(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}.py", b"x = 1\r\n# %%\ry = 2\n")
    hand_in(tmp_path, f"bob/{NAME}", json.dumps({"cells": [cell("x = 1\r\ny = 2\rz = 3\n")]}))

    script, notebook = found(tmp_path)

    assert sources(script) == ["x = 1\n", "# %%\ny = 2\n"]
    assert notebook.cells[0].code == "x = 1\ny = 2\nz = 3\n"


@pytest.mark.parametrize("raw", [b"\xff", b"\xc3", codecs.BOM_UTF8 + b"\xff", b"a\x81\x8d"])
def test_no_byte_is_too_odd(raw):
    assert text_of(as_utf8(raw))


def test_a_script_of_another_name_counts_if_it_has_the_exercises(tmp_path):
    hand_in(tmp_path, "ada/homework.py", f"{SQUARE}\nclass Exp(Function):\n    pass\n")
    hand_in(tmp_path, "ada/helper.py", "slope = 3\n")

    assert (only(tmp_path).lesson, only(tmp_path).path.name) == (LESSON, "homework.py")


SCRIPT = """\
import torch
# about the first
@decorated
class First:
    x = 1
x = 1; class_made = 2

y = 2
def second():
    pass


def third(): pass
"""


def test_a_script_without_marks_is_cut_at_its_classes_and_functions():
    pieces = [source for source, _ in parts(SCRIPT)]

    assert [piece.strip() for piece in pieces] == [
        "import torch",
        "# about the first\n@decorated\nclass First:\n    x = 1",
        "x = 1; class_made = 2\n\ny = 2",
        "def second():\n    pass",
        "def third(): pass",
    ]
    assert parts("x = ' \f '\nclass A: pass")[1][0] == "\nclass A: pass"
    for piece in pieces:
        first = len(piece) - len(piece.lstrip("\n"))
        assert SCRIPT.splitlines()[first:][: len(piece.strip().splitlines())] == (
            piece.strip().splitlines()
        )


@pytest.mark.parametrize(
    "script",
    [
        "class A: pass; x = 1\nclass B(\n",
        "def f(): pass\n" * 300,
        "def f(): pass\n" + "\n" * 3000 + "def g(): pass\n",
        "",
    ],
    ids=["broken", "many", "long", "empty"],
)
def test_a_script_that_is_hard_to_cut_stays_whole(script):
    assert parts(script) == [(script, None)]


MARIMO = '''
import marimo

__generated_with = "0.9.14"
app = marimo.App(width="medium")

with app.setup:
    import math


@app.cell(hide_code=True)
def _(mo):
    mo.md(
        r"""
        # Text
        """
    )
    return


@app.cell
async def _(Function):
    # Below this comment.
    @decorated
    class Square(Function):
        """One
    text."""

    return (Square,)


@app.cell
def empty():
    pass


@app.function
def helper(x):
    return x


if __name__ == "__main__":
    app.run()
'''


def test_what_marimo_keeps_is_read_cell_by_cell():
    setup, text, square, helper = script_cells(MARIMO)

    assert setup.source.strip() == "import math"
    assert text.source.strip().startswith("mo.md(")
    assert square.source.strip("\n") == (
        '@decorated\nclass Square(Function):\n    """One\n    text."""\n'.rstrip("\n")
    )
    assert helper.source.strip() == "def helper(x):\n    return x"
    line = square.source.splitlines().index("@decorated")
    assert MARIMO.splitlines()[line].strip() == "@decorated"


def test_a_script_that_is_not_of_marimo_only_names_it():
    assert len(script_cells("import marimo\n\n# %%\nx = 1\n# %%\ny = 2\n")) == 3


def test_a_script_with_shell_lines_is_cut_as_well():
    cells = script_cells("!pip install torch\n%matplotlib inline\n1 / 0\nclass A:\n    pass\n")

    assert [each.source.strip() for each in cells] == [
        "!pip install torch\n%matplotlib inline\n1 / 0",
        "class A:\n    pass",
    ]
