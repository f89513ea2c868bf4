import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli import main
from graders.gradebook import Gradebook
from graders.gradebook.overrides import Override
from tests.graders.classroom import entry, grading, misled, verdict
from tests.graders.test_cli import grade, hand_in, quick, right, submissions, wrong
from tests.graders.workers import ISOLATING

__all__ = ["quick", "submissions"]

CLASS = Path(__file__).parents[2] / "submissions"
FEW = ["ada.lindqvist", "chen.wei", "ines.fischer", "nils.eriksen", "noor.haddad", "yusuf.demir"]


def merge(out, *parts):
    return CliRunner().invoke(main, ["merge", str(out), *map(str, parts)])


def part(folder, *gradings, roster=None):
    """A part whose run has found what `gradings` are of, or `roster`."""
    with Gradebook(folder / "gradebook.db") as book:
        book.enroll(roster or [each.entry for each in gradings])
        for each in gradings:
            book.record(each)
    return folder


def everything_in(folder):
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("gradebook.db")
    }


@pytest.fixture
def shards(quick, submissions, tmp_path):
    """The class in three parts, and whole."""
    for number in range(20):
        hand_in(submissions, f"student {number}", right() if number % 3 else wrong())
    hand_in(submissions, "student 3", right(), "08_mark_dirty")
    hand_in(submissions, "zoe", '{"cells": [')
    grade(submissions, tmp_path / "whole", "--seed", "5")
    parts = [tmp_path / f"part {index}" for index in (1, 2, 3)]
    for index, folder in enumerate(parts, start=1):
        grade(submissions, folder, "--seed", "5", "--shard", f"{index}/3")
    return parts


def test_merged_parts_are_the_class_as_one_run_would_have_graded_it(shards, tmp_path):
    result = merge(tmp_path / "merged", *shards)
    assert result.exit_code == 1, result.output
    assert "25 submissions by 24 students" in result.output
    assert "1 could not be read" in result.output
    merged, whole = everything_in(tmp_path / "merged"), everything_in(tmp_path / "whole")
    assert sorted(merged) == sorted(whole)
    for path in merged:
        if path.suffix == ".csv":
            assert merged[path] == whole[path]
    sizes = [len((each / "grades.csv").read_text().splitlines()) for each in shards]
    assert all(1 < size < len(whole[Path("grades.csv")].splitlines()) for size in sizes)


def test_a_file_that_was_read_in_parts_counts_as_it_does_in_one_run(quick, tmp_path):
    top = tmp_path / "class"
    hand_in(top, "ada", right())
    hand_in(top, "ben", right()[:-30])
    assert grade(top, tmp_path / "whole").exit_code == 1
    grade(top, tmp_path / "part", "--shard", "1/1")
    assert merge(tmp_path / "merged", tmp_path / "part").exit_code == 1
    hand_in(top, "ben", right())
    grade(top, tmp_path / "part", "--shard", "1/1")
    assert merge(tmp_path / "merged", tmp_path / "part").exit_code == 0


def test_merging_again_changes_nothing(shards, tmp_path):
    merge(tmp_path / "merged", *shards)
    before = everything_in(tmp_path / "merged")
    with Gradebook(tmp_path / "merged" / "gradebook.db") as book:
        results = book.results()
    merge(tmp_path / "merged", *reversed(shards), shards[0])
    assert everything_in(tmp_path / "merged") == before
    with Gradebook(tmp_path / "merged" / "gradebook.db") as book:
        assert [(g, g.run) for g in book.results()] == [(g, g.run) for g in results]


def test_a_missing_part_is_told(shards, tmp_path):
    result = merge(tmp_path / "merged", shards[0], shards[2])
    assert result.exit_code == 1
    assert "Part 2/3 is missing." in result.output


def test_a_part_without_students_is_a_part(quick, submissions, tmp_path):
    parts = []
    for index in range(1, 13):
        parts.append(tmp_path / f"part {index}")
        result = grade(submissions, parts[-1], "--shard", f"{index}/12")
        assert result.exit_code == 0, result.output
    assert merge(tmp_path / "merged", *parts).exit_code == 0


def test_parts_of_different_divisions_do_not_fit_together(quick, submissions, tmp_path):
    grade(submissions, tmp_path / "one", "--shard", "1/2")
    grade(submissions, tmp_path / "two", "--shard", "2/3")
    result = merge(tmp_path / "merged", tmp_path / "one", tmp_path / "two")
    assert result.exit_code == 2
    assert "different divisions of a class" in result.output
    assert not (tmp_path / "merged").exists()


def test_parts_graded_by_other_exercises_do_not_fit_together(tmp_path):
    one = part(tmp_path / "one", grading("ada"))
    two = part(tmp_path / "two", grading("ben", entry=entry("ben", exercise_set="v2")))
    result = merge(tmp_path / "merged", one, two)
    assert result.exit_code == 2
    assert "07_custom_functions was graded by different exercise sets" in result.output
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (grading("ada", [misled()]), "has other results in"),
        (grading("ada", entry=entry("ada", digest="d2")), "has other contents in"),
    ],
)
def test_parts_that_contradict_each_other_are_told_and_not_merged(tmp_path, other, says):
    one = part(tmp_path / "one", grading("ada"), grading("ben"))
    two = part(tmp_path / "two", other, grading("cleo"))
    result = merge(tmp_path / "merged", one, two)
    assert result.exit_code == 2
    assert f"ada/07_custom_functions.ipynb {says} {one} than in {two}" in result.output
    assert "ben" not in result.output
    assert not (tmp_path / "merged").exists()


def test_parts_that_say_the_same_twice_do_not_contradict_each_other(tmp_path):
    one = part(tmp_path / "one", grading("ada", seed=1, seconds=1.0))
    two = part(tmp_path / "two", grading("ada", seed=2, seconds=2.0))
    assert merge(tmp_path / "merged", one, two).exit_code == 0


def test_an_unfinished_part_is_told_and_the_rest_merged(tmp_path):
    one = part(tmp_path / "one", grading("ada"))
    two = part(tmp_path / "two", grading("ben"), roster=[entry("ben"), entry("cleo")])
    result = merge(tmp_path / "merged", one, two)
    assert result.exit_code == 1
    assert f"{two} is not finished (1 submission not graded)" in " ".join(result.output.split())
    assert "ada,fn-square" in (tmp_path / "merged" / "grades.csv").read_text()


def test_what_was_set_by_hand_is_merged_too(tmp_path):
    one = part(tmp_path / "one", grading("ada", [misled()]))
    two = part(tmp_path / "two", grading("ben", [misled()]))
    with Gradebook(one / "gradebook.db") as book:
        book.override(Override("ada", "fn-square", 3, "Explained", "2026-01-01T10:00:00+00:00"))
    assert merge(tmp_path / "merged", one, two).exit_code == 0
    assert "ada,fn-square,3,4" in (tmp_path / "merged" / "grades.csv").read_text()
    with Gradebook(tmp_path / "merged" / "gradebook.db") as book:
        book.override(Override("ada", "fn-square", 2, "On second thoughts"))
    merge(tmp_path / "merged", one, two)
    assert "ada,fn-square,2,4" in (tmp_path / "merged" / "grades.csv").read_text()


@pytest.mark.parametrize("place", ["empty", "merged"])
def test_what_is_no_part_is_told(tmp_path, place):
    (tmp_path / "empty").mkdir()
    part(tmp_path / "merged", grading("ada", [verdict()]))
    result = merge(tmp_path / "merged", tmp_path / place)
    assert result.exit_code == 2
    assert ("no gradebook in" if place == "empty" else "cannot be both") in result.output


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Some of the made-up class."""
    folder = tmp_path_factory.mktemp("few")
    for name in FEW:
        shutil.copytree(CLASS / name, folder / name)
    return folder


@pytest.mark.parametrize("seed", [("--seed", "5"), ()], ids=["one seed", "fresh inputs"])
def test_all_ways_of_running_give_the_same_grades(few, tmp_path, seed):
    pytest.importorskip("distributed", reason="the extra «dask» is not installed")

    def graded(name, *options):
        isolation = ISOLATING[0] if ISOLATING else "none"
        arguments = ["grade", str(few), "--out", str(tmp_path / name), "--jobs", "2"]
        result = CliRunner().invoke(main, [*arguments, "--isolation", isolation, *seed, *options])
        assert result.exit_code == 0, result.output
        return tmp_path / name

    local = graded("local")
    dask = graded("dask", "--executor", "dask")
    parts = [graded(f"part {n}", "--shard", f"{n}/2") for n in (1, 2)]
    assert merge(tmp_path / "merged", *parts).exit_code == 0
    grades = (local / "grades.csv").read_text("utf-8")
    assert len(grades.splitlines()) > 50
    assert (dask / "grades.csv").read_text("utf-8") == grades
    assert (tmp_path / "merged" / "grades.csv").read_text("utf-8") == grades
