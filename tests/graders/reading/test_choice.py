import os

import pytest

from graders.exercise import load
from tests.graders.reading.hand_ins import LESSON, NAME, cell, found, hand_in, notebook, zipped

STARTER = load("fn-square").starter
WORK = STARTER.replace("...", "return x")
UNTOUCHED = notebook(cell(STARTER, "fn-square"))


def worked(number):
    return notebook(cell(f"{WORK}\n# {number}", "fn-square"))


def at(place, seconds):
    os.utime(place, (1_700_000_000 + seconds, 1_700_000_000 + seconds))


def counting(top):
    (submission,) = found(top)
    return submission.path.name, submission.note


def test_the_newest_counts_and_the_others_are_told(tmp_path):
    at(hand_in(tmp_path, f"ada/{NAME}", worked(1)), 1000)
    at(hand_in(tmp_path, "ada/07_custom_functions (1).ipynb", worked(2)), 0)
    at(hand_in(tmp_path, f"ada/old/{NAME}", worked(3)), 500)

    assert counting(tmp_path) == (
        NAME,
        f"This lesson was handed in 3 times. {NAME} counts; not graded:"
        f" 07_custom_functions (1).ipynb, old/{NAME}.",
    )


def test_an_untouched_copy_does_not_count_however_new(tmp_path):
    at(hand_in(tmp_path, f"ada/{NAME}", worked(1)), 0)
    at(hand_in(tmp_path, "ada/07_custom_functions (1).ipynb", UNTOUCHED), 9000)

    assert counting(tmp_path)[0] == NAME


def test_what_cannot_be_read_does_not_count_however_new(tmp_path):
    at(hand_in(tmp_path, f"ada/{NAME}", UNTOUCHED), 0)
    at(hand_in(tmp_path, "ada/07_custom_functions_final.ipynb", "{"), 9000)

    name, note = counting(tmp_path)

    assert name == NAME
    assert (
        "07_custom_functions_final.ipynb (It is no notebook: its JSON is broken (line 1))" in note
    )


def test_a_damaged_copy_counts_only_when_no_whole_one_has_work_in_it(tmp_path):
    cut = notebook(cell(WORK, "fn-square"), "x = 1")[:-30]
    at(hand_in(tmp_path, f"ada/{NAME}", worked(1)), 0)
    at(hand_in(tmp_path, f"ben/{NAME}", UNTOUCHED), 0)
    for student in ("ada", "ben"):
        at(hand_in(tmp_path, f"{student}/07_custom_functions (1).ipynb", cut), 9000)

    ada_s, ben_s = sorted(found(tmp_path), key=lambda each: each.student)
    assert (ada_s.damaged, ben_s.damaged) == (False, True)


def test_a_script_beside_the_notebook_does_not_count_nor_does_a_checkpoint(tmp_path):
    at(hand_in(tmp_path, f"ada/{NAME}", worked(1)), 0)
    at(hand_in(tmp_path, f"ada/{LESSON}.py", WORK), 9000)
    at(hand_in(tmp_path, f"ada/{LESSON}-checkpoint.ipynb", worked(2)), 9000)

    assert counting(tmp_path)[0] == NAME


def test_a_checkpoint_is_better_than_nothing(tmp_path):
    hand_in(tmp_path, f"ada/{LESSON}-checkpoint.ipynb", worked(2))

    assert counting(tmp_path) == (f"{LESSON}-checkpoint.ipynb", "")


@pytest.mark.parametrize(
    ("names", "last"),
    [
        (["", " (1)", " (2)", " (10)"], " (10)"),
        (["_v1", "_v2", ""], "_v2"),
        (["", "_final"], "_final"),
        (["_final", "_final_v2"], "_final_v2"),
    ],
)
def test_of_files_as_new_as_each_other_the_last_name_counts(tmp_path, names, last):
    for place, more in enumerate(names):
        at(hand_in(tmp_path, f"ada/{LESSON}{more}.ipynb", worked(place)), -place)

    assert counting(tmp_path)[0] == f"{LESSON}{last}.ipynb"


def test_time_is_told_by_archives_too(tmp_path):
    hand_in(tmp_path, "ada/homework.zip", zipped({NAME: worked(1)}))
    at(hand_in(tmp_path, "ada/07_custom_functions (9).ipynb", worked(2)), 0)

    assert counting(tmp_path)[0] == NAME


def test_a_folder_and_an_archive_of_one_student_are_one_student_s(tmp_path):
    at(hand_in(tmp_path, f"ada/{NAME}", worked(1)), 0)
    hand_in(tmp_path, "ada.zip", zipped({NAME: worked(2)}))

    (submission,) = found(tmp_path)

    assert submission.student == "ada"
    assert "handed in 2 times" in submission.note


def test_many_copies_are_not_all_named(tmp_path):
    for number in range(30):
        hand_in(tmp_path, f"ada/{LESSON} ({number}).ipynb", worked(number))

    assert counting(tmp_path)[1].endswith("and 24 more.")


def test_notebooks_of_no_lesson_each_have_a_row(tmp_path):
    hand_in(tmp_path, f"ada/{NAME}", worked(1))
    hand_in(tmp_path, "ada/a.ipynb", notebook("x = 1"))
    hand_in(tmp_path, "ada/b.ipynb", notebook("x = 1"))

    assert [(each.path.name, each.problem == "") for each in found(tmp_path)] == [
        (NAME, True),
        ("a.ipynb", False),
        ("b.ipynb", False),
    ]
