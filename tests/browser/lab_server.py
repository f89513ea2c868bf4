"""JupyterLab's server as a learner starts it: by the command that opens the lessons.

It has folders of its own for everything that Jupyter, IPython and the lessons keep.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from graders.working_folder import copy_lessons

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
STOP_SECONDS = 30
# Whatever happens to the tests, a server that nobody uses ends, and so do its kernels. Other tests
# may take their time between two that need it.
ABANDONED_SECONDS = 1200
# Systems hand out ports above these to connections: what is free there may be gone at once.
PORTS = range(20_000, 32_000)

SERVER_SETTINGS = {
    "LabApp": {"expose_app_in_browser": True},
    "ServerApp": {"shutdown_no_activity_timeout": ABANDONED_SECONDS},
    "MappingKernelManager": {"cull_idle_timeout": ABANDONED_SECONDS, "cull_interval": 30},
}
# Every cell is laid out, so that what has scrolled out of sight can be read as well.
NOTEBOOK_SETTINGS = {"windowingMode": "none"}


class Server:
    """`autograd-lessons lab`, running on copies of the lessons in `folder`."""

    def __init__(self, private: Path, address: str) -> None:
        parts = urlsplit(address)
        self.folder = private / "work"
        self.progress = private / "progress"
        self.settings = private / "settings"
        self.root = f"{parts.scheme}://{parts.netloc}"
        self.token = parts.query.partition("=")[2]

    def renew(self, lesson: str) -> None:
        """Put a lesson in the folder as if nobody had ever worked on any."""
        shutil.rmtree(self.progress, ignore_errors=True)
        (self.folder / f"{lesson}.ipynb").unlink(missing_ok=True)
        copy_lessons(self.folder)

    def forget_theme(self) -> None:
        """Make JupyterLab light, whatever was chosen before."""
        chosen = self.settings / "@jupyterlab/apputils-extension/themes.jupyterlab-settings"
        chosen.unlink(missing_ok=True)

    def address(self, notebook: str) -> str:
        """Where JupyterLab shows a notebook, and forgets what was open before."""
        return f"{self.root}/lab/tree/{notebook}.ipynb?reset&token={self.token}"


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
        if not name.startswith(("JUPYTER", "IPYTHON")) and name != "PYTHONDONTWRITEBYTECODE"
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
        # Kernels find the lessons' modules compiled, as those of learners do.
        "PYTHONPYCACHEPREFIX": str(private / "compiled"),
        "PYTHONUNBUFFERED": "1",
    }


def _free_port() -> int:
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port from {PORTS.start} to {PORTS.stop - 1} is free")


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
