import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

import graders.lab
from graders.cli import main
from graders.lab import first_page, free_port, lab_command, lab_environment
from graders.working_folder import LabError

ROOT = Path(graders.lab.__file__).parent.parent


def test_a_taken_port_is_refused_and_a_free_one_found_beside_it():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(LabError, match=f"Port {port} is taken.*--port"):
            free_port(port)
    assert free_port(port) == port
    assert free_port() >= 8888


def test_without_a_wanted_port_a_taken_one_is_passed_over(monkeypatch):
    monkeypatch.setattr(graders.lab, "_is_free", lambda port: port == 8890)
    assert free_port() == 8890


def test_jupyterlab_runs_with_this_interpreter_and_hides_the_token():
    command = lab_command(8899, browser=False)
    assert command[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--ServerApp.port=8899" in command
    assert "--no-browser" in command
    assert "--no-browser" not in lab_command(8899, browser=True)
    assert not any("token" in part for part in command)


def test_jupyterlab_begins_with_the_welcome_as_long_as_it_is_there(tmp_path):
    assert first_page(tmp_path) == "/lab"
    (tmp_path / "00_welcome.ipynb").touch()
    assert first_page(tmp_path) == "/lab/tree/00_welcome.ipynb"
    assert "--LabApp.default_url=/lab/tree/a.ipynb" in lab_command(1, True, "/lab/tree/a.ipynb")


def test_the_python3_kernel_is_this_interpreter_before_any_other(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", "/elsewhere")
    environment = lab_environment(tmp_path, "secret")
    first, rest = environment["JUPYTER_PATH"].split(os.pathsep)
    spec = json.loads((Path(first) / "kernels" / "python3" / "kernel.json").read_text())
    assert spec["argv"][0] == sys.executable
    assert rest == "/elsewhere"
    assert environment["JUPYTER_TOKEN"] == "secret"


def test_widgets_are_saved_with_their_notebooks(tmp_path):
    environment = lab_environment(tmp_path, "secret")
    folder = Path(environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0]) / "labconfig"
    defaults = json.loads((folder / "default_setting_overrides.json").read_text())
    assert defaults == {"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}}


def test_a_missing_jupyterlab_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(graders.lab, "find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["lab", "--dir", str(tmp_path / "work"), "--no-browser"])
    assert result.exit_code == 2
    assert "pip install 'autograd-lessons[lab]'" in result.output
    assert not (tmp_path / "work").exists()


def test_a_taken_port_ends_the_command_before_anything_is_copied(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ["lab", "--dir", str(tmp_path / "work"), "--port", port, "--no-browser"]
        result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert f"Port {port} is taken" in result.output
    assert not (tmp_path / "work").exists()


def test_lessons_are_copied_for_a_jupyterlab_that_runs_already(monkeypatch, tmp_path):
    monkeypatch.setattr(graders.lab, "find_spec", lambda name: None)
    folder = tmp_path / "work"
    result = CliRunner().invoke(main, ["lab", "--dir", str(folder), "--copy-only"])
    assert result.exit_code == 0
    assert "JupyterLab is at" not in result.output
    assert (folder / "00_welcome.ipynb").is_file()


def test_the_command_opens_the_lessons_and_ctrl_c_ends_it(tmp_path):
    port = free_port()
    environment = dict(
        os.environ,
        PYTHONPATH=str(ROOT),
        PYTHONUNBUFFERED="1",
        JUPYTER_CONFIG_DIR=str(tmp_path / "config"),
        JUPYTER_DATA_DIR=str(tmp_path / "data"),
        JUPYTER_RUNTIME_DIR=str(tmp_path / "runtime"),
    )
    arguments = ["lab", "--dir", "mine", "--port", str(port), "--no-browser"]
    program = subprocess.Popen(
        [sys.executable, "-m", "graders", *arguments],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        # Whoever started the tests may have told them to ignore it, and that is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        start_new_session=True,
    )
    lines: queue.Queue[str] = queue.Queue()
    assert program.stdout
    reader = threading.Thread(target=lambda: [lines.put(line) for line in program.stdout])
    reader.start()
    try:
        address = ""
        while "token=" not in address:
            address = lines.get(timeout=90)
        token = address.strip().rpartition("token=")[2]
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/kernelspecs", headers={"Authorization": f"token {token}"}
        )
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
            kernels = json.load(answer)
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()
        reader.join()
    page = f"http://127.0.0.1:{port}/lab/tree/00_welcome.ipynb?token="
    assert address.split()[-1].startswith(page)
    assert kernels["default"] == "python3"
    assert kernels["kernelspecs"]["python3"]["spec"]["argv"][0] == sys.executable
    assert free_port(port) == port
    rest = "".join(lines.queue)
    assert str(tmp_path / "mine") in rest
