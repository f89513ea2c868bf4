"""Run JupyterLab on the learner's working folder."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from graders.signals import ending_like_ctrl_c
from graders.working_folder import LabError

FIRST_PORT = 8888
PORTS_TRIED = 50
START_SECONDS = 60
STOP_SECONDS = 15
WELCOME = "00_welcome.ipynb"
BEFORE_SAVING = "graders.saved_outputs.without_views"
ANNOUNCEMENTS = "@jupyterlab/apputils-extension:announcements"
WIDGETS = "@jupyter-widgets/jupyterlab-manager:plugin"
GET_LAB = (
    "JupyterLab is not installed in this environment."
    " Get it with: pip install 'autograd-lessons[lab]'"
)


def check_lab() -> None:
    """Raise LabError, with how to get it, unless JupyterLab and its kernel are installed."""
    if find_spec("jupyterlab") is None or find_spec("ipykernel") is None:
        raise LabError(GET_LAB)


def free_port(wanted: int | None = None) -> int:
    """`wanted`, or the first port from 8888 on that is free.

    Raises LabError when `wanted` is taken, or when none is free.
    """
    candidates = [wanted] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for port in candidates:
        if _is_free(port):
            return port
    if wanted:
        raise LabError(
            f"Port {wanted} is taken, or not yours to use. Choose another with --port,"
            " or leave --port out to get a free one."
        )
    raise LabError(
        f"No port from {FIRST_PORT} to {candidates[-1]} is free. Choose one with --port."
    )


def run_lab(folder: Path, port: int, browser: bool, tell: Callable[[str], None]) -> int:
    """Run JupyterLab on `folder` until it ends or is interrupted; returns its exit status.

    Calls `tell` with the address once the server answers. Raises LabError when JupyterLab is not
    installed or does not start.
    """
    check_lab()
    token = secrets.token_urlsafe(24)
    page = first_page(folder)
    with tempfile.TemporaryDirectory(prefix="autograd-lessons-") as private:
        server = subprocess.Popen(
            lab_command(port, browser, page),
            cwd=folder,
            env=lab_environment(Path(private), token),
            # In its own session the server does not get Ctrl-C, and so does not ask whether to
            # stop: this program gets it and ends the server.
            start_new_session=True,
        )
        try:
            with ending_like_ctrl_c():
                _await_answer(server, port, token)
                tell(f"http://127.0.0.1:{port}{page}?token={token}")
                return server.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            _end(server)


def first_page(folder: Path) -> str:
    """The path JupyterLab opens at: the welcome, unless the learner has removed it."""
    return f"/lab/tree/{WELCOME}" if (folder / WELCOME).is_file() else "/lab"


def lab_command(port: int, browser: bool, page: str = "/lab") -> list[str]:
    """The command line that starts JupyterLab with this interpreter, and opens `page`."""
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--LabApp.default_url={page}",
        "--ServerApp.log_level=ERROR",
        "--LabApp.log_level=ERROR",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        f"--ContentsManager.pre_save_hook={BEFORE_SAVING}",
    ]
    if not browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # In a container root is often the only user, and the server listens on localhost only.
        command.append("--allow-root")
    return command


def lab_environment(private: Path, token: str) -> dict[str, str]:
    """The server's environment: token, a python3 kernel with this interpreter, no announcements.

    Widgets are saved with their notebooks, unless the learner has set it otherwise.

    The kernel is described in `private`, which comes first on Jupyter's paths: a kernel of the same
    name in the learner's home may belong to an environment that has none of these packages. The
    token is passed in the environment because everybody on the machine can read a command line.
    """
    kernel = private / "kernels" / "python3"
    kernel.mkdir(parents=True)
    spec = {
        "argv": [
            *(sys.executable, "-m", "ipykernel_launcher"),
            *("-f", "{connection_file}", "--log-level=ERROR"),
        ],
        "display_name": "Python 3 (Autograd Lessons)",
        "language": "python",
        "metadata": {"debugger": True},
    }
    (kernel / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    settings = private / "labconfig" / "page_config.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"disabledExtensions": {ANNOUNCEMENTS: True}}), encoding="utf-8")
    # A notebook that is opened again later shows its cards, although their kernel has ended.
    defaults = settings.with_name("default_setting_overrides.json")
    defaults.write_text(json.dumps({WIDGETS: {"saveState": True}}), encoding="utf-8")
    environment = dict(os.environ, JUPYTER_TOKEN=token)
    environment["JUPYTER_CONFIG_PATH"] = _joined(
        str(private), os.environ.get("JUPYTER_CONFIG_PATH")
    )
    environment["JUPYTER_PATH"] = _joined(str(private), os.environ.get("JUPYTER_PATH"))
    root = str(Path(__file__).resolve().parent.parent)
    if root not in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        # In a checkout the packages are not installed: the kernel, which starts in another
        # folder, has to be told where they are.
        environment["PYTHONPATH"] = _joined(root, os.environ.get("PYTHONPATH"))
    return environment


def _joined(first: str, rest: str | None) -> str:
    return first + os.pathsep + rest if rest else first


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _await_answer(server: subprocess.Popen[bytes], port: int, token: str) -> None:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/status", headers={"Authorization": f"token {token}"}
    )
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None:
        try:
            with direct.open(request, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise LabError(
                    f"JupyterLab did not answer within {START_SECONDS} seconds."
                ) from None
            time.sleep(0.1)
    raise LabError(f"JupyterLab ended before it was ready (exit status {server.returncode}).")


def _end(server: subprocess.Popen[bytes]) -> None:
    if server.poll() is not None:
        return
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
