import sys

import pytest

from graders.observe.dict_versions import read_at_once, versions_of

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 14) or sys.implementation.name != "cpython",
    reason="dicts have versions in CPython up to 3.13",
)


class Shape:
    def area(self):
        return 1


CHANGES = {
    "another value": lambda names: names.update(kept=lambda: None),
    "an addition": lambda names: names.update(added=1),
    "something taken away": lambda names: names.pop("kept"),
    "a global statement": lambda names: exec("global kept\nkept = 4", names),
    "nothing left": lambda names: names.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_makes_another_version(change):
    names, other = {"kept": 0, "__builtins__": {}}, {"kept": 0}
    version, untouched = versions_of([names, other])
    before, before_of_other = version.value, untouched.value

    change(names)

    assert version.value != before
    assert untouched.value == before_of_other


def test_looking_leaves_the_version_as_it_is():
    names = {"kept": 0}
    (version,) = versions_of([names])
    before = version.value

    names.get("kept"), list(names.items()), "other" in names, dict(names)

    assert version.value == before


def test_a_class_has_the_version_of_its_members():
    (version,) = versions_of([vars(Shape)])
    before = version.value

    area, Shape.area = Shape.area, lambda self: 2
    replaced = version.value
    Shape.area = area

    assert before != replaced != version.value


def test_many_are_read_at_once():
    dicts = [{"kept": 0} for _ in range(50)]
    versions = versions_of(dicts)
    read = read_at_once(versions)
    before = read()

    dicts[7]["kept"] = 1

    assert memoryview(before).cast("Q").tolist() != memoryview(read()).cast("Q").tolist()
    assert memoryview(read()).cast("Q").tolist() == [each.value for each in versions]
    assert read_at_once([])() == b""
