import ast

import pytest

from graders.reading.magics import runnable


@pytest.mark.parametrize("source", ["x = 5 % 3\n", "x != 1", "print('50 %!?')", ""])
def test_plain_python_stays_as_it_is(source):
    assert runnable(source) == source


@pytest.mark.parametrize(
    "source",
    ["%matplotlib inline\nx = 1", "!pip install torch\nx = 1", "files = !ls\nx = 1", "x?\nx = 1"],
)
def test_magics_and_shell_lines_become_calls_on_the_same_lines(source):
    tree = ast.parse(runnable(source))

    assert "get_ipython()" in ast.unparse(tree.body[0])
    assert [ast.unparse(each) for each in tree.body if each.lineno == 2] == ["x = 1"]


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "\n\n%%timeit -n 1"])
def test_cells_under_a_measuring_magic_run_on_the_same_lines(magic):
    source = f"{magic}\nclass A:\n    pass"

    (definition,) = ast.parse(runnable(source)).body

    assert definition.lineno == source.splitlines().index("class A:") + 1


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%% javascript"])
def test_cells_in_other_languages_are_empty(magic):
    assert runnable(f"{magic}\nrm -rf /") == ""


@pytest.mark.parametrize("magic", ["%%writefile {}", '%%file "{}"', "\n%%writefile -a {}"])
def test_cells_that_write_a_file_write_it(magic, tmp_path):
    file, body = tmp_path / "one.py", "open = 'é'\n%timeit it\n'\\n'\n"

    exec(runnable(f"{magic.format(file)}\n{body}"), {"open": None})

    assert file.read_text(encoding="utf-8") == body


def test_windows_line_ends_are_lines():
    assert runnable("x = 1\r\ny = 2\r") == "x = 1\ny = 2\n"


def statements(source):
    return [ast.unparse(each) for each in ast.parse(runnable(source)).body]


@pytest.mark.parametrize("source", ["?help", "x?", "x??", "?", "/f 1", ";f a", ",f a", ">>> x = 1"])
def test_every_way_of_asking_ipython_is_understood(source):
    assert ast.parse(runnable(f"{source}\ny = 2")).body[-1].lineno == 2


@pytest.mark.parametrize("magic", ["%time", "%prun", "    %time"])
def test_what_a_line_magic_measures_is_still_done(magic):
    block = "if True:\n" if magic.startswith(" ") else ""

    assert "x = f(1)" in statements(f"{block}{magic} x = f(1)")[0]


def test_what_a_line_magic_only_repeats_is_not_done():
    assert statements("%timeit x = f(1)")[0].startswith("get_ipython()")


def test_cell_magics_may_be_stacked():
    source = "%%capture out\n%%time\n# a comment\nclass A:\n    pass"

    assert statements(source) == ["class A:\n    pass"]
    assert ast.parse(runnable(source)).body[0].lineno == 4


def test_a_magic_for_another_language_below_others_leaves_nothing():
    assert runnable("%%capture\n%%bash\nrm -rf /") == ""


def test_magics_that_nobody_knows_run_their_cell_as_the_python_it_is():
    assert statements("%%ipytest -q\nx = 1") == ["x = 1"]


@pytest.mark.parametrize("shell", ["!rm -rf /", "!!ls", "files = !ls", "%cd /", "%run other.py"])
def test_shell_lines_and_magics_do_nothing_but_call(shell):
    (only,) = ast.parse(runnable(shell)).body

    called = {node.id for node in ast.walk(only) if isinstance(node, ast.Name)} - {"files"}
    assert called == {"get_ipython"}


@pytest.mark.parametrize(
    "source",
    [
        "await f()",
        "async with a as b:\n    pass",
        "x = (5\n% 3)",
        "s = '''\n%time\n!ls\n'''",
        "y = a % b",
    ],
)
def test_python_that_only_looks_odd_stays(source):
    assert runnable(source) == source


def test_ordinary_cells_are_not_even_parsed(monkeypatch):
    monkeypatch.setattr("graders.reading.magics.parse", lambda source: pytest.fail("parsed"))

    source = "print('50 %!', x != y, f'{x!r}', x %y)\nz = (1 % 2)"

    assert runnable(source) == source
