"""The tour in `autograd_core/README.md` prints what it shows and names what is there."""

import contextlib
import io
import re
from pathlib import Path

import pytest

import autograd_core
from autograd_core import ops

FOLDER = Path(autograd_core.__file__).parent
TOUR = (FOLDER / "README.md").read_text("utf-8")
TO_READ = {
    name: int(lines)
    for name, lines in re.findall(r"^\| `([\w/]+\.py)` \| (\d+) \|", TOUR, re.MULTILINE)
}
PROSE = re.sub(r"```.*?```", "", TOUR, flags=re.DOTALL)


def test_each_piece_of_code_prints_what_is_shown_below_it():
    namespace: dict = {}
    pieces = re.findall(r"```python\n(.*?)```\n(?:```text\n(.*?)```)?", TOUR, re.DOTALL)
    assert len(pieces) == TOUR.count("```python")

    for code, shown in pieces:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)

        assert printed.getvalue() == shown


def test_the_list_to_read_gives_the_lengths_of_the_files():
    lengths = {name: len((FOLDER / name).read_text("utf-8").splitlines()) for name in TO_READ}

    assert lengths == pytest.approx(TO_READ, rel=0.15, abs=25)
    assert sum(lengths.values()) < 3_100


def test_the_files_that_lie_open_in_the_folder_are_those_to_read():
    lying_open = {path.name for path in FOLDER.glob("*.py")}

    # The package's names, and two of PyTorch's modules.
    assert lying_open - TO_READ.keys() == {"__init__.py", "linalg.py", "return_types.py"}


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/]+(?:\.py|/))`", PROSE))))
def test_every_file_of_the_tour_is_there(path):
    homes = (FOLDER, FOLDER.parent)

    assert any((home / path).exists() for home in homes)


def test_the_tour_says_where_everything_is():
    modules = {path.name for path in FOLDER.glob("*.py")} - {"__init__.py"}
    packages = {f"{path.parent.name}/" for path in FOLDER.glob("*/__init__.py")}

    assert modules | packages <= set(re.findall(r"`([\w/]+(?:\.py|/))`", PROSE))


def test_the_operators_say_which_file_is_about_what():
    files = {path.stem for path in (FOLDER / "ops").glob("*.py")} - {"__init__"}

    assert set(re.findall(r"`([a-z_]+)`", ops.__doc__)) == files


def test_every_name_of_the_tour_is_a_name_in_the_code():
    names = {
        word
        for quoted in re.findall(r"`([^`]+)`", PROSE)
        if "/" not in quoted and not quoted.endswith(".py")
        for word in re.findall(r"[A-Za-z_]\w{2,}", quoted)
    }
    sources = "\n".join(path.read_text("utf-8") for path in FOLDER.rglob("*.py"))

    # The package under the name that its users give it, and the operator that the tour adds.
    assert names - set(re.findall(r"\w+", sources)) == {"logcosh"}
