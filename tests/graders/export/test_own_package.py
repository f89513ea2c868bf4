"""This package, as it is packed for Gradescope and for the site."""

import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import graders
from graders.export import own_package
from graders.site import SiteError
from graders.site.wheels import our_wheel

REPOSITORY = Path(graders.__path__[0]).parent


@pytest.fixture
def uninstalled(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    for name in ("installed_version", "requires"):
        monkeypatch.setattr(own_package, name, missing)


def test_what_was_compiled_here_is_not_packed(monkeypatch, tmp_path):
    inside = ("__init__.py", "page.html", "fast.so", "old.pyc", "__pycache__/x.txt", "data/a.json")
    for name in inside:
        path = tmp_path / "ours" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    monkeypatch.setattr(own_package, "files", lambda package: tmp_path / package)
    monkeypatch.setattr(own_package, "PACKAGES", ("ours",))

    packed = dict(own_package.contents())

    assert packed == {
        f"ours/{name}": name.encode() for name in ("__init__.py", "data/a.json", "page.html")
    }


def test_a_copy_of_the_repository_says_what_it_is(uninstalled):
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert own_package.version() == project["version"]
    assert own_package.requirements() == sorted(project["dependencies"])


@pytest.mark.parametrize("entry", ["version", "dependencies"])
def test_what_nothing_describes_is_to_be_installed(uninstalled, monkeypatch, tmp_path, entry):
    monkeypatch.setattr(own_package, "files", lambda package: tmp_path / package)
    ask = own_package.version if entry == "version" else own_package.requirements
    with pytest.raises(own_package.PackageError, match=f"{entry} .* Install it with pip"):
        ask()


def test_a_site_is_not_built_of_what_nothing_describes(uninstalled, monkeypatch):
    def described(entry):
        raise own_package.PackageError("Install it with pip.")

    monkeypatch.setattr(own_package, "_described", described)
    with pytest.raises(SiteError, match="Install it with pip"):
        our_wheel()
