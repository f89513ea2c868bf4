"""Whatever happens to a hand-in on its way: never a crash, and always rows."""

import functools
import io
import json
import zipfile
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graders.exercise import exercises_of, source_of
from graders.reading.cells import place_of
from graders.reading.submissions import find_submissions
from graders.run.batch import complete
from graders.run.intake import entry_of
from tests.graders.reading.hand_ins import LESSON, NAME, cell, notebook, zipped

EXERCISES = exercises_of(LESSON)
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be", "cp1252", "cp037", "utf-7"]

fuzzing = settings(
    max_examples=120,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
odd_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.just([]),
    st.just({}),
    st.just([{"cell_type": "code", "source": ["%%time\n", 3]}]),
    st.just({"exercise": "fn-square", "nbgrader": {"grade_id": "fn-exp"}}),
)


@functools.cache
def original():
    """A notebook as a student might hand it in: exercises, prose, magics, outputs, an error."""
    answers = [
        cell(source_of(each.reference, each.symbol), each.id, id=each.id) for each in EXERCISES
    ]
    others = [
        {"cell_type": "markdown", "source": ["# Übung\n", "über ∂y/∂x"], "metadata": {}},
        cell("%matplotlib inline\n!ls\nimport autograd_core as torch"),
        cell("x?", outputs=[{"output_type": "error", "traceback": ["E"], "ename": "E"}]),
        cell("%%bash\nrm -rf /", outputs=[{"data": {"image/png": "A" * 3000}}]),
        cell("await thing()", id="same"),
    ]
    return notebook(*others, *answers, metadata={"kernelspec": {"language": "python"}})


@pytest.fixture
def rows_of(tmp_path):
    """What becomes of the bytes that one student hands in under a name."""

    def rows_of(raw, name=NAME):
        place = tmp_path / "top" / "ada" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
        submissions = find_submissions(tmp_path / "top")
        assert submissions
        for submission in submissions:
            entry = entry_of(submission, tmp_path / "top")
            assert entry.student == "ada"
            rows = complete(entry, ())
            assert rows
            if submission.lesson:
                assert [row.exercise for row in rows] == [
                    each.id for each in exercises_of(submission.lesson)
                ]
            cells = tuple(submission.cells)
            assert bool(submission.problem) <= (not cells)
            for each in exercises_of(submission.lesson):
                place_of(cells, each.id, each.symbol, each.starter)
        return submissions

    return rows_of


def every_place(thing, path=()):
    """The path to each value inside of `thing`."""
    yield path
    inside = thing.items() if isinstance(thing, dict) else ()
    inside = enumerate(thing) if isinstance(thing, list) else inside
    for key, value in inside:
        yield from every_place(value, (*path, key))


PLACES = [path for path in every_place(json.loads(original())) if path]


def changed(content, path, change):
    """`content` after `change(container, key)` at `path`, if that is still there."""
    container = content
    try:
        for key in path[:-1]:
            container = container[key]
        change(container, path[-1])
    except (KeyError, IndexError, TypeError, AttributeError):
        pass


@fuzzing
@given(data=st.data())
def test_flipped_bytes(data, rows_of):
    raw = bytearray(original().encode())
    for _ in range(data.draw(st.integers(1, 30))):
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    rows_of(bytes(raw))


@fuzzing
@given(size=st.integers(0, len(original())))
def test_truncation(size, rows_of):
    (submission,) = rows_of(original().encode()[:size])

    # Graded, with a word about it, as soon as one cell of code is whole.
    whole = size == len(original())
    assert bool(submission.problem or submission.damaged) == (not whole)
    assert submission.damaged == (bool(submission.cells) and not whole)
    assert submission.damaged == ("is damaged" in submission.note)


@fuzzing
@given(paths=st.lists(st.sampled_from(PLACES), min_size=1, max_size=20))
def test_deleted_keys(paths, rows_of):
    content = json.loads(original())
    for path in paths:
        changed(content, path, lambda container, key: container.pop(key))
    rows_of(json.dumps(content).encode())


@fuzzing
@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), odd_values), min_size=1, max_size=20))
def test_values_of_other_types(changes, rows_of):
    content = json.loads(original())
    for path, value in changes:
        changed(
            content, path, lambda container, key, v=value: container.__setitem__(key, deepcopy(v))
        )
    rows_of(json.dumps(content).encode())


@fuzzing
@given(data=st.data())
def test_cells_in_any_order_split_and_merged(data, rows_of):
    content = json.loads(original())
    cells = data.draw(st.permutations(content["cells"]))
    split = []
    for each in cells:
        source = "".join(each["source"])
        at = data.draw(st.integers(0, len(source)))
        halves = [source[:at], source[at:]] if data.draw(st.booleans()) else [source]
        split += [{**each, "source": half} for half in halves]
    while len(split) > 1 and data.draw(st.booleans()):
        second = split.pop()
        split[-1] = {**split[-1], "source": split[-1]["source"] + "\n" + second["source"]}
    (submission,) = rows_of(json.dumps({**content, "cells": split}).encode())

    assert submission.problem == ""


@fuzzing
@given(encoding=st.sampled_from(ENCODINGS), ascii=st.booleans(), cut=st.integers(0, 3))
def test_any_encoding(encoding, ascii, cut, rows_of):
    text = json.dumps(json.loads(original()), ensure_ascii=ascii)
    rows_of(text.encode(encoding, "replace")[cut:])


@fuzzing
@given(raw=st.binary(max_size=300), name=st.sampled_from([NAME, f"{LESSON}.py", f"{LESSON}.txt"]))
def test_any_bytes_under_a_lesson_s_name(raw, name, rows_of):
    rows_of(raw, name)


@fuzzing
@given(data=st.data())
def test_damaged_archives(data, rows_of):
    raw = bytearray(zipped({NAME: original(), "inner.zip": zipped({f"a/{NAME}": original()})}))
    for _ in range(data.draw(st.integers(1, 10))):
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    size = data.draw(st.integers(0, len(raw)))
    rows_of(bytes(raw[:size] if data.draw(st.booleans()) else raw), "homework.zip")


@fuzzing
@given(data=st.data())
def test_archives_with_a_damaged_list_of_files(data, rows_of):
    packed = io.BytesIO(zipped({NAME: original(), f"a/{NAME}": "x"}))
    with zipfile.ZipFile(packed) as archive:
        start = archive.start_dir
    raw = bytearray(packed.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(start, len(raw) - 1))] = data.draw(st.integers(0, 255))
    rows_of(bytes(raw), "homework.zip")


@fuzzing
@given(source=st.text(alphabet="%!?;,/=# \n\t\\'\"([{xclasdef:.", max_size=60))
def test_any_cell(source, rows_of):
    (submission,) = rows_of(notebook(cell(source, "fn-square")).encode())

    assert submission.problem == ""
