"""A lesson on JupyterLab's page: what a learner does with it, and what is there to read.

Nothing is run before the kernel has said who it is: the status bar calls a notebook idle before
there is a kernel at all.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from tests.browser.lab import Lab

RUN_SECONDS = 90
VIEWPORT = {"width": 1280, "height": 900}
PICTURE_HEIGHT = 3600


class Lesson:
    """A lesson that is open on the page, with its kernel; `requests` is what the page asked for."""

    def __init__(self, lab: Lab, name: str) -> None:
        self.lab, self.name, self.page = lab, name, lab.page
        self.requests, self.complaints = lab.requests, lab.complaints

    def close(self) -> None:
        """Save the lesson, shut its kernel down and put it away."""
        try:
            self.page.evaluate(CLOSE)
        finally:
            self.lab.leave()
            self.lab.forget()

    def run_all(self) -> None:
        """Run every cell, and wait until all have run or one has failed."""
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function("window.hasRun", polling=100)

    def restart(self) -> None:
        """Give the lesson a new kernel, and forget what the cells have shown."""
        self.page.evaluate("jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
        self.page.evaluate(RESTART)

    def cells(self) -> list[dict[str, Any]]:
        """The notebook's cells in nbformat, as the page holds them, outputs included."""
        cells: list[dict[str, Any]] = self.page.evaluate(CELLS)
        return cells

    def place(self, words: str) -> int:
        """The number of the first code cell whose source contains `words`."""
        cells = enumerate(self.cells())
        return next(
            n for n, cell in cells if cell["cell_type"] == "code" and words in cell["source"]
        )

    def exercise(self, id: str) -> int:
        """The number of the cell in which an exercise is solved; the next one checks it."""
        cells = enumerate(self.cells())
        return next(place for place, cell in cells if cell["metadata"].get("exercise") == id)

    def write(self, place: int, source: str) -> None:
        """Replace what stands in a cell, with mouse and keyboard, and run it."""
        content = self.cell(place).locator(".cm-content")
        content.click()
        content.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)
        self.page.wait_for_function(IS_WRITTEN, arg=[place, source], polling=100)
        with self.running(place):
            content.press("Shift+Enter")

    def run(self, place: int) -> None:
        """Choose a cell, and run it by the keyboard."""
        self.page.evaluate(CHOOSE, place)
        with self.running(place):
            self.page.keyboard.press("Shift+Enter")

    @contextlib.contextmanager
    def running(self, place: int) -> Iterator[None]:
        """Wait at the end until the cell has run once more."""
        before = self.cells()[place]["execution_count"]
        yield
        self.page.wait_for_function(HAS_RUN_AGAIN, arg=[place, before], polling=100)

    def cell(self, place: int) -> Any:
        """A cell on the page."""
        return self.page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{place}']")

    def shown(self, place: int) -> str:
        """What a learner reads below a cell, once its widgets have come."""
        return self.shown_below([place])[0]

    def shown_below(self, places: list[int]) -> list[str]:
        """What a learner reads below each of some cells, once all their widgets have come."""
        self.page.wait_for_function(ARE_SHOWN, arg=places, polling=100)
        texts: list[str] = self.page.evaluate(READ, places)
        return texts

    def strangers(self) -> list[str]:
        """What was asked of anybody but this machine."""
        inside = ("data", "blob", "about")
        return [
            url
            for url in self.requests
            if urlsplit(url).scheme not in inside and urlsplit(url).hostname != "127.0.0.1"
        ]

    def theme(self, scheme: str) -> None:
        """Change to the light or the dark theme, and wait until it has come."""
        self.lab.theme(scheme)

    def pictures(self, folder: Path, scheme: str) -> list[Path]:
        """Keep the lesson from top to bottom as images, in the theme `scheme`; the files in order.

        A theme is best chosen while there is little to be painted anew.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.page.evaluate("jupyterapp.shell.collapseLeft()")
        self.page.set_viewport_size(VIEWPORT | {"height": PICTURE_HEIGHT})
        assert self.page.evaluate(IS_LIGHT) is (scheme == "light")
        camera = self.page.context.new_cdp_session(self.page)
        files: list[Path] = []
        top = -1
        while (top := self.page.evaluate(SCROLL, top)) is not None:
            files.append(folder / f"{self.name}-{scheme}-{len(files) + 1:02}.png")
            files[-1].write_bytes(self._picture(camera))
        camera.detach()
        self.page.evaluate("jupyterapp.shell.expandLeft()")
        self.page.set_viewport_size(VIEWPORT)
        return files

    def _picture(self, camera: Any) -> bytes:
        """What of the notebook is on the screen, packed in a tenth of the time of playwright."""
        options = {"clip": self.page.evaluate(FRAME), "optimizeForSpeed": True}
        return base64.b64decode(camera.send("Page.captureScreenshot", options)["data"])


KERNEL_ANSWERS = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.revealed;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
}"""

CHOOSE = """(place) => {
  const notebook = jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = place;
  notebook.mode = "command";
  document.activeElement.blur();
  notebook.activate();
}"""

RUN_ALL = """() => {
  window.hasRun = false;
  jupyterapp.commands.execute("notebook:run-all-cells").finally(() => { window.hasRun = true; });
}"""

HAS_RUN_AGAIN = """([place, before]) => {
  const panel = jupyterapp.shell.currentWidget;
  const { executionCount, executionState } = panel.content.widgets[place].model;
  return executionCount !== null && executionCount !== before && executionState === "idle"
    && panel.sessionContext.session.kernel.status === "idle";
}"""

IS_WRITTEN = """([place, source]) =>
  jupyterapp.shell.currentWidget.content.widgets[place].model.sharedModel.getSource() === source
"""

# Of all outputs only widgets do not say in the page of which type they are.
ARE_SHOWN = """(places) => places.every((place) => {
  const cell = jupyterapp.shell.currentWidget.content.widgets[place];
  const outputs = [...cell.node.querySelectorAll(".jp-OutputArea-output")];
  const widgets = outputs.filter((output) => !output.dataset.mimeType);
  return outputs.length >= cell.model.outputs.length
    && widgets.every((widget) => widget.innerText.trim() && !widget.innerText.includes("Loading"));
})"""

READ = """(places) => places.map((place) =>
  jupyterapp.shell.currentWidget.content.widgets[place].node
    .querySelector(".jp-OutputArea").innerText)"""

RESTART = """async () => {
  const context = jupyterapp.shell.currentWidget.sessionContext;
  await context.restartKernel();
  await context.session.kernel.info;
}"""

CLOSE = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.save();
  await panel.sessionContext.shutdown();
  panel.dispose();
}"""

CELLS = "() => jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.model.toJSON())"

SCROLL = """(before) => {
  const { node, widgets } = jupyterapp.shell.currentWidget.content;
  const view = node.querySelector(".jp-WindowedPanel-outer");
  const end = () => widgets.at(-1).node.getBoundingClientRect().bottom;
  if (before >= 0 && end() <= view.getBoundingClientRect().bottom) return null;
  view.scrollTop = before < 0 ? 0 : before + view.clientHeight - 60;
  return view.scrollTop;
}"""

IS_LIGHT = "document.body.dataset.jpThemeLight === 'true'"

FRAME = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { x, y, width, height } = jupyterapp.shell.currentWidget.node.getBoundingClientRect();
  return { x, y, width, height, scale: 1 };
}"""
