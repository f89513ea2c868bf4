import sys

import pytest

from graders.observe.dict_watcher import DictWatcher
from tests.graders.observe.test_dict_versions import CHANGES

pytestmark = pytest.mark.skipif(
    sys.implementation.name != "cpython"
    or sys.version_info < (3, 12)
    or sys.platform not in ("linux", "darwin"),
    reason="dicts can be watched in CPython from 3.12 on",
)


@pytest.fixture
def watcher():
    return DictWatcher.in_this_process()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_is_noticed(watcher, change):
    names = {"kept": 0, "__builtins__": {}}
    changes = watcher.watching([names])
    before = changes()

    change(names)

    assert changes() != before


def test_looking_and_changes_of_others_are_no_change(watcher):
    names, other = {"kept": 0}, {"kept": 0}
    changes = watcher.watching([names])
    before = changes()

    names.get("kept"), list(names.items()), "other" in names, dict(names)
    other["kept"] = 1

    assert changes() == before


def test_a_change_is_noticed_where_no_stack_is_left(watcher):
    names = {"kept": 0}
    changes = watcher.watching([names])
    noticed = []

    def change():
        before = changes()
        names["kept"] += 1
        noticed.append(changes() != before)
        change()

    with pytest.raises(RecursionError):
        change()

    assert len(noticed) > 50
    assert all(noticed)
