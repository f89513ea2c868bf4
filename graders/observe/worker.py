"""The isolated process: runs a notebook's cells and shows each exercise's symbol to the observers.

It reads one request and writes events, a JSON object a line, to a channel of its own; stdout and
stderr belong to the student. It holds no answers, so whatever a student's code does to it can only
change what is observed of that student's work.
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
from graders.observe import failure, guard, own_modules, pristine, rehearsal, remainder, stubs
from graders.observe.fingerprint import fingerprint
from graders.observe.kept import Kept, remember
from graders.observe.lab import observe
from graders.observe.scenarios import resolve

LINE_BYTES = 1024 * 1024
HELD_BYTES = 32 * 1024
RESERVE_BYTES = 8 * 1024 * 1024
ANSWERS = 100
"""How often whoever asks by `input` is answered, with nothing but the Enter key."""

IN_NOTEBOOKS = ("display", "exit", "get_ipython", "help", "quit")
"""Names that notebooks know without asking for them; here they do nothing."""

LIMITS = frozenset({"MemoryError", "OSError", "PermissionError", "_ArrayMemoryError"})
"""Errors that may be the sign of a limit: nothing is run after them."""

FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def read_request(descriptor: int) -> dict[str, Any]:
    """The request that waits on `descriptor`, from the trusted side: see `graders.request`.

    No student's code has run yet that could have a hand in how it is read.
    """
    with open(descriptor, "rb", buffering=0, closefd=False) as stream:
        request: dict[str, Any] = pickle.loads(stream.readall())
    for exercise in request["exercises"]:
        exercise["checks"] = [pickle.loads(check) for check in exercise["checks"]]
    return request


def run(request: dict[str, Any], channel: int, output_bytes: int, kept: Kept) -> NoReturn:
    """Serve `request` and end the process, which is one that has been `prepared`.

    `kept` is what `prepare` returned: known to frames alone, as the key is, and made while hooks
    could still be added.
    """
    autograd_core.manual_seed(0)
    # Taken out of the request: what is in a frame above a student's own can be told in words.
    out = Channel(channel, request.pop("key", None))
    leave = os._exit  # without exit handlers: those are the student's
    guard.install(kept.askers)
    try:
        Session(out, output_bytes, kept).run(request)
    except BaseException as raised:
        out.send("broken", error=failure.describe(raised))
    leave(0)


def prepare() -> Kept:
    """Do what is the same for every worker: once is enough for all forks."""
    own_modules.install()
    stubs.install()
    # Nobody sees a drawing here, and to lay one out takes longer than most of a lesson's cells.
    vars(autograd_core)["make_dot"] = stubs.Silent()
    for name in dir(autograd_core):
        # Found at the first use, it would come into the engine's module beside what was seen.
        getattr(autograd_core, name)
    return remember()


def rehearse(kept: Kept) -> None:
    """Go through what workers will do, so that they find it done; `kept` as for `run`."""

    def serve(request: Mapping[str, Any], channel: int) -> None:
        Session(Channel(channel), HELD_BYTES, kept).run(request)

    rehearsal.rehearse(serve)


class Channel:
    """Where events go: whole lines, none longer than the trusted side reads."""

    __slots__ = ("_descriptor", "_encode", "_held", "_key", "_write")

    def __init__(self, descriptor: int, key: str | None = None) -> None:
        """`key` goes with each event: what was recorded another time, or is shouted, has none."""
        self._descriptor = descriptor
        self._key = key
        self._held = b""
        # Kept here, for students' code may put something else in their modules.
        self._write, self._encode = os.write, json.JSONEncoder(check_circular=False).encode

    def afresh(self) -> Channel:
        """The same channel, made of what is there now."""
        return Channel(self._descriptor, self._key)

    def hold(self, event: str, **fields: Any) -> bool:
        """Send an event with the next one that is sent; False, and it is not, when too long."""
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
        """Send what is held."""
        left, self._held = self._held, b""
        while left:
            left = left[self._write(self._descriptor, left) :]


class Output(io.TextIOWrapper):
    """Takes the place of stdout and stderr, and keeps the beginning of what is written."""

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
        """Stay open: a student's `sys.stdout.close()` must not lose what was kept."""


class Session:
    """One notebook in one namespace."""

    # No dict: whoever finds the session at work can put no method of their own into it.
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
        # Room that nothing is written to, given back when memory has run out so that this can
        # still be told.
        self._reserve = mmap.mmap(-1, RESERVE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        module = ModuleType("__main__")
        # Classes defined in a cell look for their module by name.
        sys.modules["__main__"] = module
        self._namespace = module.__dict__
        silent = stubs.Silent()
        # What a notebook has beside the builtins, and an interpreter without `site` has not.
        self._namespace.update(dict.fromkeys(IN_NOTEBOOKS, silent))

    def run(self, request: Mapping[str, Any]) -> None:
        """Run the cells in order, each exercise's checks after its cell, the others' at the end."""
        self._channel.send("ready")
        # What has to be in order before a solution is looked at, where only a frame holds it.
        channel, kept = self._channel, self._kept
        first_aid = pristine.first_aid(kept.still)

        def put_in_order() -> None:
            first_aid()
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
                self._examine(exercise, first_aid)
                waiting.remove(exercise)
        for exercise in waiting:
            put_in_order()
            self._examine(exercise, first_aid)
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
            # What is not installed here may be where the student works, and beside the point.
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
            # An invalid escape in the student's text is a matter for their eyes, not ours.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return compile(source, name, "exec", flags, dont_inherit=True)

    def _run_remainder(self, name: str, source: str, error: Exception) -> None:
        """Run what the cell defines besides, as if its first `error` were the only one."""
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

    def _examine(self, exercise: Mapping[str, Any], first_aid: Callable[[], None]) -> None:
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
            # What was seen stands last in the event: the trusted side takes it off there.
            if not channel.hold(
                "observation", **told, seen=self._observe(check, symbol, first_aid)
            ):
                too_large = "What the code left behind is too large to be looked at."
                channel.hold("observation", **told, seen=_nothing("OverflowError", too_large))
        channel.flush()

    def _observe(
        self, check: Mapping[str, Any], symbol: object, first_aid: Callable[[], None]
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
        first_aid()
        changed = kept.parts.restore()
        # Also NumPy and the engine: a check may ask them whether two arrays are the same.
        if kept.surroundings.restore() or changed or touched:
            return _nothing("PermissionError", "The code changed what looks at it.")
        return seen

    def _take_streams(self) -> Output:
        output = Output(self._output_bytes)
        _give_streams(output)
        return output


def _give_streams(output: Output) -> None:
    sys.stdin = io.StringIO("\n" * ANSWERS)
    sys.stdout = sys.stderr = output


def _listen_no_more() -> None:
    """Have nothing of a student's called while others are at work."""
    gc.callbacks.clear()
    settrace(None)
    setprofile(None)
    for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        signal.setitimer(timer, 0)


def _nothing(kind: str, message: str) -> dict[str, Any]:
    """An observation of nothing but an error."""
    error = {"type": kind, "message": message, "line": None, "source_line": ""}
    return {"records": {}, "notes": {}, "error": error, "stdout": ""}
