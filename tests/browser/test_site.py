"""The lessons without a server: a built site in a real browser that can reach nothing else."""

import base64
import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli import main
from tests.browser.lite import Visit, served
from tests.pyodide_release import pyodide_folder

LESSONS = sorted(path.stem for path in Path("lessons").glob("*.ipynb"))
WRONG = "def slope(x):\n    return abs(2 * x)"
RIGHT = "def slope(x):\n    return 2 * x"
COUNTER = """
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = '''
    function render({model, el}) {
      const button = document.createElement("button");
      button.className = "counter";
      button.textContent = "count";
      button.onclick = () => { model.set("count", model.get("count") + 1); model.save_changes(); };
      model.on("change:told", () => { button.textContent = model.get("told"); });
      el.append(button);
    }
    export default { render };
    '''
    count = traitlets.Int().tag(sync=True)
    told = traitlets.Unicode().tag(sync=True)

    @traitlets.observe("count")
    def _tell(self, change):
        self.told = f"twice {self.count} is {2 * self.count}"

Counter()
"""


LONG_GRAPH = """
import autograd_core as torch

class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        ctx.save_for_backward(x)
        return x + 1

    @staticmethod
    def backward(ctx, g):
        return g

def made_of(step):
    leaf = torch.ones((), requires_grad=True)
    y = leaf.clone()
    for _ in range(20_000):
        y = step(y)
    return leaf, y

steps = lambda y: y + y.detach(), lambda y: y.exp() * 0, Own.apply, lambda y: y.add_(1)
for step in steps:
    leaf, y = made_of(step)
    del y
    leaf, y = made_of(step)
    y.backward()
    print(leaf.grad.item(), end=" ")
    del y
"""
PARITY = """
import base64, io, json, sys, zipfile

zipfile.ZipFile(io.BytesIO(base64.b64decode({archive!r}))).extractall("/tmp/parity")
sys.path.insert(0, "/tmp/parity")
import autograd_core
from tests.parity import record
from tests.parity.harness import differences, observe
from tests.parity.programs import PROGRAMS

differing = {{}}
for name, recorded in record.read().items():
    found = differences(recorded, observe(PROGRAMS[name], autograd_core), ulps=1)
    if found:
        differing[name] = found[0]
print(json.dumps([len(PROGRAMS), differing]))
"""
# What Python, its NumPy and the processor are like there, which is no matter of the engine's.
OF_THE_PAGE = {
    "there are no threads": {
        "backward.engine.backwards_nest_as_deeply_as_one_likes",
        "modes.decorators.threads",
        "backward.layout.the_policy_of_another_thread",
        "usage.tricks.every_thread_its_mode",
        "usage.tricks.threads_share_a_model",
    },
    "an array of Python's integers has 32 bits": {
        "tensors.creation.tensor_of_an_array_keeps_the_dtype",
        "tensors.from_data.arrays",
        "tensors.inspection.numbers_and_arrays",
    },
    "no product and sum is rounded only once, and tanh has another last digit": {
        "in_place.functions.trigonometry_and_their_like",
        "operators.sums_of_many.of_columns",
    },
    "the larger of 0 and -0 is 0": {"operators.signs_of_zero.of_what_is_kept_or_bounded"},
    "what no integer can hold becomes another one": {
        "arguments.numbers_out_of_range.copied",
        "tensors.inspection.by_name",
    },
    "a missing file has another number": {"arguments.unfitting.files_that_are_none"},
}


COMMS = """async () => {
  const {kernel} = window.jupyterapp.shell.currentWidget.sessionContext.session;
  const late = new Promise((done) => setTimeout(() => done({content: {status: "late"}}), 20000));
  return (await Promise.race([kernel.requestCommInfo({}), late])).content.status;
}"""


@pytest.fixture(scope="module")
def site(chromium, tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    done = CliRunner().invoke(main, ["site", "--out", str(out), "--pyodide", str(pyodide_folder())])
    assert done.exit_code == 0, done.output
    with served(out) as address:
        yield address


@pytest.fixture(scope="module")
def visit(chromium, site):
    visit = Visit(chromium, site)
    opened = visit.open()
    yield visit, opened
    visit.close()


@pytest.fixture(scope="module")
def again(visit):
    """The same browser, after the page was left and another lesson was opened."""
    visit, _ = visit
    visit.answer("welcome-slope", RIGHT)
    visit.save()
    opened = visit.open("09_capstone")
    return visit, opened


def text(outputs):
    return "\n".join(str(each.get("data", each)) for each in outputs)


def complaints(cells):
    """What went wrong in `cells`, and which of them were not run."""
    outputs = [output for cell in cells for output in cell["outputs"]]
    wrong = [
        output
        for output in outputs
        if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
    return wrong + [cell for cell in cells if cell["source"].strip() and not cell["count"]]


def test_the_site_opens_on_the_welcome_and_leaves_it_as_it_is(visit):
    visit, opened = visit
    assert opened == "00_welcome.ipynb"
    assert not visit.changed


def test_a_wrong_and_a_right_solution_get_their_cards(visit):
    visit, _ = visit
    assert complaints(visit.run_all()) == []
    wrong = text(visit.answer("welcome-slope", WRONG))
    assert "never negative" in wrong
    right = text(visit.answer("welcome-slope", RIGHT))
    assert "never negative" not in right
    assert "passed" in right


def test_progress_and_solutions_are_there_when_the_page_is_opened_again(again):
    visit, _ = again
    told = visit.run("from graders import progress\nprint(progress())")
    assert re.search("✓ Your first check.*2 of 2 points", told)
    assert RIGHT in visit.run("print(open('00_welcome.ipynb').read())").replace("\\n", "\n")


def test_curves_are_drawn_without_matplotlib(again):
    visit, opened = again
    assert opened == "09_capstone.ipynb"
    cells = visit.run_all()
    assert complaints(cells) == []
    drawn = [cell for cell in cells if re.search(r"^plots?\(", cell["source"], re.MULTILINE)]
    assert len(drawn) > 1
    assert all("image/svg+xml" in text(cell["outputs"]) for cell in drawn)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_runs(again, lesson):
    visit, _ = again
    visit.fill_in(lesson)
    assert complaints(visit.run_all()) == []


def test_a_widget_in_the_page_talks_to_the_kernel(again):
    visit, _ = again
    visit.fill_in("00_welcome")
    visit.show(COUNTER)
    button = visit.page.locator("button.counter")
    button.click()
    button.get_by_text("twice 1 is 2").wait_for()


def test_the_kernel_tells_which_comms_it_has(again):
    """Without that answer a notebook that is opened again waits for its widgets for ever."""
    visit, _ = again
    assert visit.page.evaluate(COMMS) == "ok"


def test_a_prediction_is_committed_and_a_check_asked_again(again):
    visit, _ = again
    visit.fill_in("00_welcome")
    visit.run_all()
    card = visit.page.locator(".al-live .al-answer").first
    card.scroll_into_view_if_needed()
    card.fill("6")
    card.press("Enter")
    visit.page.get_by_text("Not what happens").wait_for()

    visit.answer("welcome-slope", WRONG)
    visit.run(RIGHT)
    visit.page.get_by_role("button", name="Check again").click()
    visit.page.get_by_text("Everything is right.").wait_for()


def test_long_graphs_come_and_go(again):
    """Python would free them by a recursion that is too deep for the page, and end there."""
    visit, _ = again
    assert visit.run(LONG_GRAPH) == "1.0 0.0 1.0 1.0 "


def test_the_engine_does_there_what_it_does_here(again):
    visit, _ = again
    programs, differing = json.loads(visit.run(PARITY.format(archive=packed_parity())))
    assert programs > 1_000
    known = set().union(*OF_THE_PAGE.values())
    assert {name: found for name, found in differing.items() if name not in known} == {}
    assert known <= differing.keys()


def packed_parity():
    """The programs of parity and what was recorded of them, as text."""
    folder, packed = Path("tests/parity"), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for pattern in ("*.py", "programs/**/*.py", "recorded/*/*.json"):
            for path in folder.glob(pattern):
                if not path.name.startswith("test_"):
                    archive.write(path)
    return base64.b64encode(packed.getvalue()).decode()


def test_nobody_else_was_asked(again):
    visit, _ = again
    assert visit.strangers == []
