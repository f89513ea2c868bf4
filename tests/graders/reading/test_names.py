import os
from dataclasses import replace

import pytest

from graders.reading.submissions import Found, find_hand_ins
from tests.graders.reading.hand_ins import (
    LESSON,
    LESSONS,
    NAME,
    SQUARE,
    cell,
    found,
    hand_in,
    ignored,
    notebook,
    only,
    told,
    zipped,
)


@pytest.mark.parametrize(
    "name",
    [
        "07_custom_functions (1).ipynb",
        "07_custom_functions-checkpoint.ipynb",
        "07_custom_functions_final_v2.ipynb",
        "07_custom_functionsfinal.ipynb",
        "07_custom_functions2.ipynb",
        "Copy of 07_custom_functions.ipynb",
        "Kopie von 07_custom_functions.ipynb",
        "07_CUSTOM_FUNCTIONS.IPYNB",
        "07 Custom Functions.ipynb",
        "07_custom_functions.ipynb.txt",
        "07_custom_functions.ipynb.json",
        "07_custom_functions.ipynb.download",
        "07_custom_functions.json",
        "07_custom_functions",
        "Müller_07_custom_functions.ipynb",
        "🎉 07_custom_functions 🎉.ipynb",
        "\u202e07_custom_functions\u202c.ipynb",
        "07_custom_functions\n.ipynb",
        "\uff10\uff17_custom_functions.ipynb",
        "x" * 200 + "_07_custom_functions.ipynb",
        "-07_custom_functions.ipynb",
    ],
)
def test_whatever_was_done_to_the_name_of_a_notebook(tmp_path, name):
    hand_in(tmp_path, f"ada/{name}")

    assert told(tmp_path) == [("ada", LESSON, True)]


@pytest.mark.parametrize("name", ["107_custom_functions.ipynb", "07_custom_functionsheet.ipynb"])
def test_another_name_is_another_name(tmp_path, name):
    hand_in(tmp_path, f"ada/{name}")

    assert only(tmp_path).lesson == ""


def test_a_notebook_of_another_name_is_known_by_what_it_defines(tmp_path):
    hand_in(tmp_path, "ada/Untitled.ipynb", notebook("import x", SQUARE))
    hand_in(tmp_path, "bob/Untitled.ipynb", notebook(cell("x = 1", id="fn-exp")))
    hand_in(tmp_path, "eve/Untitled.ipynb", notebook("slope = 3"))

    assert told(tmp_path) == [("ada", LESSON, True), ("bob", LESSON, True), ("eve", "", False)]


def test_the_name_counts_and_a_doubt_is_told(tmp_path):
    hand_in(tmp_path, "ada/02_leaf_nodes.ipynb", notebook(cell("x = 1", "fn-exp")))

    assert only(tmp_path).lesson == "02_leaf_nodes"
    assert only(tmp_path).note == "Its exercises are those of 07_custom_functions."


@pytest.mark.parametrize("suffix", [".html", ".pdf", ".docx", ".md", ".png"])
def test_a_file_of_another_kind_in_the_notebook_s_place_is_told(tmp_path, suffix):
    hand_in(tmp_path, f"ada/{LESSON}{suffix}", b"%PDF-1.4 whatever")

    assert told(tmp_path) == [("ada", LESSON, False)]
    assert f"another kind ({suffix})" in only(tmp_path).problem


@pytest.mark.parametrize("suffix", [".rar", ".7z", ".tar.gz"])
def test_an_archive_that_is_no_zip_is_told(tmp_path, suffix):
    hand_in(tmp_path, f"ada/homework{suffix}", b"Rar!")

    assert "archive that is not looked into" in only(tmp_path).problem


def test_ignored_files_are_counted_and_named(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}")
    for name in ("notes.txt", "photo.jpg", ".DS_Store", "helper.py"):
        hand_in(tmp_path, f"ada/{name}", "x = 1")
    hand_in(tmp_path, "roster.csv", "ada")

    assert len(found(tmp_path)) == 1
    assert ignored(tmp_path) == (
        5,
        [".DS_Store", "helper.py", "notes.txt", "photo.jpg", "roster.csv"],
    )


def test_the_names_of_ignored_files_are_capped(tmp_path):
    for number in range(50):
        hand_in(tmp_path, f"ada/{number}.txt", "x")

    count, names = ignored(tmp_path)

    assert (count, len(names)) == (50, 20)


def test_the_results_of_grading_are_nobody_s_hand_in(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}")
    hand_in(tmp_path, "graded/grades.csv", "x")

    hand_ins = find_hand_ins(tmp_path, LESSONS, leave_out=[(tmp_path / "graded").resolve()])

    assert [each.student for each in hand_ins.submissions] == ["ada"]
    assert hand_ins.ignored.count == 1


def test_a_student_s_submission_is_there_before_others_are_read(tmp_path):
    for student in ("ada", "bob", "eve"):
        hand_in(tmp_path, f"{student}/{NAME}")
    coming = Found(tmp_path, LESSONS)

    first = next(coming)
    hand_in(tmp_path, f"eve/{NAME}", notebook("x = 2"))

    assert first.student == "ada"
    assert [each.cells[0].source for each in (first, *coming)] == ["x = 1", "x = 1", "x = 2"]


def test_a_student_s_files_in_several_places_are_one_hand_in_whatever_lies_between(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}")
    hand_in(tmp_path, f"ada b/{NAME}")
    hand_in(tmp_path, "ada.zip", zipped({NAME: notebook("x = 2")}))

    coming = list(Found(tmp_path, LESSONS))

    assert [each.student for each in coming] == ["ada b", "ada"]
    assert "handed in 2 times" in coming[1].note


@pytest.mark.parametrize("packed", [False, True])
def test_what_comes_one_by_one_is_what_is_found(tmp_path, packed):
    names = (
        f"Ada L_1_assignsubmission_file_/{NAME}",
        f"Ada L_1_assignsubmission_onlinetext_/{NAME}",
        f"Bob_2_assignsubmission_file_/{LESSON} (1).ipynb",
        f"Bob_2_assignsubmission_file_/{NAME}",
        "Eve_3_assignsubmission_file_/essay.docx",
    )
    top = tmp_path / "class"
    if packed:
        hand_in(tmp_path, "class.zip", zipped(dict.fromkeys(names, notebook("x = 1"))))
        top = tmp_path / "class.zip"
    else:
        for name in names:
            hand_in(top, name)

    coming = list(Found(top, LESSONS))

    plain = [replace(each, cells=()) for each in coming]
    assert plain == [replace(each, cells=()) for each in found(top)]
    assert len(coming) == len({each.student for each in coming}) == 3


def test_a_student_without_anything_has_a_row(tmp_path):
    (tmp_path / "ada").mkdir()
    hand_in(tmp_path, "bob/essay.docx", "x")
    hand_in(tmp_path, f"eve/.ipynb_checkpoints/{LESSON}-checkpoint.ipynb")

    assert [(each.student, each.problem) for each in found(tmp_path)] == [
        ("ada", "It has no notebook in it."),
        ("bob", "It has no notebook in it."),
        ("eve", "It has no notebook in it."),
    ]


def test_a_folder_of_the_notebook_s_name_may_have_the_notebook_in_it(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}/{NAME}")
    (tmp_path / "bob" / NAME).mkdir(parents=True)

    ada, bob = found(tmp_path)

    assert (ada.problem, ada.path.parent.name) == ("", NAME)
    assert bob.problem == "There is a folder in the notebook's place."


def test_folders_without_end_are_told(tmp_path):
    deep = tmp_path / "ada" / "/".join("d" * 60)
    deep.mkdir(parents=True)
    hand_in(tmp_path, "bob/" + "/".join("d" * 30) + f"/{NAME}")

    assert told(tmp_path) == [("ada", "", False), ("bob", LESSON, True)]
    assert "40 levels down" in found(tmp_path)[0].problem


def test_files_without_end_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr("graders.reading.files.MAX_ENTRIES", 20)
    monkeypatch.setattr("graders.reading.submissions.MAX_FILES", 5)
    for number in range(30):
        hand_in(tmp_path, f"ada/{number}.txt", "x")
        if number < 10:
            hand_in(tmp_path, f"bob/{number}.ipynb")

    problems = [each.problem for each in found(tmp_path)]

    assert "It has more than 20 files and folders." in problems
    assert problems.count("There are more than 5 notebooks.") == 1


def test_links_in_circles_end(tmp_path):
    hand_in(tmp_path, f"ada/homework/{NAME}")
    (tmp_path / "ada" / "homework" / "again").symlink_to(tmp_path / "ada")
    (tmp_path / "ada" / "loop").symlink_to(tmp_path / "ada" / "loop")
    (tmp_path / "ada" / "07_custom_functions (1).ipynb").symlink_to("homework")

    assert [each.problem for each in found(tmp_path)] == [""]


def test_a_closed_folder_is_told(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("nothing is closed to root")
    hand_in(tmp_path, f"ada/homework/{NAME}")
    (tmp_path / "ada" / "homework").chmod(0)
    try:
        assert [each.problem for each in found(tmp_path)] == ["This folder cannot be opened."]
    finally:
        (tmp_path / "ada" / "homework").chmod(0o700)
