import json
import subprocess
import sys

import pytest

from graders.reading import Unreadable
from graders.reading.notebook import notebook_cells, without_bulk
from tests.graders.reading.hand_ins import LESSON, NAME, cell, hand_in, notebook, only, sources


def read(text):
    raw = text if isinstance(text, bytes) else text.encode()
    return notebook_cells(raw, lambda size: None).written


def marks(*cells):
    return [each.exercise for each in read(notebook(*cells))]


def test_format_3_has_worksheets_and_input():
    sheets = [
        {"cells": [{"cell_type": "heading", "source": "A", "level": 1}]},
        {"cells": [{"cell_type": "code", "input": ["a = 1\n", "b"], "language": "python"}]},
        "no sheet",
    ]
    old = {"worksheets": sheets, "nbformat": 3, "metadata": {"name": ""}}

    assert [each.source for each in read(json.dumps(old))] == ["a = 1\nb"]


def test_worksheets_count_where_a_conversion_left_an_empty_list_of_cells():
    sheets = [{"cells": [{"cell_type": "code", "input": "a = 1"}]}]

    assert read(json.dumps({"cells": [], "worksheets": sheets}))[0].source == "a = 1"


def test_an_exercise_is_known_by_its_mark_by_nbgrader_s_and_by_the_cell_s_id():
    graded = {"nbgrader": {"grade_id": "fn-exp", "solution": True}}
    cells = (
        cell("a = 1", "fn-square"),
        cell("b = 1", metadata=graded),
        cell("c = 1", id="fn-sort"),
        cell("d = 1", id="cell-007"),
        cell("e = 1", metadata={"nbgrader": {"grade_id": "check-fn-exp"}}),
        cell("f = 1", metadata={"nbgrader": "gone", "exercise": 3}),
    )

    assert marks(*cells) == ["fn-square", "fn-exp", "fn-sort", None, None, None]


def test_a_cell_with_another_id_than_the_lesson_s_is_the_student_s_own():
    cells = [cell("a", id="cell-004"), cell("b", id="1f2e3d4c"), cell("c"), cell("d", id=7)]

    assert [each.own for each in read(notebook(*cells))] == [False, True, False, False]


def test_cells_that_share_an_id_are_all_read():
    cells = [cell("a = 1", id="same"), cell("b = 1", id="same")]

    assert [each.source for each in read(notebook(*cells))] == ["a = 1", "b = 1"]


def test_an_exercise_whose_cell_became_text_by_accident_is_still_code():
    solved = cell("class Square:\n    pass", "fn-square")
    prose = cell("Write your answer here", "fn-square")

    cells = [{**solved, "cell_type": "markdown"}, {**solved, "cell_type": "raw"}]
    assert len(read(notebook(*cells))) == 2
    assert read(notebook({**prose, "cell_type": "markdown"})) == []


def test_a_cell_without_a_type_is_code_if_it_has_what_only_code_has():
    untyped = {"source": "x = 1", "outputs": []}

    assert [each.source for each in read(notebook(untyped, {"source": "text"}))] == ["x = 1"]


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"kernelspec": {"language": "R", "name": "ir"}}, "R"),
        ({"language_info": {"name": "julia"}}, "julia"),
        ({"kernelspec": {"name": "sql"}, "language_info": {"name": "<b>sql</b>"}}, "bsqlb"),
    ],
)
def test_a_notebook_in_another_language_is_told(metadata, language):
    with pytest.raises(Unreadable, match=f"in {language}, not in Python"):
        read(notebook("x <- function(a) {", metadata=metadata))


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"language": "julia"}},
        {"kernelspec": {"language": "python"}},
        {"language_info": {"name": "ipython"}},
        {"language_info": None, "kernelspec": []},
        None,
    ],
)
def test_python_under_whichever_kernel_is_python(metadata):
    assert len(read(notebook("class Square:\n    pass", metadata=metadata))) == 1


def test_errors_in_the_outputs_do_not_matter(tmp_path):
    failed = {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["\u001b[0;31mE"]}
    hand_in(tmp_path, f"ada/{NAME}", notebook(cell("x = 1", outputs=[failed, None, 3])))

    assert sources(only(tmp_path)) == ["x = 1"]


BULK = [
    {"cells": [{"outputs": [{"data": {"a": ["[", "]", "\\", '"', '\\"']}}], "source": "s"}]},
    {"cells": [{"source": '"outputs": [', "outputs": []}, {"source": ["\\", '"outputs"']}]},
    {"cells": [{"source": "x", "attachments": {"a.png": {"image/png": "AAAA"}}}]},
    {"metadata": {"widgets": {"state": {"}": "]"}}}, "cells": [{"source": "x"}]},
    {"cells": [{"metadata": {"outputs": "all", "widgets": None}, "source": "outputs"}]},
]


@pytest.mark.parametrize("value", BULK, ids=range(len(BULK)))
@pytest.mark.parametrize("indent", [None, 1])
def test_leaving_out_the_bulk_changes_nothing_else(value, indent):
    def emptied(thing):
        if isinstance(thing, list):
            return [emptied(each) for each in thing]
        if not isinstance(thing, dict):
            return thing
        bulky = ("outputs", "attachments", "widgets")
        return {
            key: type(each)() if key in bulky and isinstance(each, list | dict) else emptied(each)
            for key, each in thing.items()
        }

    slim, _ = without_bulk(json.dumps(value, indent=indent).encode())

    assert json.loads(slim) == emptied(value)


def test_what_never_ends_stays():
    raw = b'{"cells": [{"outputs": [{"text": "abc'

    assert without_bulk(raw)[0] == raw


@pytest.mark.parametrize(
    "raw",
    [
        b'{"cells": [' + b"[]," * 600_000 + b"[]]}",
        b'{"cells": [], "more": "' + b"x" * 17_000_000 + b'"}',
    ],
    ids=["many", "long"],
)
def test_what_would_take_much_memory_is_not_taken_apart(raw):
    with pytest.raises(Unreadable, match="Even without its outputs"):
        read(raw)


READ = """
import resource, sys
from pathlib import Path
from graders.reading.submissions import find_submissions
lessons = {"07_custom_functions": ["fn-square"]}
find_submissions(Path(sys.argv[1]), lessons)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
read = find_submissions(Path(sys.argv[2]), lessons)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert not any(each.problem for each in read)
print(*(len(each.cells) for each in read), after - before)
"""


def test_fifty_megabytes_of_outputs_take_little_more_memory_than_the_file(tmp_path):
    megabyte = 1024 * 1024
    outputs = {
        "image": [[{"data": {"image/png": "A" * (50 * megabyte)}}]],
        "lines": [[{"text": ["a line of output\n"] * (50 * megabyte // 22)}]],
        "cells": [[{"text": "a" * megabyte}]] * 50,
    }
    hand_in(tmp_path / "small", f"ada/{NAME}")
    for student, written in outputs.items():
        content = notebook(*(cell("x = 1", outputs=each) for each in written))
        size = hand_in(tmp_path / "large", f"{student}/{NAME}", content).stat().st_size
        assert 49 * megabyte < size < 54 * megabyte

    done = subprocess.run(
        [sys.executable, "-c", READ, tmp_path / "small", tmp_path / "large"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    *counts, more = [int(number) for number in done.stdout.split()]

    assert counts == [50, 1, 1]
    assert more * 1024 < 1.5 * 50 * megabyte


def test_a_class_stays_small_in_memory(tmp_path):
    source = "\n".join(f"value_{i} = torch.tensor({i}.0)" for i in range(400))
    hand_in(tmp_path, f"ada/{NAME}", notebook(source))

    assert len(only(tmp_path).cells._packed) < len(source) / 3
    assert only(tmp_path).lesson == LESSON
