import pytest

from graders.observe.remainder import after_error, despite_syntax_error

CELL = """\
x = 1
print(nothing)
@keep
class A:
    y = 2
for each in x:
    pass
import math
def f():
    return 1
"""


def test_definitions_below_the_error_are_left_on_their_lines():
    pieces = after_error(CELL, 2)

    assert [piece.strip() for piece in pieces] == [
        "@keep\nclass A:\n    y = 2",
        "import math",
        "def f():\n    return 1",
    ]
    assert [piece.count("\n", 0, len(piece) - len(piece.lstrip())) for piece in pieces] == [2, 7, 8]


def test_the_statement_that_failed_is_not_run_again():
    assert after_error("@keep\nclass A:\n    1 / 0\n\ny = 1", 2) == ["\n" * 4 + "y = 1"]
    assert after_error("x = (1 +\n  nothing)\ny = 1", 2) == ["\n\ny = 1"]


@pytest.mark.parametrize(
    ("source", "defined"),
    [
        ("class A\n    pass\n\nclass B:\n    pass\n", ["class B:\n    pass"]),
        (
            "def a():\n    pass\n@keep\n@hold\ndef b(): 1\nx = (",
            ["def a():\n    pass", "@keep\n@hold\ndef b(): 1"],
        ),
        ("@keep\ndef b():\n    pass\nx = (", ["@keep\ndef b():\n    pass"]),
        ("y = 1\nif x ==== 1:\n    z = 2\nz = 3\n", ["y = 1", "z = 3"]),
        ("# only words (", []),
        ("print(1)\nwhile True:\n    pass\nx = )", []),
        ("y = [\n    1,\n]\nprint('a'", ["y = [\n    1,\n]"]),
    ],
)
def test_what_parses_and_defines_something_is_kept(source, defined):
    pieces = despite_syntax_error(source)

    assert [piece.strip() for piece in pieces] == defined
    for piece in pieces:
        start = len(piece) - len(piece.lstrip("\n"))
        assert source.splitlines()[start] == piece.strip().splitlines()[0]
