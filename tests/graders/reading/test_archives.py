import io
import os
import struct
import subprocess
import sys
import zipfile

import pytest

from graders.reading import Unreadable
from graders.reading.students import OUTSIDE
from tests.graders.reading.hand_ins import (
    LESSON,
    NAME,
    found,
    hand_in,
    ignored,
    notebook,
    only,
    sources,
    told,
    zipped,
)

OK = notebook("x = 1")


def test_names_without_an_end_are_told_in_short(tmp_path):
    hand_in(tmp_path, "ada/work.zip", zipped({NAME: OK, f"{'a' * 60_000}/{NAME}": OK}))

    note = only(tmp_path).note

    assert f"a…{'a' * 3}" in note
    assert len(note) < 300


def test_a_path_without_an_end_gives_nobody_s_folder_away(tmp_path):
    deep = "ada/" + "a/" * 600 + f"ben/{NAME}"
    (tmp_path / "class.zip").write_bytes(zipped({deep: OK, f"ben/{NAME}": OK}))

    submissions = found(tmp_path / "class.zip")

    assert [(each.student, each.note) for each in submissions] == [("ada", ""), ("ben", "")]


def test_a_zip_in_a_student_s_folder_is_looked_into(tmp_path):
    hand_in(tmp_path, "ada/week 3.zip", zipped({f"homework/{NAME}": OK, "notes.txt": "x"}))

    submission = only(tmp_path)

    assert (submission.student, submission.lesson, sources(submission)) == (
        "ada",
        LESSON,
        ["x = 1"],
    )
    assert submission.path == tmp_path / "ada" / "week 3.zip" / "homework" / NAME
    assert ignored(tmp_path) == (1, ["notes.txt"])


def test_a_zip_for_each_student_will_do(tmp_path):
    hand_in(tmp_path, "ada.zip", zipped({NAME: OK}))
    hand_in(tmp_path, "bob.zip", zipped({f"bob/deep/{NAME}": OK}))
    hand_in(tmp_path, f"eve/{NAME}", OK)

    assert told(tmp_path) == [("ada", LESSON, True), ("bob", LESSON, True), ("eve", LESSON, True)]


def test_a_zip_may_hold_zips(tmp_path):
    inner = zipped({NAME: OK})
    hand_in(tmp_path, "ada/a.zip", zipped({"b.zip": zipped({"c.zip": inner})}))
    hand_in(tmp_path, "bob/a.zip", zipped({"b.zip": zipped({"c.zip": zipped({"d.zip": inner})})}))

    assert told(tmp_path) == [("ada", LESSON, True), ("bob", "", False)]
    assert "inside of 3 others" in found(tmp_path)[1].problem


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "damaged zip"),
        (b"no zip at all", "damaged zip"),
        (zipped({NAME: OK})[:-30], "damaged zip"),
        (zipped({}), "no notebook in it"),
        (zipped({NAME: OK}, zipfile.ZIP_BZIP2), "packed in an unusual way"),
        (zipped({NAME: OK}, zipfile.ZIP_LZMA), "packed in an unusual way"),
        (zipped({NAME: OK}).replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01"), ""),
    ],
    ids=["empty", "text", "truncated", "nothing", "bzip2", "lzma", "flags differ"],
)
def test_an_archive_that_cannot_be_read_is_told(tmp_path, content, why):
    hand_in(tmp_path, "ada/homework.zip", content)

    assert [(each.student, why in each.problem) for each in found(tmp_path)] == [("ada", True)]


def test_an_encrypted_archive_is_told(tmp_path):
    raw = bytearray(zipped({NAME: OK}))
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    hand_in(tmp_path, "ada/homework.zip", bytes(raw))

    assert told(tmp_path) == [("ada", LESSON, False)]
    assert "encrypted" in only(tmp_path).problem


def test_damage_inside_of_an_archive_is_told(tmp_path):
    raw = bytearray(zipped({NAME: notebook(*(f"x = {i}" for i in range(200)))}))
    raw[100:140] = bytes(40)
    hand_in(tmp_path, "ada/homework.zip", bytes(raw))

    assert only(tmp_path).problem == "It is damaged inside of the archive."


def test_nothing_is_ever_written(tmp_path):
    files = {
        f"../../evil/{NAME}": OK,
        f"/tmp/evil/{NAME}": OK,
        f"C:\\evil\\{NAME}": OK,
        "a/../../b.txt": "x",
    }
    hand_in(tmp_path, "top/ada/homework.zip", zipped(files))
    before = sorted(tmp_path.rglob("*"))

    submissions = found(tmp_path / "top")

    assert {each.student for each in submissions} == {"ada"}
    assert all(each.path.is_relative_to(tmp_path / "top" / "ada") for each in submissions)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_that_leads_out_is_told(tmp_path):
    hand_in(tmp_path, "ada/homework.zip", zipped({f"../bob/{NAME}": OK}))

    assert only(tmp_path).problem == "Its name leads out of the archive."


def test_a_link_in_an_archive_is_told(tmp_path):
    info = zipfile.ZipInfo(NAME)
    info.external_attr = 0o120777 << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(info, "/etc/passwd")
    hand_in(tmp_path, "ada/homework.zip", packed.getvalue())

    assert "leads out of the student's folder" in only(tmp_path).problem


def test_names_in_utf_8_are_read_also_when_the_archive_does_not_say_so(tmp_path):
    raw = zipped({"Übung/07_custom_functions.ipynb": OK})
    silent = bytearray(raw)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = silent.index(mark) + place
        (flags,) = struct.unpack_from("<H", silent, at)
        struct.pack_into("<H", silent, at, flags & ~0x800)
    hand_in(tmp_path, "ada/homework.zip", bytes(silent))

    assert only(tmp_path).path.parent.name == "Übung"


def test_what_machines_pack_is_left_out(tmp_path):
    files = {NAME: OK, f"__MACOSX/._{NAME}": b"\0\5", f".ipynb_checkpoints/{NAME}": OK}
    hand_in(tmp_path, "ada/homework.zip", zipped(files))

    assert only(tmp_path).path.name == NAME
    assert only(tmp_path).note == ""


BOMB = """
import resource, sys
from pathlib import Path
from graders.reading.submissions import find_submissions
find_submissions(Path(sys.argv[1]), {"07_custom_functions": ["fn-square"]})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for each in find_submissions(Path(sys.argv[2]), {"07_custom_functions": ["fn-square"]}):
    print(each.student, each.problem, sep=": ")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_bombs_are_told_and_take_bounded_memory(tmp_path):
    hand_in(tmp_path / "small", f"ada/{NAME}")
    zeros = zipped({NAME: bytes(140_000_000)})
    top = tmp_path / "large"
    hand_in(top, "ada/one.zip", zeros)
    hand_in(top, "bob/many.zip", zipped({f"{i}/{NAME}": bytes(110_000_000) for i in range(5)}))
    hand_in(top, "eve/nested.zip", zipped({f"{i}.zip": zeros for i in range(5)}))
    hand_in(top, "joe/names.zip", zipped({f"{i:0300}": b"" for i in range(7000)}))

    done = subprocess.run(
        [sys.executable, "-c", BOMB, tmp_path / "small", top],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    *problems, kilobytes = done.stdout.splitlines()

    assert "ada: It is larger than 128 MiB." in problems
    assert "bob: It is empty." in problems
    assert "eve: It is larger than 128 MiB." in problems
    assert "joe: It is an archive of too many files." in problems
    assert int(kilobytes) < 600_000


def test_a_whole_class_may_be_one_zip(tmp_path):
    files = {f"ada/{NAME}": OK, f"bob/deep/{NAME}": OK, "eve/": "", f"{NAME}": OK}
    top = hand_in(tmp_path, "class.zip", zipped(files))

    assert [(each.student, each.problem) for each in found(top)] == [
        (LESSON, OUTSIDE),
        ("ada", ""),
        ("bob", ""),
        ("eve", "It has no notebook in it."),
    ]


@pytest.mark.parametrize("wrapper", ["class", "CLASS", "anything"])
def test_the_folder_that_a_class_was_packed_with_is_nobody_s(tmp_path, wrapper):
    files = {f"{wrapper}/ada/{NAME}": OK, f"{wrapper}/bob/{NAME}": OK}
    top = hand_in(tmp_path, "class (2).zip", zipped(files))

    assert [each.student for each in found(top)] == ["ada", "bob"]


def test_a_class_of_one_student_is_a_class(tmp_path):
    top = hand_in(tmp_path, "class.zip", zipped({f"ada/{NAME}": OK}))

    assert [each.student for each in found(top)] == ["ada"]


@pytest.mark.parametrize("content", [b"", b"no zip", zipped({NAME: OK})[:50]])
def test_a_class_that_is_no_zip_is_refused(tmp_path, content):
    top = hand_in(tmp_path, "class.zip", content)

    with pytest.raises(Unreadable, match="damaged zip"):
        found(top)


def test_archives_that_are_no_files_keep_nobody_waiting(tmp_path):
    (tmp_path / "ada").mkdir()
    os.mkfifo(tmp_path / "ada" / "homework.zip")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "homework.zip").symlink_to("/dev/zero")

    assert [each.problem for each in found(tmp_path)] == [
        "It is no file.",
        "It is a link that leads out of the student's folder.",
    ]
