from importlib.resources import files

import pytest

from graders.edition import ABOUT_VERDICTS, digest_of, edition


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "judge.py").write_text("EQUAL = 1e-4")
    (tmp_path / "exercises" / "fn_square.py").write_text("POINTS = 4")
    return tmp_path


def test_the_edition_is_the_same_until_something_changes():
    assert edition() == edition()
    assert len(edition()) == 12


def test_any_change_to_a_source_is_another_edition(sources):
    before = digest_of([sources])
    (sources / "exercises" / "fn_square.py").write_text("POINTS = 5")
    changed = digest_of([sources])
    (sources / "exercises" / "fn_new.py").write_text("")
    assert len({before, changed, digest_of([sources])}) == 3


def test_moving_a_file_is_another_edition(sources):
    before = digest_of([sources])
    (sources / "judge.py").rename(sources / "exercises" / "judge.py")
    assert digest_of([sources]) != before


def test_what_is_no_source_does_not_count(sources):
    before = digest_of([sources])
    (sources / "README.md").write_text("words")
    (sources / "__pycache__").mkdir()
    (sources / "__pycache__" / "judge.cpython-311.pyc").write_bytes(b"x")
    assert digest_of([sources]) == before


def test_every_name_that_is_left_out_exists():
    names = {place.name for place in files("graders").iterdir()}
    assert names >= ABOUT_VERDICTS
