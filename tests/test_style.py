"""The code is formatted, linted and typed as `pyproject.toml` says, and lies where it should."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
AT_THE_TOP = {
    "pyproject.toml", "README.md", "LICENSE",
    "lessons", "autograd_core", "graders", "tests", "binder",
}  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)],
    ids=["lint", "format", "types"],
)
def test_code_is_clean(command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [("autograd_core", ("graders", "lessons")), ("graders", ("lessons.widgets",))],
)
def test_imports_point_one_way(package, forbidden):
    for path in (ROOT / package).rglob("*.py"):
        imports = [
            line.split()[1]
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.lstrip().startswith(("import ", "from "))
        ]
        assert not [name for name in imports if name.startswith(forbidden)], path


def test_no_two_files_of_the_engine_need_each_other_to_be_imported():
    paths = {_module(path): path for path in (ROOT / "autograd_core").rglob("*.py")}
    needed = {
        name: {
            inside if (inside := f"{each.module}.{alias.name}") in paths else each.module
            for each in ast.parse(path.read_text("utf-8")).body
            if isinstance(each, ast.ImportFrom)
            for alias in each.names
        }
        for name, path in paths.items()
    }

    # Raises CycleError.
    TopologicalSorter(needed).prepare()


@pytest.mark.parametrize("use", ["repr(torch.ones(1))", "torch.optim.SGD([torch.ones(1)])"])
def test_what_knows_no_layers_does_not_load_them(use):
    code = f"import sys, autograd_core as torch; {use}; print('autograd_core.nn' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_nothing_else_lies_at_the_top():
    command = ["git", "ls-files"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout of a repository")
    names = {line.partition("/")[0] for line in done.stdout.splitlines()}

    assert {name for name in names if not name.startswith(".")} == AT_THE_TOP


def _module(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
