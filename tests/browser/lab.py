"""JupyterLab's page as a learner meets it: opened once, and then one lesson after the other on it.

The page finds no host but this machine. Loading it takes longer than a lesson, so it stays as long
as it is left as it was found: no notebook open, no kernel running, no question on the screen.
"""

from __future__ import annotations

import re
from typing import Any

from tests.browser.lab_server import Server
from tests.browser.lesson import IS_LIGHT, KERNEL_ANSWERS, RUN_SECONDS, VIEWPORT, Lesson

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
HARMLESS = (
    # anywidget says so when a busy machine takes more than two seconds; the widget comes later,
    # and who reads it waits for it.
    r"\[anywidget\] Failed to initialize model",
    # JupyterLab's splash that is asked for again while it fades is taken away twice, by a timer:
    # nothing but that timer is on the stack.
    r"^NotFoundError: .*'removeChild'.*\n +at \S+/jlab_core\.\S+$",
)
"""What a page complains of that is nobody's fault here."""


class Lab:
    """JupyterLab in a tab; `requests` and `complaints` are those since a lesson was last closed."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.browser, self.server = browser, server
        self.page: Any = None
        self.forget()

    def forget(self) -> None:
        """Begin to listen anew, with lists that whoever has the old ones does not see."""
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def open(self, name: str) -> Lesson:
        """Open a notebook as a double click in the list of files does, and wait for its kernel.

        Where there is no page yet, its address is visited.
        """
        if self.page is None:
            return self.visit(name)
        return self._opened(name, lambda: self.page.evaluate(OPEN, f"{name}.ipynb"))

    def visit(self, name: str) -> Lesson:
        """Load JupyterLab by a notebook's address, and wait for the kernel."""
        if self.page is None:
            self.server.forget_theme()
            self.page = self.browser.new_page()
            self.page.set_default_timeout(RUN_SECONDS * 1000)
            self.page.on("request", lambda request: self.requests.append(request.url))
            self.page.on("websocket", lambda socket: self.requests.append(socket.url))
            self.page.on("pageerror", self._hear)
        return self._opened(name, lambda: self.page.goto(self.server.address(name)))

    def leave(self) -> None:
        """Put the page away unless it is as it was found."""
        left_well = False
        try:
            self.page.emulate_media(reduced_motion="null")
            self.page.set_viewport_size(VIEWPORT)
            if not self.page.evaluate(IS_LIGHT):
                self.theme("light")
            left_well = self.page.evaluate(IS_AS_FOUND)
        finally:
            if not left_well:
                self.close()

    def theme(self, scheme: str) -> None:
        """Change to the light or the dark theme, and wait until it has come."""
        self._see_the_splash_off()
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})", THEMES[scheme]
        )
        light = "true" if scheme == "light" else "false"
        self.page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")
        self._see_the_splash_off()

    def _see_the_splash_off(self) -> None:
        """Wait until nothing covers the page: JupyterLab does so while it changes its theme."""
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def close(self) -> None:
        """Put the page away, if there is one."""
        page, self.page = self.page, None
        if page is not None:
            page.close()

    def _opened(self, name: str, open_it: Any) -> Lesson:
        try:
            open_it()
            self.page.wait_for_function(IS_OPEN, arg=f"{name}.ipynb")
            self.page.evaluate(KERNEL_ANSWERS)
        except BaseException:
            self.close()
            raise
        return Lesson(self, name)

    def _hear(self, complaint: Exception) -> None:
        told = getattr(complaint, "stack", None) or str(complaint)
        if not any(re.search(words, told) for words in HARMLESS):
            self.complaints.append(told)


OPEN = "(path) => jupyterapp.commands.execute('docmanager:open', {path}).then(() => {})"

IS_OPEN = """(path) => {
  const panel = window.jupyterapp?.shell.currentWidget;
  return panel?.context?.path === path && Boolean(panel.content?.widgets?.length);
}"""

IS_AS_FOUND = """async () => {
  const { serviceManager, shell } = jupyterapp;
  await serviceManager.sessions.refreshRunning();
  return ![...shell.widgets("main")].some((widget) => widget.context)
    && ![...serviceManager.sessions.running()].length
    && !document.querySelector(".jp-Dialog")
    && !shell.leftCollapsed;
}"""
