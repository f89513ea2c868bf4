"""The worker process: runs a notebook's cells and shows each exercise's symbol to the observers.

It reads one request and writes events to a channel, as one JSON object on each line; stdout and
stderr belong to the student. It holds no answers: a student's code can do whatever it likes to this
process, and only changes what is observed of that student's own work.
"""

from __future__ import annotations
import __future__

import ast
import asyncio
import contextlib
import gc
import inspect
import io
import json
import linecache
import marshal
import mmap
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from sys import setprofile, settrace
from types import CodeType, ModuleType
from typing import Any, NoReturn

import autograd_core
from graders.observe import failure, guard, own_modules, rehearsal, remainder, stubs
from graders.observe.fingerprint import fingerprint
from graders.observe.first_aid import first_aid
from graders.observe.kept import Kept, remember
from graders.observe.lab import observe
from graders.observe.scenarios import resolve

LINE_BYTES = 1024 * 1024
HELD_BYTES = 32 * 1024
RESERVE_BYTES = 8 * 1024 * 1024
ANSWERS = 100
"""How many calls of `input` are answered, each with an empty line."""

IN_NOTEBOOKS = ("display", "exit", "get_ipython", "help", "quit")
"""Names that are predefined in notebooks; here they do nothing."""

LIMITS = frozenset({"MemoryError", "OSError", "PermissionError", "_ArrayMemoryError"})
"""Errors that may come from a limit: the rest of the cell is not run after them."""

FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def read_request(descriptor: int) -> dict[str, Any]:
    """The request on `descriptor`, which comes from the trusted side: see `graders.request`.

    Unpickling it is safe because no student's code has run in this process yet.
    """
    with open(descriptor, "rb", buffering=0, closefd=False) as stream:
        request: dict[str, Any] = pickle.loads(stream.readall())
    for exercise in request["exercises"]:
        exercise["checks"] = [pickle.loads(check) for check in exercise["checks"]]
    return request


def run(request: dict[str, Any], channel: int, output_bytes: int, kept: Kept) -> NoReturn:
    """Serve `request` in a process in which `prepare` was called, and end the process.

    `kept` is what `prepare` returned. Like the key it is held by frames alone; it was made before
    `guard.install` because audit hooks cannot be added afterwards.
    """
    autograd_core.manual_seed(0)
    # Removed from the request, which is in frames above the student's: `traceback` can print it.
    out = Channel(channel, request.pop("key", None))
    leave = os._exit  # ends without exit handlers, which may be the student's
    guard.install(kept.askers)
    try:
        Session(out, output_bytes, kept).run(request)
    except BaseException as raised:
        out.send("broken", error=failure.describe(raised))
    leave(0)


def prepare() -> Kept:
    """Do once, before workers are forked, what is the same for all of them."""
    own_modules.install()
    stubs.install()
    # Nobody sees a graph here, and drawing one takes longer than most of a lesson's cells.
    vars(autograd_core)["make_dot"] = stubs.Silent()
    for name in dir(autograd_core):
        # Names that the engine loads lazily would otherwise change its module on first use.
        getattr(autograd_core, name)
    return remember()


def rehearse(kept: Kept) -> None:
    """Run in the nursery what workers will run: see `graders.observe.rehearsal`."""

    def serve(request: Mapping[str, Any], channel: int) -> None:
        Session(Channel(channel), HELD_BYTES, kept).run(request)

    rehearsal.rehearse(serve)


class Channel:
    """Writes events as whole lines, none of them longer than the trusted side accepts."""

    __slots__ = ("_descriptor", "_encode", "_held", "_key", "_write")

    def __init__(self, descriptor: int, key: str | None = None) -> None:
        """`key` goes with each event: it marks those that students' code did not write itself."""
        self._descriptor = descriptor
        self._key = key
        self._held = b""
        # Bound here, because students' code may replace them in their modules.
        self._write, self._encode = os.write, json.JSONEncoder(check_circular=False).encode

    def afresh(self) -> Channel:
        """A new object for the same channel, made of restored parts."""
        return Channel(self._descriptor, self._key)

    def hold(self, event: str, **fields: Any) -> bool:
        """Send an event together with the next; if it is too long, drop it and return False."""
        line = self._encode({"event": event, "key": self._key, **fields}).encode() + b"\n"
        if len(line) > LINE_BYTES:
            return False
        self._held += line
        if len(self._held) > HELD_BYTES:
            self.flush()
        return True

    def send(self, event: str, **fields: Any) -> None:
        """Send an event now, unless it is too long."""
        self.hold(event, **fields)
        self.flush()

    def flush(self) -> None:
        """Send the events that are held."""
        left, self._held = self._held, b""
        while left:
            left = left[self._write(self._descriptor, left) :]


class Output(io.TextIOWrapper):
    """Replaces stdout and stderr, and keeps the beginning of what is written."""

    def __init__(self, limit: int) -> None:
        self.kept = _Bounded(limit)
        super().__init__(self.kept, encoding="utf-8", errors="backslashreplace", write_through=True)

    def text(self) -> str:
        """What was kept."""
        return self.kept.getvalue().decode("utf-8", "replace")


class _Bounded(io.BytesIO):
    def __init__(self, limit: int) -> None:
        super().__init__()
        self._left = limit

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self._left]
        self._left -= super().write(taken)
        return len(data)

    def close(self) -> None:
        """Stay open, so that a student's `sys.stdout.close()` does not lose what was kept."""


class Session:
    """Runs one notebook in one namespace."""

    # With slots, code that gets hold of the session cannot replace its methods.
    __slots__ = (
        "_channel",
        "_futures",
        "_kept",
        "_namespace",
        "_output_bytes",
        "_reserve",
    )

    def __init__(self, channel: Channel, output_bytes: int, kept: Kept) -> None:
        self._channel = channel
        self._kept = kept
        self._output_bytes = output_bytes
        self._futures = 0
        # Address space that is never used. It is released when memory has run out, so that there is
        # enough to report that.
        self._reserve = mmap.mmap(-1, RESERVE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        module = ModuleType("__main__")
        # Python looks up the module of classes that a cell defines in `sys.modules`.
        sys.modules["__main__"] = module
        self._namespace = module.__dict__
        silent = stubs.Silent()
        # Names that a notebook has, but not an interpreter without `site`.
        self._namespace.update(dict.fromkeys(IN_NOTEBOOKS, silent))

    def run(self, request: Mapping[str, Any]) -> None:
        """Run the cells in order, and each exercise's checks after its cell or else at the end."""
        self._channel.send("ready")
        # Local variables: students' code cannot reach what only a frame holds.
        channel, kept = self._channel, self._kept
        restore_restorers = first_aid(kept.still)

        def put_in_order() -> None:
            restore_restorers()
            kept.parts.restore()
            kept.surroundings.restore()
            kept.operators.restore()
            self._channel, self._kept = channel.afresh(), kept

        waiting = list(request["exercises"])
        for cell in request["cells"]:
            if cell["index"] not in request["skip"]:
                merged = cell["index"] in request.get("merged", ())
                self._run_cell(cell["index"], cell["source"], cell.get("code"), merged)
            for exercise in [each for each in waiting if each["cell"] == cell["index"]]:
                put_in_order()
                self._examine(exercise, restore_restorers)
                waiting.remove(exercise)
        for exercise in waiting:
            put_in_order()
            self._examine(exercise, restore_restorers)
        self._channel.send("done")

    def _run_cell(self, index: int, source: str, compiled: bytes | None, merged: bool) -> None:
        self._channel.send("cell", index=index)
        output = self._take_streams()
        error, name = None, f"<cell {index}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            self._execute(name, source, compiled)
        except BaseException as raised:
            self._reserve.close()
            error = failure.describe(raised)
            # The student may have a module that is not installed here, and that no answer needs.
            goes_on = merged or isinstance(raised, ModuleNotFoundError)
            if goes_on and isinstance(raised, Exception) and error["type"] not in LIMITS:
                self._run_remainder(name, source, raised)
        finally:
            _listen_no_more()
        if error is not None:
            self._channel.send("cell_error", index=index, error=error)
        if printed := output.text():
            self._channel.send("cell_output", index=index, stdout=printed)

    def _execute(self, name: str, source: str, compiled: bytes | None = None) -> None:
        if compiled is not None and not self._futures:
            code = marshal.loads(compiled)
        else:
            code = self._compile(name, source)
        self._futures |= code.co_flags & FUTURES
        result = eval(code, self._namespace)
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(result)

    def _compile(self, name: str, source: str) -> CodeType:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self._futures
        with warnings.catch_warnings():
            # Warnings such as that of an invalid escape are of no interest here.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return compile(source, name, "exec", flags, dont_inherit=True)

    def _run_remainder(self, name: str, source: str, error: Exception) -> None:
        """Run the other definitions of the cell that `error` has ended; ignore further errors."""
        line = failure.line_in(error, name)
        try:
            if line is None:
                pieces = remainder.despite_syntax_error(source)
            else:
                pieces = remainder.after_error(source, line)
        except (SyntaxError, ValueError, RecursionError):
            return
        for piece in pieces:
            with contextlib.suppress(Exception):
                self._execute(name, piece)

    def _examine(self, exercise: Mapping[str, Any], restore_restorers: Callable[[], None]) -> None:
        found = exercise["symbol"] in self._namespace
        symbol = self._namespace.get(exercise["symbol"])
        name, channel = exercise["id"], self._channel
        output = self._take_streams()
        channel.send("examining", exercise=name)
        mark = fingerprint(symbol, autograd_core.Tensor) if found else ""
        channel.hold("symbol", exercise=name, found=found, fingerprint=mark)
        for check in exercise["checks"] if found else ():
            _give_streams(output)
            told = {"exercise": name, "check": check["name"]}
            # `seen` has to be the last entry: the trusted side cuts it off undecoded.
            if not channel.hold(
                "observation", **told, seen=self._observe(check, symbol, restore_restorers)
            ):
                too_large = "What the code left behind is too large to be checked."
                channel.hold("observation", **told, seen=_nothing("OverflowError", too_large))
        channel.flush()

    def _observe(
        self, check: Mapping[str, Any], symbol: object, restore_restorers: Callable[[], None]
    ) -> dict[str, Any]:
        kept = self._kept
        before = kept.still()
        try:
            seen = observe(resolve(check["scenario"]), symbol, check["inputs"])
        except MemoryError:
            self._reserve.close()
            return _nothing("MemoryError", "")
        finally:
            _listen_no_more()
        touched = kept.still() != before
        restore_restorers()
        changed = kept.parts.restore()
        # This includes NumPy and the engine, which a check may use to compare arrays.
        if kept.surroundings.restore() or changed or touched:
            return _nothing(
                "PermissionError",
                "The code changed a part of the grader, the engine or Python itself.",
            )
        return seen

    def _take_streams(self) -> Output:
        output = Output(self._output_bytes)
        _give_streams(output)
        return output


def _give_streams(output: Output) -> None:
    sys.stdin = io.StringIO("\n" * ANSWERS)
    sys.stdout = sys.stderr = output


def _listen_no_more() -> None:
    """Remove all callbacks of a student's code, so that none runs during other code."""
    gc.callbacks.clear()
    settrace(None)
    setprofile(None)
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


def _nothing(kind: str, message: str) -> dict[str, Any]:
    """An observation that holds nothing but an error."""
    error = {"type": kind, "message": message, "line": None, "source_line": ""}
    return {"records": {}, "notes": {}, "error": error, "stdout": ""}
