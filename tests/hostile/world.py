"""What is to stay unharmed while attacks are graded: files, neighbours, a process, listeners."""

from __future__ import annotations

import functools
import json
import os
import pwd
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import graders
from graders.exercise import PRELUDE, exercises_of, load, source_of
from graders.observe.lab import observe
from tests.hostile.files import FILES

LESSON = "07_custom_functions"
ATTACKED, LATER = load("fn-square"), load("fn-exp")
GRADERS = Path(graders.__path__[0])
ATTACKS = Path(__file__).parent / "attacks"
ANOTHER_SEED = 99_999

WRONG = """
class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return None
"""

HONEST = ("aaron", "zara")
EVIL_NAMES = (
    "=HYPERLINK(1)",
    "+1+cmd",
    "<script>alert(1)<",
    '"><img src=x onerror=alert(1)>',
    "\x1b[2J\x1b]0;mine\x07",
    "new\nline,passed,100",
    "-rf",
    "con",
    "{{ 7 * 191 }}",
    "\u202egnp.exe",
    "Zara",
    "zara ",
    "name;=1+1",
    "\u00a0=1+1",
    "\ufeff@SUM(1)",
    "z\u00e4ra",
    "za\u0308ra",
    "\ufb01n",
    "fin",
    "C:\\..\\..\\x",
    "$(id)`id`%s%n!!",
    "'; DROP TABLE grading; --",
    "W" * 255,
    "zara\u200b",
    "\\x1b[2J\\x1b]0;mine\\x07",
    "caf\udce9",
    "__proto__",
    "\t=1+1",
)


@dataclass(frozen=True)
class Attack:
    """One file of `attacks/`: its code, and what its exercises may come to."""

    name: str
    source: str
    expects: frozenset[str]
    spoils_the_rest: bool


def read_attack(path: Path) -> Attack:
    source = path.read_text(encoding="utf-8")
    marks = dict(
        line.removeprefix("# ").split(": ", 1)
        for line in source.splitlines()[1:3]
        if line.startswith(("# expects: ", "# later: "))
    )
    return Attack(
        path.stem, source, frozenset(marks["expects"].split()), marks.get("later") == "any"
    )


ALL_ATTACKS = {path.stem: read_attack(path) for path in sorted(ATTACKS.glob("*.py"))}


class World:
    """A folder with a class in it, and everything around it that attacks are aimed at."""

    def __init__(self, folder: Path, user: str | None, stack: ExitStack) -> None:
        self.folder = folder
        self.user = user
        self.submissions, self.out = folder / "submissions", folder / "out"
        self.canary = folder / "canary"
        self.bystander = stack.enter_context(_bystander(user))
        self.limits = self._limits_of_bystander()
        self._listeners = [
            stack.enter_context(listener) for listener in _listeners(folder / "socket")
        ]
        for made in (self.submissions, self.out, self.canary):
            made.mkdir()
        (self.canary / "canary.txt").write_text("alive")
        # Whoever opens it finds a gradebook; the run itself writes another one.
        (self.canary / "gradebook.db").write_bytes(b"SQLite format 3\0" + bytes(4096))

    def facts(self) -> str:
        """The attackers' knowledge, as Python."""
        tcp, udp, unix, abstract = (each.getsockname() for each in self._listeners)
        known = {
            "CANARY": str(self.canary),
            "GRADEBOOK": str(self.canary / "gradebook.db"),
            "NEIGHBOUR": str(self.submissions / HONEST[1] / f"{LESSON}.py"),
            "SUBMISSIONS": str(self.submissions),
            "OUT": str(self.out),
            "GRADERS": str(GRADERS),
            "BYSTANDER": self.bystander.pid,
            "PORT": tcp[1],
            "UDP_PORT": udp[1],
            "SOCKET": unix,
            "ABSTRACT": abstract[1:].decode(),
            "RECORDED": recorded(),
        }
        return "".join(f"{name} = {value!r}\n" for name, value in known.items())

    def hand_in(self, student: str, *cells: str) -> None:
        folder = self.submissions / student
        folder.mkdir()
        text = "# %%\n".join(f"{cell.rstrip()}\n" for cell in cells)
        (folder / f"{LESSON}.py").write_text(text, encoding="utf-8")

    def fill(self, attacks: list[str], files: list[str]) -> None:
        """Have everybody hand in, the hostile between the honest."""
        begin = PRELUDE + WRONG + self.facts()
        later = source_of(LATER.reference, LATER.symbol)
        right = [source_of(each.reference, each.symbol) for each in exercises_of(LESSON)]
        for student in HONEST:
            self.hand_in(student, PRELUDE, *right)
        for name in attacks:
            self.hand_in(name, begin, ALL_ATTACKS[name].source, later)
        for name in EVIL_NAMES:
            self.hand_in(name, begin, "Square = Wrong")
        self._hand_in_links()
        for student in files:
            name, content = FILES[student]
            (self.submissions / student).mkdir()
            name = f"{LESSON}{name}" if name.startswith(".") else name
            (self.submissions / student / name).write_bytes(content(LESSON))
        if self.user is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, pwd.getpwnam(self.user).pw_uid, -1, follow_symlinks=False)

    def _hand_in_links(self) -> None:
        for student, target in {
            "links_to_gradebook": self.canary / "gradebook.db",
            "links_to_neighbour": self.submissions / HONEST[1] / f"{LESSON}.py",
            "links_to_endless_file": Path("/dev/zero"),
        }.items():
            (self.submissions / student).mkdir()
            (self.submissions / student / f"{LESSON}.py").symlink_to(target)
        (self.submissions / "shares_gradebook").mkdir()
        shared = self.submissions / "shares_gradebook" / f"{LESSON}.ipynb"
        shared.hardlink_to(self.canary / "gradebook.db")
        (self.submissions / "waits").mkdir()
        os.mkfifo(self.submissions / "waits" / f"{LESSON}.py")

    def state(self) -> dict[str, object]:
        """Everything that has to be the same afterwards."""
        watched = [self.canary, self.submissions, GRADERS, Path(np.__file__)]
        files = [path for top in watched for path in (top, *top.rglob("*")) if _is_watched(path)]
        return {str(path): _look_at(path) for path in files}

    def harm_done(self) -> list[str]:
        """What happened to those who cannot be seen in a file."""
        harm = [
            f"somebody called {each.getsockname()}" for each in self._listeners if _called(each)
        ]
        if self.bystander.poll() is not None:
            harm.append(f"the bystander was ended: {self.bystander.returncode}")
        elif self._limits_of_bystander() != self.limits:
            harm.append("the bystander's limits were changed")
        return harm

    def _limits_of_bystander(self) -> str:
        return Path(f"/proc/{self.bystander.pid}/limits").read_text()


@contextmanager
def world(user: str | None) -> Iterator[World]:
    # Not pytest's folder: that of root is closed to others.
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder, ExitStack() as stack:
        os.chmod(folder, 0o755)
        yield World(Path(folder), user, stack)


def recorded() -> str:
    """What a right solution was observed to do on the inputs of another seed, as it was told."""
    told = [
        {"event": "examining", "exercise": ATTACKED.id},
        {"event": "symbol", "exercise": ATTACKED.id, "found": True, "fingerprint": "0" * 16},
    ]
    for check in ATTACKED.checks:
        inputs = ATTACKED.inputs(check, ANOTHER_SEED)
        seen = observe(check.scenario, ATTACKED.reference, inputs)
        about = {"event": "observation", "exercise": ATTACKED.id, "check": check.name}
        told.append({**about, **seen})
    return "\n".join(map(json.dumps, told))


def identity(user: str | None) -> dict[str, object]:
    """What `subprocess` is told to run a program as `user`, None for the tests' own."""
    if user is None:
        return {}
    known = pwd.getpwnam(user)
    return {"user": known.pw_uid, "group": known.pw_gid, "extra_groups": []}


@contextmanager
def _bystander(user: str | None) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["sleep", "600"], cwd="/", start_new_session=True, **identity(user))
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _listeners(path: Path) -> list[socket.socket]:
    tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    for each in (tcp, udp):
        each.bind(("127.0.0.1", 0))
    unix.bind(str(path))
    os.chmod(path, 0o777)
    abstract.bind(f"\0{path}")
    for each in (tcp, unix, abstract):
        each.listen()
    for each in (tcp, udp, unix, abstract):
        each.setblocking(False)
    return [tcp, udp, unix, abstract]


def _called(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _is_watched(path: Path) -> bool:
    return "__pycache__" not in path.parts and path.suffix != ".pyc"


def _look_at(path: Path) -> tuple[object, ...]:
    seen = path.lstat()
    content = path.read_bytes() if stat.S_ISREG(seen.st_mode) and seen.st_size < 10**6 else b""
    times = () if stat.S_ISDIR(seen.st_mode) else (seen.st_mtime_ns,)
    return seen.st_mode, seen.st_uid, seen.st_nlink, content, *times


@functools.cache
def cannot_run(user: str) -> str:
    """Why `user` cannot run the grader here; nothing if they can."""
    try:
        tried = subprocess.run(
            [sys.executable, "-c", "import graders.cli"],
            cwd=GRADERS.parent,
            env={"PYTHONPATH": str(GRADERS.parent), "HOME": "/nonexistent"},
            capture_output=True,
            check=False,
            **identity(user),
        )
    except OSError as error:
        return str(error)
    return tried.stderr.decode().strip().rpartition("\n")[2] if tried.returncode else ""
