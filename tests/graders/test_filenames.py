import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.filenames import LONGEST, file_names, printable, student_name


@pytest.mark.parametrize(
    "name",
    ["ada", "Ada Lovelace", "山田 太郎", "o'neil", "ada.lovelace", "s123-456", "a@b.org", "=1+1"],
)
def test_an_ordinary_name_is_its_own_file_name(name):
    assert file_names([name, "somebody else"])[name] == name


@pytest.mark.parametrize(
    "name",
    ["-rf", "..", ".hidden", "a/b", "a\\b", "a\nb", "CON", "nul.txt", "dot.", "a:b", "", " "],
)
def test_a_dangerous_name_is_made_safe_and_marked(name):
    made = file_names([name])[name]
    assert made != name
    assert not set(made) & set('/\\:*?"<>|\n\r\t\0')
    assert made[0] not in "-. ~"
    assert "~" in made


def test_a_very_long_name_fits_with_room_to_spare():
    long = "山" * 85
    assert len(file_names([long])[long].encode()) <= LONGEST + 9


def test_long_names_that_begin_alike_stay_apart():
    names = ["x" * 200 + "1", "x" * 200 + "2"]
    assert len(set(file_names(names).values())) == 2


def test_a_name_made_to_look_like_anothers_file_gets_one_of_its_own():
    taken = file_names(["ada?"])["ada?"]
    for name in (taken, taken.upper(), taken.replace("~", "\uff5e")):
        assert file_names(["ada?", name])[name].casefold() != taken


def test_names_that_differ_in_case_or_spelling_alone_stay_apart_everywhere():
    composed, decomposed = "J\u00fcrgen", unicodedata.normalize("NFD", "J\u00fcrgen")
    made = file_names(["Ada", "ada", composed, decomposed])
    folded = {unicodedata.normalize("NFC", name).casefold() for name in made.values()}
    assert len(folded) == 4


def test_undecodable_bytes_are_spelled_out():
    name = b"ad\xff".decode("utf-8", "surrogateescape")
    assert printable(name) == "ad\\udcff"
    file_names([name])[name].encode("utf-8")


@pytest.mark.parametrize("mark", "\u200b\u200e\u200f\u061c\u2060\ufeff\xad\u202e\U000e0041")
def test_what_nobody_sees_is_spelled_out(mark):
    shown = printable(f"za{mark}ra")
    assert mark not in shown
    assert shown == f"za{ascii(mark)[1:-1]}ra"


@pytest.mark.parametrize(
    "name", ["\u0646\u0645\u06cc\u200c\u062f\u0627\u0646\u0645", "\U0001f469\u200d\U0001f4bb"]
)
def test_what_joins_letters_or_keeps_them_apart_is_part_of_a_name(name):
    assert student_name(name) == name


@pytest.mark.parametrize(
    "name", ["a\x07", "a\n", "a\u202e", b"ad\xff".decode("utf-8", "surrogateescape")]
)
def test_nobody_passes_for_somebody_whose_name_is_spelled_out(name):
    spelled = printable(name)
    assert student_name(name) == spelled
    assert student_name(spelled) != spelled
    assert student_name(spelled).startswith(spelled)


@given(st.sets(st.text(st.sampled_from("a\\xu0527n~\n\x07\u202e\udcff"), max_size=8), max_size=30))
def test_no_two_students_share_a_name(found):
    assert len(set(map(student_name, found))) == len(found)


@given(st.sets(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), max_size=12))
def test_no_two_names_ever_share_a_file(names):
    made = file_names(names)
    folded = {unicodedata.normalize("NFC", name).casefold() for name in made.values()}
    assert len(folded) == len(names)
    assert all("/" not in name and name not in {"", ".", ".."} for name in made.values())
