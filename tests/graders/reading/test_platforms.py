import pytest

from graders.reading.platforms import is_export, owner_of_file, owner_of_folder
from tests.graders.reading.hand_ins import (
    LESSON,
    NAME,
    found,
    hand_in,
    notebook,
    told,
    zipped,
)

OK = notebook("x = 1")

MOODLE = {
    f"Ada Lovelace_12345_assignsubmission_file_/{NAME}": OK,
    "Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html": "<p>Hello",
    f"José Álvarez_777_assignsubmission_file/{NAME}": OK,
    "Eve Nobody_99_assignsubmission_file_/essay.docx": "x",
}
MOODLE_FLAT = {
    f"Ada Lovelace_12345_assignsubmission_file_{NAME}": OK,
    f"José Álvarez_777_assignsubmission_file_{NAME}": OK,
    "Eve Nobody_99_assignsubmission_file_essay.docx": "x",
}
CANVAS = {
    f"lovelaceada_12345_67890_{NAME}": OK,
    "lvarezjos_LATE_777_888_07_custom_functions-1.ipynb": OK,
    "nobodyeve_99_100_essay.docx": "x",
}
BLACKBOARD = {
    f"Lesson 7_lovelace_attempt_2026-11-03-09-15-00_{NAME}": OK,
    "Lesson 7_lovelace_attempt_2026-11-03-09-15-00.txt": "Name: Ada",
    f"Lesson 7_jose_attempt_2026-11-03-09-15-00_{NAME}": OK,
    "Lesson 7_nobody_attempt_2026-11-03-09-15-00_essay.docx": "x",
}
BRIGHTSPACE = {
    f"12345-678 - Ada Lovelace - Nov 3, 2026 903 AM/{NAME}": OK,
    f"777-678 - José Álvarez - Nov 3, 2026 1103 PM/{NAME}": OK,
    "99-678 - Eve Nobody - Nov 4, 2026 1200 PM/essay.docx": "x",
    "index.html": "<p>",
}
EXPORTS = {
    "moodle": (MOODLE, ["Ada Lovelace_12345", "Eve Nobody_99", "José Álvarez_777"]),
    "moodle, flat": (MOODLE_FLAT, ["Ada Lovelace_12345", "Eve Nobody_99", "José Álvarez_777"]),
    "canvas": (CANVAS, ["lovelaceada_12345", "lvarezjos_777", "nobodyeve_99"]),
    "blackboard": (BLACKBOARD, ["jose", "lovelace", "nobody"]),
    "brightspace": (BRIGHTSPACE, ["Ada Lovelace_12345", "Eve Nobody_99", "José Álvarez_777"]),
}


def unpack(top, files):
    for name, content in files.items():
        hand_in(top, name, content)
    return top


@pytest.fixture(params=EXPORTS)
def export(request):
    return EXPORTS[request.param]


def check(top, students):
    assert sorted({student for student, _, _ in told(top)}) == students
    nobody = next(each for each in found(top) if "obody" in each.student)
    assert nobody.problem == "It has no notebook in it."
    assert [each for each in told(top) if each[2]] == [
        (each.student, LESSON, True) for each in found(top) if each is not nobody and each.lesson
    ]
    assert len(told(top)) == 3


def test_an_export_as_it_comes(tmp_path, export):
    files, students = export
    check(hand_in(tmp_path, "export.zip", zipped(files)), students)


def test_an_export_in_the_folder_of_submissions(tmp_path, export):
    files, students = export
    hand_in(tmp_path, "export.zip", zipped(files))
    check(tmp_path, students)


def test_an_export_unpacked(tmp_path, export):
    files, students = export
    check(unpack(tmp_path, files), students)


def test_an_export_unpacked_into_a_folder_of_its_own(tmp_path, export):
    files, students = export
    unpack(tmp_path / "Lesson 7", files)
    check(tmp_path, students)


def test_an_export_packed_with_its_folder(tmp_path, export):
    files, students = export
    packed = zipped({f"Lesson 7/{name}": content for name, content in files.items()})
    check(hand_in(tmp_path, "export.zip", packed), students)


def test_several_exports_side_by_side(tmp_path):
    hand_in(tmp_path, "lesson 7.zip", zipped(CANVAS))
    second = {"lovelaceada_12345_777_02_leaf_nodes.ipynb": OK}
    hand_in(tmp_path, "lesson 2.zip", zipped(second))

    assert [lesson for student, lesson, _ in told(tmp_path) if "ada" in student] == [
        "02_leaf_nodes",
        LESSON,
    ]


def test_students_zips_in_an_export(tmp_path):
    files = {
        "lovelaceada_12345_67890_homework.zip": zipped({f"work/{NAME}": OK}),
        "lvarezjos_777_888_homework.zip": b"broken",
    }
    moodle = {"Ada_1_assignsubmission_file_/a.zip": zipped({NAME: OK})}

    assert told(hand_in(tmp_path, "canvas.zip", zipped(files))) == [
        ("lovelaceada_12345", LESSON, True),
        ("lvarezjos_777", "", False),
    ]
    assert told(hand_in(tmp_path, "moodle.zip", zipped(moodle))) == [("Ada_1", LESSON, True)]


def test_nobody_hands_in_for_somebody_else(tmp_path):
    hand_in(tmp_path, f"Bob_2_assignsubmission_file_/{NAME}", OK)
    forged = notebook("x = 'forged'")
    inside = f"Bob_2_assignsubmission_file_/{NAME}"
    hand_in(tmp_path, f"Eve_3_assignsubmission_file_/{inside}", forged)
    hand_in(tmp_path, "Ada_1_assignsubmission_file_/a.zip", zipped({inside: forged}))

    students = {each.student: each.cells[0].source for each in found(tmp_path)}

    assert students == {"Ada_1": "x = 'forged'", "Bob_2": "x = 1", "Eve_3": "x = 'forged'"}


@pytest.mark.parametrize("name", ["ada", "02_leaf_nodes", "Ada_Lovelace", "ada_1", "12-3 - x"])
def test_other_folders_are_named_as_they_are(name):
    assert owner_of_folder(name) == ""


@pytest.mark.parametrize("name", [NAME, "02_leaf_nodes.ipynb", "ada_07_custom_functions.ipynb"])
def test_other_files_are_nobody_s(name):
    assert owner_of_file(name) == ""


def test_only_a_folder_full_of_them_is_an_export():
    assert is_export({"Ada_1_assignsubmission_file_"})
    assert not is_export({"Ada_1_assignsubmission_file_", "work"})
    assert not is_export(set())
