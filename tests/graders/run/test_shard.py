import pytest

from graders.run.shard import Shard

STUDENTS = [f"student {n}" for n in range(400)] + ["", "山田 太郎", "d\udcff"]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100])
def test_every_student_is_in_exactly_one_part(count):
    parts = [Shard(index, count) for index in range(1, count + 1)]
    for student in STUDENTS:
        assert sum(part.has(student) for part in parts) == 1


def test_parts_are_of_about_the_same_size():
    sizes = [sum(Shard(index, 4).has(student) for student in STUDENTS) for index in range(1, 5)]
    assert min(sizes) > 75


def test_who_is_where_does_not_change_between_machines_and_releases():
    names = ("ada", "ben", "cleo", "hannah", "山田 太郎")
    assert [
        next(index for index in range(1, 4) if Shard(index, 3).has(name)) for name in names
    ] == [3, 3, 2, 2, 3]


def test_a_shard_is_written_as_it_is_read():
    assert Shard.parse("3/8") == Shard(3, 8)
    assert str(Shard(3, 8)) == "3/8"


@pytest.mark.parametrize("text", ["", "3", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/2/3", "1.5/2"])
def test_anything_else_is_no_shard(text):
    with pytest.raises(ValueError, match=r"no part|not of the form"):
        Shard.parse(text)
