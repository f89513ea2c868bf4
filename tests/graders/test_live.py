import importlib
import sys
from types import SimpleNamespace

import IPython
import pytest

from graders import live
from graders.live import STATIC, is_live


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch):
    monkeypatch.delenv(STATIC, raising=False)
    live._has_widgets.cache_clear()
    yield
    live._has_widgets.cache_clear()


@pytest.fixture
def kernel(monkeypatch):
    pytest.importorskip("anywidget")
    shell = SimpleNamespace(kernel=SimpleNamespace(comm_manager=object()))
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    return shell


def test_a_kernel_that_can_be_talked_to_is_live(kernel):
    assert is_live()


def test_one_variable_asks_for_figures_and_text(kernel, monkeypatch):
    monkeypatch.setenv(STATIC, "1")
    assert not is_live()
    monkeypatch.setenv(STATIC, "0")
    assert is_live()


def test_a_script_is_not_live(monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert not is_live()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not is_live()


def test_a_terminal_is_not_live(kernel, monkeypatch):
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace())
    assert not is_live()


@pytest.mark.parametrize("error", [ImportError("no"), RuntimeError("in disorder")])
def test_without_anywidget_nothing_is_live(kernel, monkeypatch, error):
    def refuse(name):
        raise error

    monkeypatch.setattr(importlib, "import_module", refuse)
    assert not is_live()


def test_a_script_pays_nothing_for_the_question(monkeypatch):
    monkeypatch.setattr(importlib, "import_module", lambda name: pytest.fail("imported"))
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert not is_live()
