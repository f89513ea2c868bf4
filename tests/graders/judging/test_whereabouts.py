"""Paths of the installation are nobody's business: not in what a student reads, nor in tables."""

import json
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import autograd_core
from graders.cli import main
from graders.judging.whereabouts import shortened, without_folders
from graders.verdict import StudentError
from tests.graders.classroom import verdict
from tests.graders.workers import ISOLATING

HERE = Path(autograd_core.__file__).parents[1]
LIBRARY = sysconfig.get_path("stdlib")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f"{HERE}/autograd_core/tensor.py:3: UserWarning",
            "autograd_core/tensor.py:3: UserWarning",
        ),
        (f'File "{LIBRARY}/traceback.py", line 7', 'File "traceback.py", line 7'),
        (f"{Path(np.__file__)}", "numpy/__init__.py"),
        (f"[{HERE}]", "[…]"),
        (f"{HERE}-of-somebody-else/x", f"{HERE}-of-somebody-else/x"),
        ("a / b, /usr/share/x and /", "a / b, /usr/share/x and /"),
    ],
)
def test_files_of_the_installation_are_named_from_its_folders_on(text, told):
    assert shortened(text) == told


def test_nothing_that_a_verdict_says_names_the_installation():
    said = f"look at {HERE}/graders/x.py"
    own = verdict(summary=said, output=said, status="error", error=StudentError("E", said, 1, said))

    told = without_folders(own)

    assert str(HERE) not in json.dumps(told.to_json())
    assert told.error
    assert told.error.message == told.output == "look at graders/x.py"
    assert without_folders(verdict()) == verdict()


@pytest.mark.parametrize("isolation", ISOLATING)
def test_no_file_that_is_written_names_the_installation(tmp_path, isolation):
    folder = tmp_path / "submissions" / "ada"
    folder.mkdir(parents=True)
    (folder / "07_custom_functions.py").write_text(
        "import sys, traceback, warnings\n"
        "import numpy as np\n"
        "import autograd_core as torch\n"
        "from autograd_core.autograd import Function\n"
        "def where():\n"
        "    print(torch, np, traceback, sys.path, sys.prefix, sys.executable)\n"
        "    np.log(np.zeros(1))\n"
        "    warnings.warn('look here', stacklevel=3)\n"
        "    try:\n"
        "        torch.ones(2).backward()\n"
        "    except RuntimeError:\n"
        "        traceback.print_exc()\n"
        "where()\n"
        "class Square(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        where()\n"
        "        return x * x\n"
        "# %%\n"
        "class Exp(Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        where()\n"
        "        raise ValueError(torch.__file__, np.__file__)\n"
        "# %%\n"
        "raise RuntimeError(traceback.__file__)\n"
    )
    out = tmp_path / "out"
    arguments = ["grade", folder.parent, "--out", out, "--isolation", isolation]

    CliRunner().invoke(main, list(map(str, arguments)))

    written = [path for path in out.rglob("*") if path.suffix in (".html", ".json", ".csv")]
    assert len(written) == 4
    places = {str(HERE), sys.prefix, sysconfig.get_path("purelib"), f"{LIBRARY}/"}
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert not [place for place in places if len(Path(place).parts) > 2 and place in text], path
    page = (out / "feedback" / "ada.html").read_text(encoding="utf-8")
    assert "autograd_core/" in page
