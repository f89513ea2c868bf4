import json
import re
import socket
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

import graders.site.compiled
import graders.site.installed
from graders.cli import main
from graders.site import SiteError, pyodide
from graders.site.compiled import modules_of_a_lesson, with_compiled
from graders.site.folder import MARK, check_folder, put_in_place
from graders.site.wheels import Wheel, installed_wheel, our_wheel
from graders.working_folder import copy_lessons
from tests.browser.lite import served

ROOT = Path(graders.site.installed.__file__).parents[2]
WHEELS = {name: f"{name}-1.0-py3-none-any.whl" for name in pyodide.PACKAGES}


def digest(content):
    return sha256(content).hexdigest()


@pytest.fixture(scope="module")
def pinned():
    """Let a release of a few bytes be the one that is asked for."""
    files = {name: name.encode() for name in pyodide.CORE} | {
        file: name.encode() for name, file in WHEELS.items()
    }
    packages = {
        name: {
            "name": name,
            "file_name": file,
            "sha256": digest(files[file]),
            "version": "1.0",
            "imports": [name],
            "depends": [],
        }
        for name, file in WHEELS.items()
    }
    lock = {"info": {"abi_version": "0"}, "packages": packages | {"scipy": {}}}
    files[pyodide.LOCK] = json.dumps(lock).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pyodide, "CORE", {name: digest(files[name]) for name in pyodide.CORE})
        yield files


def write(folder, files):
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def release(pinned, tmp_path_factory):
    return write(tmp_path_factory.mktemp("release") / "pyodide", pinned)


def build(out, release):
    return CliRunner().invoke(main, ["site", "--out", str(out), "--pyodide", str(release)])


@pytest.fixture(scope="module")
def built(release, tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    done = build(out, release)
    assert done.exit_code == 0, done.output
    assert str(out) in done.output
    return out


@pytest.fixture(scope="module")
def config(built):
    return json.loads((built / "jupyter-lite.json").read_text())["jupyter-config-data"]


def refused(result):
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    return result.output


def test_what_the_kernel_is_told_to_load_is_there_and_is_what_it_says(built, config):
    kernel = config["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert (built / kernel["pyodideUrl"]).is_file()
    assert kernel["disablePyPIFallback"] is True
    folder = (built / kernel["pyodideUrl"]).parent
    packages = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    for package in packages.values():
        assert digest((folder / package["file_name"]).read_bytes()) == package["sha256"]
        assert set(package["depends"]) <= set(packages)
    asked = {name.replace("_", "-") for name in kernel["loadPyodideOptions"]["packages"]}
    assert asked <= set(packages)
    imported = {name: key for key, package in packages.items() for name in package["imports"]}
    assert imported["lessons"] == imported["autograd_core"] == "autograd-lessons"
    assert {"numpy", "click", "rich", "jinja2", "platformdirs", "psygnal"} <= set(packages)


def test_every_place_that_the_configuration_names_is_in_the_site(built, config):
    for extension in config["federated_extensions"]:
        folder = built / config["fullLabextensionsUrl"] / extension["name"]
        assert (folder / extension["load"]).is_file()
    names = {extension["name"] for extension in config["federated_extensions"]}
    assert {"anywidget", "@jupyter-widgets/jupyterlab-manager"} < names
    for key, value in config.items():
        if isinstance(value, str) and value.startswith("./") and key != "baseUrl":
            assert (built / value).exists() or key == "licensesUrl", key
    for place in json.dumps(config), (built / "index.html").read_text():
        assert not re.search(r"https?://|//cdn", place)


def test_learners_get_the_lessons_as_the_lab_hands_them_out(built, tmp_path):
    copy_lessons(tmp_path / "lab")
    names = sorted(path.name for path in (tmp_path / "lab").iterdir())
    listed = json.loads((built / "api" / "contents" / "all.json").read_text())["content"]
    assert sorted(entry["name"] for entry in listed) == names
    for name in names:
        here, there = (
            json.loads((folder / name).read_bytes())
            for folder in (built / "files", tmp_path / "lab")
        )
        assert here["cells"] == there["cells"]
    assert "path=00_welcome.ipynb" in (built / "index.html").read_text()


def test_there_is_nothing_in_it_that_only_its_makers_need(built):
    names = [path.name for path in built.rglob("*")]
    assert not [name for name in names if name.endswith((".map", ".so", ".ts"))]
    assert not (built / "repl").exists()
    assert not (built / "notebooks").exists()


def test_building_again_replaces_what_was_built_and_keeps_what_is_yours(built, release):
    (built / "CNAME").write_text("lessons.example.org")
    (built / "index.html").unlink()
    before = json.loads((built / MARK).read_text())["files"]
    done = build(built, release)
    assert done.exit_code == 0, done.output
    assert (built / "CNAME").read_text() == "lessons.example.org"
    assert (built / "index.html").is_file()
    assert set(json.loads((built / MARK).read_text())["files"]) == set(before)
    assert [path.name for path in built.parent.iterdir()] == ["out"]


def test_a_folder_that_is_not_a_site_is_left_alone(tmp_path, release):
    (tmp_path / "thesis.tex").write_text("mine")
    told = refused(build(tmp_path, release))
    assert "not empty" in told
    assert "--out" in told
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def small_site(folder, **files):
    folder.mkdir()
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return folder


def test_what_was_changed_in_a_site_is_not_overwritten(tmp_path):
    out = tmp_path / "out"
    put_in_place(small_site(tmp_path / "one", a_js="1", b_js="2"), out)
    (out / "a.js").write_text("changed")
    with pytest.raises(SiteError, match=r"a\.js was changed"):
        put_in_place(small_site(tmp_path / "two", a_js="3"), out)
    assert (out / "a.js").read_text() == "changed"
    assert (out / "b.js").read_text() == "2"


def test_what_a_new_site_no_longer_has_goes_and_what_is_in_its_way_stops_it(tmp_path):
    out = tmp_path / "out"
    put_in_place(small_site(tmp_path / "one", a_js="1", old__b_js="2"), out)
    assert put_in_place(small_site(tmp_path / "two", a_js="34"), out) == 2
    assert sorted(path.name for path in out.iterdir()) == [MARK, "a.js"]
    (out / "c.js").write_text("mine")
    with pytest.raises(SiteError, match=r"c\.js .* was not put there by this command"):
        put_in_place(small_site(tmp_path / "three", c_js="5"), out)
    assert ((out / "c.js").read_text(), (out / "a.js").read_text()) == ("mine", "34")
    (out / "lab").write_text("mine")
    with pytest.raises(SiteError, match=r"lab .* was not put there by this command"):
        put_in_place(small_site(tmp_path / "four", lab__a_js="6"), out)
    assert ((out / "lab").read_text(), (out / "a.js").read_text()) == ("mine", "34")


@pytest.mark.parametrize("mark", ["", "[]", '{"files": {"../thesis.tex": "0"}}'])
def test_a_mark_that_is_not_ours_marks_no_site(tmp_path, mark):
    (tmp_path / MARK).write_text(mark)
    with pytest.raises(SiteError, match="not empty"):
        check_folder(tmp_path)


def test_a_folder_that_lacks_files_of_pyodide_is_told_which_and_where_they_are(tmp_path, pinned):
    some = {name: pinned[name] for name in ("pyodide.js", pyodide.LOCK)}
    told = refused(build(tmp_path / "out", write(tmp_path / "some", some)))
    assert "pyodide.asm.wasm" in told
    assert WHEELS["numpy"] in told
    assert "pyodide.js," not in told
    assert pyodide.RELEASE in told
    assert not (tmp_path / "out").exists()
    (tmp_path / "none").mkdir()
    assert "wheel of numpy" in refused(build(tmp_path / "out", tmp_path / "none"))


@pytest.mark.parametrize("name", ["pyodide.asm.js", pyodide.LOCK, WHEELS["numpy"]])
def test_files_of_another_pyodide_are_refused(tmp_path, pinned, name):
    other = write(tmp_path / "other", pinned | {name: b"{}"})
    told = refused(build(tmp_path / "out", other))
    assert name in told
    assert f"pyodide {pyodide.VERSION}" in told


def test_without_a_folder_pyodide_comes_over_the_network_and_is_looked_at(release, tmp_path):
    with served(release) as address:
        assert pyodide.from_network(address).files == pyodide.from_folder(release).files
        (release / "pyodide.js").rename(tmp_path / "pyodide.js")
        try:
            with pytest.raises(SiteError, match=r"pyodide\.js cannot be downloaded.*--pyodide"):
                pyodide.from_network(address)
        finally:
            (tmp_path / "pyodide.js").rename(release / "pyodide.js")
    with pytest.raises(SiteError, match="cannot be downloaded"):
        pyodide.from_network(address)


def test_a_file_that_the_network_cuts_off_is_told():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        threading.Thread(target=cut_off, args=(server,), daemon=True).start()
        with pytest.raises(SiteError, match=r"pyodide\.js cannot be downloaded.*--pyodide"):
            pyodide.from_network(f"http://127.0.0.1:{port}/")


def cut_off(server):
    connection, _ = server.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")


@pytest.mark.parametrize(
    ("name", "version", "told"),
    [
        ("jupyterlite-core", None, "jupyterlite-core is not installed"),
        ("jupyterlite-pyodide-kernel", "0.9", "a site needs jupyterlite-pyodide-kernel 0.7.0"),
        ("ipython", "9.18.1", "below 9.16"),
        ("anywidget", None, "anywidget is not installed"),
    ],
)
def test_what_is_missing_or_of_another_version_is_said(
    tmp_path, release, monkeypatch, name, version, told
):
    real = graders.site.installed.distribution

    class Other:
        def __init__(self):
            self.version = version

    def distribution(asked):
        if asked != name:
            return real(asked)
        if version is None:
            raise graders.site.installed.PackageNotFoundError(asked)
        return Other()

    monkeypatch.setattr(graders.site.installed, "distribution", distribution)
    output = " ".join(refused(build(tmp_path / "out", release)).split())
    assert told in output
    assert "pip install 'autograd-lessons[site]'" in output
    assert not (tmp_path / "out").exists()


def test_our_wheel_has_every_module_and_no_notebook():
    wheel = our_wheel()
    assert wheel.imports == ["autograd_core", "graders", "lessons"]
    modules = {path.as_posix() for package in wheel.imports for path in Path(package).rglob("*.py")}
    assert modules <= set(wheel.contents)
    assert not [path for path in wheel.contents if path.endswith((".ipynb", ".pyc"))]
    assert {"numpy", "platformdirs"} <= set(wheel.requires)


def test_a_wheel_is_the_same_each_time_and_pip_takes_it(tmp_path):
    wheel = our_wheel()
    assert wheel.content == our_wheel().content
    path = tmp_path / wheel.file_name
    path.write_bytes(wheel.content)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*install, "--target", str(tmp_path / "site"), str(path)], check=True)
    assert (tmp_path / "site" / "graders" / "check.py").is_file()


def test_compiled_parts_and_parts_of_the_page_stay_behind():
    wheel = installed_wheel("psygnal")
    assert "psygnal/_signal.py" in wheel.contents
    assert not [path for path in wheel.contents if not path.startswith("psygnal/")]
    assert not [path for path in installed_wheel("jedi").contents if "django-stubs" in path]
    for name in ("psygnal", "ipython", "ipywidgets"):
        assert not [p for p in installed_wheel(name).contents if p.endswith((".so", ".pyc"))]


def test_requirements_are_those_of_the_browser():
    assert "jedi" in installed_wheel("ipython").requires
    assert not {"pexpect", "psutil", "colorama"} & set(installed_wheel("ipython").requires)


def test_code_that_lessons_use_is_compiled_for_the_kernel(monkeypatch, tmp_path):
    monkeypatch.setattr(graders.site.compiled, "KERNEL_PYTHON", sys.version_info[:2])
    contents = {"__init__": "value = 1\n", "bad": "value =", "other": "value = 3\n"}
    plain = Wheel("one", "1", {f"one/{name}.py": each.encode() for name, each in contents.items()})
    wheel = with_compiled(plain, frozenset({"one", "one.bad"}))
    (tmp_path / wheel.file_name).write_bytes(wheel.content)
    with ZipFile(tmp_path / wheel.file_name) as archive:
        names = [name for name in archive.namelist() if "__pycache__" in name]
        archive.extractall(tmp_path)
    tag = f"cpython-{sys.version_info[0]}{sys.version_info[1]}"
    assert names == [f"one/__pycache__/__init__.{tag}.pyc"]
    (tmp_path / "one" / "__init__.py").write_text("value = 2\n")
    code = "import one; print(one.value)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"


def test_what_lessons_use_is_found_by_using_it():
    modules = modules_of_a_lesson()
    assert {"IPython.core.interactiveshell", "graders.judging.judge", "lessons.widgets"} < modules
    assert "rich" not in modules
    assert "pygments.lexers.cpp" not in modules


IN_A_BROWSER = """
import builtins, sys
absent = {"sqlite3", "jinja2", "click", "rich", "fcntl", "resource", "multiprocessing"}
real = builtins.__import__
def of_a_browser(name, *rest, **more):
    if name.partition(".")[0] in absent and sys._getframe(1).f_globals["__name__"].startswith(
        ("graders", "lessons", "autograd_core")
    ):
        raise ImportError(f"{name} is not to be had in a browser")
    return real(name, *rest, **more)
builtins.__import__ = of_a_browser
sys.platform = "emscripten"
import lessons.widgets
from graders import check, progress
def slope(x):
    return 2 * x
print(check("welcome-slope"))
print(progress())
"""


def test_what_a_notebook_uses_does_without_what_a_browser_lacks(monkeypatch, tmp_path):
    monkeypatch.setenv("AUTOGRAD_LESSONS_DATA", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", IN_A_BROWSER], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 of 2 points" in done.stdout
