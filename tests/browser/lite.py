"""A built site, served on loopback and driven in a browser that can reach nothing else."""

import functools
import http.server
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

SECONDS = 240
"""Python starts in the page in ten seconds, or in a minute on a machine that is busy."""

IN_TIME = """(given) => Promise.race([(%s)(given),
  new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), %d))])"""

OPENED = """(path) => {
  const context = window.jupyterapp?.shell.currentWidget?.context;
  return context?.isReady && (path === null || context.path === path);
}"""

READY = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  return panel.context.path;
}"""

RUN_ALL = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
  return panel.content.widgets.filter((cell) => cell.model.type === "code")
    .map((cell) => ({source: cell.model.sharedModel.source,
                     count: cell.model.executionCount,
                     outputs: cell.model.outputs.toJSON()}));
}"""

RUN_CODE = """async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  let text = "";
  const future = kernel.requestExecute({code, store_history: false});
  future.onIOPub = ({content}) => {
    text += content.text ?? content.data?.["text/plain"] ?? content.evalue ?? "";
  };
  await future.done;
  return text;
}"""

RUN_CELL = """async ([exercise, source]) => {
  const {content, sessionContext} = window.jupyterapp.shell.currentWidget;
  const cells = content.widgets;
  const own = cells.findIndex((cell) => cell.model.getMetadata("exercise") === exercise);
  const check = cells.findIndex((cell, at) => at > own && cell.model.type === "code"
    && cell.model.sharedModel.source.includes(`check("${exercise}"`));
  if (source !== null) cells[own].model.sharedModel.setSource(source);
  for (const at of [own, check]) {
    content.activeCellIndex = at;
    await window.jupyterapp.commands.execute("notebook:run-cell");
  }
  return cells[check].model.outputs.toJSON();
}"""

FILL = """async (path) => {
  const {serviceManager, shell} = window.jupyterapp;
  const {content} = await serviceManager.contents.get(path, {content: true});
  const panel = shell.currentWidget;
  panel.context.model.fromJSON(content);
  await panel.sessionContext.session.kernel.requestExecute({code: "%reset -f"}).done;
}"""

SHOW = """async (code) => {
  const {content} = window.jupyterapp.shell.currentWidget;
  content.activeCellIndex = content.widgets.findIndex((cell) => cell.model.type === "code");
  content.activeCell.model.sharedModel.setSource(code);
  await window.jupyterapp.commands.execute("notebook:run-cell");
}"""

SAVE = """async () => {
  await window.jupyterapp.shell.currentWidget.context.save();
}"""


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """Yield the address of `folder`, below the top of its host as a project's pages are."""
    handler = functools.partial(_Files, directory=str(folder.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
        finally:
            server.shutdown()
            thread.join()


class Visit:
    """A browser of its own on the site: nothing stored yet, nothing but the site in reach."""

    def __init__(self, browser, address, **options):
        self.address = address
        self.strangers = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        self.context.route("**/*", self._answer)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SECONDS * 1000)

    def _answer(self, route):
        if urlsplit(route.request.url).netloc != urlsplit(self.address).netloc:
            self.strangers.append(route.request.url)
            route.abort()
        elif route.request.url.partition("?")[0] == f"{self.address}jupyter-lite.json":
            answer = route.fetch()
            config = answer.json()
            config["jupyter-config-data"]["exposeAppInBrowser"] = True
            route.fulfill(response=answer, json=config)
        else:
            route.continue_()

    def _ask(self, script, given=None):
        """Return what the page answers to a script; playwright itself would wait for ever."""
        return self.page.evaluate(IN_TIME % (script, SECONDS * 1000), given)

    def open(self, lesson=None):
        """Open a lesson, or what the site opens by itself, and wait for its kernel."""
        # Without the reset, notebooks of before come back as well, each with a kernel of its own.
        path = f"lab/index.html?reset&path={lesson}.ipynb" if lesson else ""
        self.page.goto(self.address + path)
        self.page.wait_for_function(OPENED, arg=f"{lesson}.ipynb" if lesson else None)
        return self._ask(READY)

    @property
    def changed(self):
        """Whether the notebook is no longer what it was when it was last saved."""
        return self.page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty")

    def fill_in(self, lesson):
        """Put another lesson's cells into the notebook; the kernel stays and has no names in it.

        Starting Python in the page takes longer than a lesson.
        """
        self._ask(FILL, f"{lesson}.ipynb")

    def run_all(self):
        """Run every cell; source, number and outputs of each that holds code."""
        return self._ask(RUN_ALL)

    def run(self, code):
        """Run `code` beside the notebook; its output as text."""
        return self._ask(RUN_CODE, code)

    def answer(self, exercise, source=None):
        """Write `source` into the exercise's cell, run it and its check; the card's outputs."""
        return self._ask(RUN_CELL, [exercise, source])

    def show(self, code):
        """Run `code` in the place of the first cell that holds some, for what it shows."""
        self._ask(SHOW, code)

    def save(self):
        """Save the notebook to the browser's storage."""
        self._ask(SAVE)

    def close(self):
        """End the kernels and forget everything."""
        self.context.close()
