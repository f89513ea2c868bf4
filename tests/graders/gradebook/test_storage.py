"""Nothing is lost when nothing can be written: full and read-only disks, damage, two runs."""

import json
import random
import shutil
import subprocess
import sys
import threading

import pytest

from graders.gradebook import Gradebook
from tests.graders.environment import ROOT, importing_from
from tests.graders.test_cli import grade, hand_in, quick, rows, submissions, wrong

__all__ = ["quick", "submissions"]

ENVIRONMENT = importing_from()
OWN_MOUNTS = ["unshare", "--map-root-user", "--mount", "--propagation", "private"]


def may_mount():
    if not shutil.which("unshare"):
        return False
    command = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(command, capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def on_a_small_disk(tmp_path_factory):
    """What came of runs on a disk of four mebibytes; see `small_disk.py`."""
    if not may_mount():
        pytest.skip("this user may not mount a small disk, not even in a namespace of their own")
    folder = tmp_path_factory.mktemp("small")
    done = subprocess.run(
        [*OWN_MOUNTS, sys.executable, "-m", "tests.graders.gradebook.small_disk", str(folder)],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_full_disk_is_explained_wherever_it_fills_up(on_a_small_disk):
    assert on_a_small_disk["first"]["status"] == 0
    statuses = [each["status"] for each in on_a_small_disk["full"]]
    assert set(statuses) == {0, 2}
    assert statuses == sorted(statuses, reverse=True)
    for each in on_a_small_disk["full"]:
        if each["status"] == 2:
            assert "Traceback" not in each["says"]
            assert "run the same command again" in each["says"]


def test_earlier_results_are_intact_then(on_a_small_disk):
    for each in on_a_small_disk["full"]:
        assert (each["lost"], each["halves"], each["scratch"]) == ([], [], [])
        if each["status"] == 2:
            assert each["sheet kept"] or "report.html" in each["says"]


def test_with_room_the_same_command_goes_on(on_a_small_disk):
    for each in on_a_small_disk["full"]:
        assert each["again"]["status"] == 0, each["again"]["says"]
        assert each["students"] == 7


def test_a_read_only_disk_is_explained(on_a_small_disk):
    told = on_a_small_disk["read-only"]
    assert told["status"] == 2
    assert "read-only" in told["says"].lower()
    assert "--out" in told["says"]
    assert (told["lost"], told["changed"]) == ([], [])


@pytest.mark.parametrize("seed", range(4))
def test_damage_inside_the_gradebook_is_explained_and_the_results_stay(
    quick, submissions, tmp_path, seed
):
    out = tmp_path / "out"
    for number in range(8):
        hand_in(submissions, f"student {number}", wrong())
    grade(submissions, out)
    sheet = (out / "grades.csv").read_bytes()
    raw = bytearray((out / "gradebook.db").read_bytes())
    start = 4096 * random.Random(seed).randrange(1, len(raw) // 4096)
    raw[start:] = random.Random(seed).randbytes(len(raw) - start)
    (out / "gradebook.db").write_bytes(raw)
    result = grade(submissions, out)
    assert result.exit_code == 2
    assert "damaged or not a gradebook" in result.output
    assert "Move it away" in result.output
    assert (out / "grades.csv").read_bytes() == sheet
    (out / "gradebook.db").rename(tmp_path / "damaged.db")
    assert grade(submissions, out).exit_code == 0
    assert (out / "grades.csv").read_bytes() == sheet


def test_a_second_run_says_that_the_first_is_writing(quick, submissions, tmp_path, monkeypatch):
    grade(submissions, tmp_path / "out")
    before = (tmp_path / "out" / "grades.csv").read_bytes()
    hand_in(submissions, "zoe", wrong())
    monkeypatch.setattr("graders.gradebook.file.WAIT", 0.05)
    with Gradebook(tmp_path / "out" / "gradebook.db"):
        result = grade(submissions, tmp_path / "out")
    assert result.exit_code == 2
    assert "Another run is writing" in result.output
    assert (tmp_path / "out" / "grades.csv").read_bytes() == before
    assert grade(submissions, tmp_path / "out").exit_code == 0


def test_a_second_run_waits_for_the_first_to_end(quick, submissions, tmp_path, monkeypatch):
    monkeypatch.setattr("graders.gradebook.file.WAIT", 60)
    (tmp_path / "out").mkdir()
    held = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path / "out" / "gradebook.db")],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert held.stdout
    assert held.stdin
    held.stdout.readline()
    threading.Timer(0.3, held.stdin.close).start()
    result = grade(submissions, tmp_path / "out")
    held.wait()
    held.stdout.close()
    assert result.exit_code == 0
    assert {row["student"] for row in rows(tmp_path / "out")} == {"ada", "山田 太郎", "'=1+1"}


HOLDS = """
import sys
from pathlib import Path
from graders.gradebook import Gradebook
with Gradebook(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
