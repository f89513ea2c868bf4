"""Hand-ins made up for the tests of reading them."""

import io
import json
import zipfile

from graders.reading.submissions import find_hand_ins, find_submissions

LESSONS = {
    "02_leaf_nodes": ["leaf-predict"],
    "07_custom_functions": ["fn-square", "fn-exp"],
}
LESSON = "07_custom_functions"
NAME = f"{LESSON}.ipynb"
PACKED_AT = (2024, 6, 1, 12, 0, 0)
SQUARE = "class Square(Function):\n    pass"


def cell(source, mark=None, **more):
    metadata = {"exercise": mark} if mark else {}
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [], **more}


def notebook(*cells, **more):
    """A notebook's JSON; a cell is a dictionary, or its source alone."""
    listed = [each if isinstance(each, dict) else cell(each) for each in cells]
    return json.dumps({"cells": listed, "nbformat": 4, "nbformat_minor": 5, **more})


def hand_in(top, path, content=None):
    place = top / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(as_bytes(notebook("x = 1") if content is None else content))
    return place


def as_bytes(content):
    return content if isinstance(content, bytes) else content.encode()


def zipped(files, method=zipfile.ZIP_DEFLATED):
    """The bytes of an archive with `files`, a mapping from names to contents."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, PACKED_AT)
            archive.writestr(info, as_bytes(content), method, compresslevel=1)
    return packed.getvalue()


def found(top):
    return find_submissions(top, LESSONS)


def ignored(top):
    ignored = find_hand_ins(top, LESSONS).ignored
    return ignored.count, sorted(path.name for path in ignored.paths)


def only(top):
    (submission,) = found(top)
    return submission


def sources(submission):
    return [each.source for each in submission.cells]


def told(top):
    """Student, lesson and whether it could be read, of each submission."""
    return [(each.student, each.lesson, each.problem == "") for each in found(top)]
