"""What kernels of a site answer, in the very scripts that JupyterLite brings."""

import re
import tarfile
from pathlib import Path

import pytest

from graders.site import SiteError
from graders.site.comm_info import answer, taught

CASE = 'case"comm_info_request":await this._commInfoRequest('


@pytest.fixture(scope="module")
def scripts():
    core = pytest.importorskip("jupyterlite_core", reason="JupyterLite is not installed")
    [archive] = Path(core.__file__).parent.glob("*.tgz")
    with tarfile.open(archive) as file:
        members = [each for each in file if re.fullmatch(r"package/build/[^/]+\.js", each.name)]
        return [file.extractfile(each).read().decode("utf-8") for each in members]


def test_one_script_learns_the_question_and_how_it_is_answered(scripts):
    [new] = [taught(each) for each in scripts if taught(each) != each]
    assert CASE in new
    assert re.search(r"async _commInfoRequest\((\w+)\)\{.*?await this.commInfoRequest\(", new)
    assert 'msgType:"comm_info_reply"' in new
    assert 'case"is_complete_request"' in new
    assert taught(new) == new


def test_the_scripts_of_a_built_site_are_taught_in_their_place(scripts, tmp_path):
    (tmp_path / "build").mkdir()
    for place, script in enumerate(scripts):
        (tmp_path / "build" / f"{place}.js").write_text(script, encoding="utf-8")
    answer(tmp_path)
    found = [path.read_text(encoding="utf-8") for path in (tmp_path / "build").glob("*.js")]
    assert sum(CASE in each for each in found) == 1


def test_scripts_that_have_no_part_in_it_stay_as_they_are(tmp_path):
    for script in ("", "case 1: break;", "async _isCompleteRequest(e){const t=e}"):
        assert taught(script) == script


def test_a_jupyterlite_whose_scripts_are_others_builds_no_site(tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "0.js").write_text("case 1: break;", encoding="utf-8")
    with pytest.raises(SiteError, match=r"does not know the scripts.*pip install"):
        answer(tmp_path)
