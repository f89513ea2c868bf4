"""JupyterLab as a learner meets it: the command that opens it, its page, and a lesson on it.

A server has folders of its own for everything that Jupyter, IPython and the lessons keep, and a
page finds no host but this machine. Nothing is run before the kernel has said who it is: the
status bar calls a notebook idle before there is a kernel at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graders.working_folder import copy_lessons

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
STOP_SECONDS = 30
RUN_SECONDS = 90
# Whatever happens to the tests, a server that nobody uses ends, and so do its kernels.
ABANDONED_SECONDS = 300
VIEWPORT = {"width": 1280, "height": 900}
PICTURE_HEIGHT = 3600
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}

SERVER_SETTINGS = {
    "LabApp": {"expose_app_in_browser": True},
    "ServerApp": {"shutdown_no_activity_timeout": ABANDONED_SECONDS},
    "MappingKernelManager": {"cull_idle_timeout": ABANDONED_SECONDS, "cull_interval": 30},
}
# Every cell is laid out, so that what has scrolled out of sight can be read as well.
NOTEBOOK_SETTINGS = {"windowingMode": "none"}


HARMLESS = (
    # anywidget says so when a busy machine takes more than two seconds; the widget comes later,
    # and who reads it waits for it.
    r"\[anywidget\] Failed to initialize model",
    # JupyterLab's splash that is asked for again while it fades is taken away twice, by a timer:
    # nothing but that timer is on the stack.
    r"^NotFoundError: .*'removeChild'.*\n +at \S+/jlab_core\.\S+$",
)
"""What a page complains of that is nobody's fault here."""


class Server:
    """`autograd-lessons lab`, running on copies of the lessons in `folder`."""

    def __init__(self, private: Path, address: str) -> None:
        parts = urlsplit(address)
        self.folder = private / "work"
        self.progress = private / "progress"
        self.root = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.query.partition("=")[2]

    def fresh(self, lesson: str) -> str:
        """The address of a lesson as if nobody had ever worked on any."""
        shutil.rmtree(self.progress, ignore_errors=True)
        (self.folder / f"{lesson}.ipynb").unlink(missing_ok=True)
        copy_lessons(self.folder)
        return f"{self.root}/lab/tree/{lesson}.ipynb?reset&token={self.token}"


@contextlib.contextmanager
def running(private: Path) -> Iterator[Server]:
    """Open the lessons by the learners' command, with everything that it keeps in `private`."""
    options = ["--no-browser", "--dir", str(private / "work"), "--port", str(_free_port())]
    program = subprocess.Popen(
        [sys.executable, "-m", "graders", "lab", *options],
        cwd=private,
        env=_environment(private),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_hand_on, args=(program, said), daemon=True)
    reader.start()
    try:
        yield Server(private, _address(said))
    finally:
        _end(program)
        reader.join()


def _environment(private: Path) -> dict[str, str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("JUPYTER", "IPYTHON"))
    }
    for name in ("CONFIG", "DATA", "RUNTIME"):
        environment[f"JUPYTER_{name}_DIR"] = str(private / name.lower())
    for name in ("SETTINGS", "WORKSPACES"):
        environment[f"JUPYTERLAB_{name}_DIR"] = str(private / name.lower())
    configuration = private / "config" / "jupyter_lab_config.json"
    tracker = private / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    for path, content in ((configuration, SERVER_SETTINGS), (tracker, NOTEBOOK_SETTINGS)):
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return environment | {
        "HOME": str(private),
        "IPYTHONDIR": str(private / "ipython"),
        "AUTOGRAD_LESSONS_DATA": str(private / "progress"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONUNBUFFERED": "1",
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _hand_on(program: subprocess.Popen[str], said: queue.Queue[str | None]) -> None:
    assert program.stdout
    for line in program.stdout:
        said.put(line)
    said.put(None)


def _address(said: queue.Queue[str | None]) -> str:
    lines: list[str] = []
    deadline = time.monotonic() + START_SECONDS
    while not (lines and "token=" in lines[-1]):
        line = said.get(timeout=max(deadline - time.monotonic(), 0.1))
        assert line is not None, "JupyterLab ended at once:\n" + "".join(lines)
        lines.append(line)
    return lines[-1].split()[-1]


def _end(program: subprocess.Popen[str]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.terminate()
        program.wait(STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
    program.wait()


class Lesson:
    """A lesson on JupyterLab's page, with its kernel; `requests` is what the page asked for."""

    def __init__(self, browser: Any, server: Server, name: str) -> None:
        self.name = name
        self.page = browser.new_page()
        self.page.set_default_timeout(RUN_SECONDS * 1000)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("pageerror", self._hear)
        self.page.goto(server.fresh(name))
        self.page.wait_for_function(IS_OPEN)
        self.page.evaluate(KERNEL_ANSWERS)

    def _hear(self, complaint: Exception) -> None:
        told = getattr(complaint, "stack", None) or str(complaint)
        if not any(re.search(words, told) for words in HARMLESS):
            self.complaints.append(told)

    def close(self) -> None:
        """Shut the kernel down and put the page away."""
        try:
            self.page.evaluate(SHUT_DOWN)
        finally:
            self.page.close()

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
        assert self.cells()[place]["source"] == source
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
        self.page.wait_for_function(IS_SHOWN, arg=place, polling=100)
        return str(self.cell(place).locator(".jp-OutputArea").inner_text())

    def errors(self) -> list[str]:
        """The errors among the outputs, each with the cell that raised it."""
        return [
            f"{cell['source']}\n{output['ename']}: {output['evalue']}"
            for cell in self.cells()
            for output in cell.get("outputs", ())
            if output["output_type"] == "error"
        ]

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
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", THEMES[scheme]
        )
        light = "true" if scheme == "light" else "false"
        self.page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")

    def pictures(self, folder: Path) -> list[Path]:
        """Keep the lesson from top to bottom as images, light and dark; the files in order."""
        folder.mkdir(parents=True, exist_ok=True)
        self.page.evaluate("jupyterapp.shell.collapseLeft()")
        self.page.set_viewport_size(VIEWPORT | {"height": PICTURE_HEIGHT})
        files: list[Path] = []
        for scheme in ("dark", "light"):
            self.theme(scheme)
            number, top = 0, -1
            while (top := self.page.evaluate(SCROLL, top)) is not None:
                number += 1
                files.append(folder / f"{self.name}-{scheme}-{number:02}.png")
                self.page.locator(".jp-NotebookPanel:visible").screenshot(path=files[-1])
        self.page.set_viewport_size(VIEWPORT)
        return files


IS_OPEN = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  return Boolean(panel?.sessionContext && panel.content?.widgets?.length);
}"""

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

IS_SHOWN = """(place) => {
  const cell = jupyterapp.shell.currentWidget.content.widgets[place];
  const outputs = [...cell.node.querySelectorAll(".jp-OutputArea-output")];
  const widgets = outputs.filter((output) => output.dataset.mimeType?.includes("widget-view"));
  return outputs.length >= cell.model.outputs.length
    && widgets.every((widget) => widget.innerText.trim() && !widget.innerText.includes("Loading"));
}"""

RESTART = """async () => {
  const context = jupyterapp.shell.currentWidget.sessionContext;
  await context.restartKernel();
  await context.session.kernel.info;
}"""

SHUT_DOWN = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.save();
  await panel.sessionContext.shutdown();
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
