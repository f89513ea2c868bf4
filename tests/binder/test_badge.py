from pathlib import Path

import pytest

from binder.badge import badge, written

README = Path(__file__).parents[2] / "README.md"
LESSONS = "HEAD?urlpath=lab%2Ftree%2Fautograd-lessons%2F00_welcome.ipynb)"


@pytest.mark.parametrize(
    ("remote", "place"),
    [
        ("https://github.com/ada/lessons.git", "gh/ada/lessons"),
        ("https://github.com/ada/lessons", "gh/ada/lessons"),
        ("https://ada:secret@github.com/ada/lessons.git", "gh/ada/lessons"),
        ("git@github.com:ada/lessons.git", "gh/ada/lessons"),
        ("ssh://git@github.com:22/ada/lessons.git/", "gh/ada/lessons"),
        ("git@gitlab.com:school/maths/lessons.git", "gl/school%2Fmaths%2Flessons"),
        ("https://git.school.example/l.git", "git/https%3A%2F%2Fgit.school.example%2Fl"),
    ],
)
def test_a_badge_is_the_remotes(remote, place):
    assert badge(remote).endswith(f"](https://mybinder.org/v2/{place}/{LESSONS}")


@pytest.mark.parametrize("remote", ["", "/srv/lessons.git", "../lessons"])
def test_without_a_host_it_is_said_what_is_missing(remote):
    with pytest.raises(ValueError, match=r"is not an address on the web.*git remote add origin"):
        badge(remote)


def test_it_is_written_below_the_first_heading_and_replaced_there():
    one, other = badge("git@github.com:a/b.git"), badge("git@github.com:c/d.git")
    readme = "# Title\n\nWords.\n"
    assert written(readme, one) == f"# Title\n\n{one}\n\nWords.\n"
    assert written(written(readme, one), other) == written(readme, other)


def test_the_readme_shows_what_the_command_makes_and_keeps_showing_it():
    example = badge("https://github.com/YOUR-NAME/autograd-lessons")
    mine = badge("https://github.com/ada/lessons")
    readme = README.read_text(encoding="utf-8")
    assert example in readme
    assert example in written(readme, mine)
    assert written(readme, mine).splitlines()[2] == mine
