"""The stepper as a widget: what it hands to a notebook, and what is said where it cannot be."""

import subprocess
import sys

import pytest

from tests.browser.stepper_stories import log_sin

STILL = {"text/plain": "the steps", "image/svg+xml": "<svg/>"}
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def widget():
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    from lessons.widgets.stepper.view import stepper_view

    made = stepper_view(log_sin(), STILL)
    yield made
    made.close()


def test_a_notebook_gets_the_live_view_and_what_needs_no_kernel(widget):
    data, metadata = widget._repr_mimebundle_()
    assert data.keys() == {VIEW, "text/html", *STILL}
    assert data["text/plain"] == repr(widget) == "the steps"
    assert "<svg/>" in data["text/html"]
    assert metadata == {"stands_alone": True}


def test_python_reads_and_sets_the_step(widget):
    assert widget.position == 0
    widget.position = 3
    assert widget.get_state()["position"] == 3
    widget.set_state({"position": 5, "committed": {"q1": "0.5"}})
    assert (widget.position, widget.committed) == (5, {"q1": "0.5"})
    with pytest.raises(Exception, match="position"):
        widget.position = -1


def test_the_browser_gets_one_module_and_one_style_sheet(widget):
    state = widget.get_state()
    assert state["_esm"].count("export default") == 1
    assert ".al-stepper" in state["_css"]
    assert state["story"]["title"] == log_sin()["title"]


def test_without_anywidget_the_import_says_what_to_do():
    program = (
        "import sys; sys.modules['anywidget'] = None\n"
        "try: import lessons.widgets.stepper.view\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "pip install 'autograd-lessons[lab]'" in done.stdout
    assert "figure" in done.stdout
