"""Observing one submission: workers are started, watched, stopped, and started again.

When a worker reaches a limit or dies, only the exercise that was under way is lost. A fresh worker
runs the rest of the notebook again, without the cell that was to blame.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graders.answer import NO_MORE, Answer, ended, limit_told_by, refused, told_by_signal
from graders.exercise import Exercise
from graders.isolation import Isolation, Limits
from graders.isolation.events import WorkerFlood, WorkerTimeout
from graders.isolation.nursery import WorkerFailed
from graders.isolation.process import WorkerEnded, WorkerProcess
from graders.observation import Observation, Observations
from graders.observe.codec import CodecError
from graders.reading.cells import Cell, Place, name_instead, place_of
from graders.reading.missed import about_missed
from graders.remembered import observation_in
from graders.request import cells_of, checks_of, packed, published
from graders.run.seeds import draws
from graders.slicing import passed_over
from graders.verdict import StudentError

START_TRIES = 3

WORKER_SECONDS = 0.1
"""The least time that a worker counts for, so that a submission cannot use up countless workers."""


class Sitting:
    """All answers of one submission, observed by one worker after another."""

    def __init__(
        self,
        cells: Sequence[Cell],
        exercises: Iterable[Exercise],
        isolation: Isolation,
        limits: Limits,
        seed: int,
        places: Mapping[str, Place] | None = None,
    ) -> None:
        """Nothing runs before `observe`. `places`, if known, says where answers are, by id."""
        self._cells = cells
        self._isolation = isolation
        self._limits = limits
        self._seed = seed
        self._key = ""
        self._indices = {cell.index for cell in cells}
        self._skip: set[int] = set()
        self.answers = {}
        for each in exercises:
            known = (places or {}).get(each.id)
            place = known or place_of(cells, each.id, each.symbol, each.starter)
            instead = name_instead(cells, each.id, each.symbol, each.starter)
            self.answers[each.id] = Answer(each, place.at, place.parts, instead)
        answered = Counter(place.cell for place in self.answers.values())
        self._merged = [
            index for index, count in answered.items() if index is not None and count > 1
        ]

    def observe(self) -> dict[str, Observations]:
        """The observations by exercise id. Raises WorkerFailed when no worker can be started."""
        left = self._limits.submission_seconds
        while self._pending() and left > 0:
            left -= self._run_worker(left)
        self.stop_all("timeout", None)
        return {name: answer.observations() for name, answer in self.answers.items()}

    def _pending(self) -> list[Answer]:
        return [answer for answer in self.answers.values() if not answer.settled]

    def _run_worker(self, left: float) -> float:
        """Run one worker to its end; afterwards an answer is settled or a cell is skipped.

        The worker may take `left` seconds. Returns the seconds it took, counted from when it was
        ready, because how long it takes to start is not the student's fault.
        """
        with self._ready_worker() as worker:
            watch = _Watch(self, self._limits)
            started = time.monotonic()
            deadline = started + left
            try:
                while not watch.done:
                    event = worker.event(min(deadline, watch.deadline))
                    if event.get("key") == self._key:
                        watch.take(event)
            except WorkerTimeout:
                watch.blame("timeout", None)
            except WorkerFlood:
                watch.blame("error", ended("The code sent more than can be checked."))
            except WorkerEnded as end:
                watch.blame(*told_by_signal(end.signal))
            except _Exhausted as limit:
                watch.blame("memory_limit", limit.error)
            except _Broken as end:
                watch.blame("error", end.error or ended(NO_MORE))
        return max(time.monotonic() - started, WORKER_SECONDS)

    def _ready_worker(self) -> WorkerProcess:
        for attempt in range(START_TRIES):
            try:
                return self._start_worker()
            except WorkerFailed:
                if attempt + 1 == START_TRIES:
                    raise
        raise AssertionError("there is at least one try")

    def _start_worker(self) -> WorkerProcess:
        worker = WorkerProcess(self._isolation, self._limits, self._request())
        try:
            worker.wait_until_ready()
        except BaseException:
            worker.close()
            raise
        return worker

    def _request(self) -> bytes:
        """The request to the next worker: what is still to be run and checked."""
        pending = self._pending()
        places = [answer.cell for answer in pending]
        last = None if None in places else max(place for place in places if place is not None)
        self._key = secrets.token_hex(16)
        cells = [cell for cell in self._cells if last is None or cell.index <= last]
        lesson = published(answer.exercise.lesson for answer in pending)
        answering = {i for answer in pending for i in (*answer.parts, answer.cell) if i is not None}
        symbols = [answer.exercise.symbol for answer in self.answers.values()]
        return packed(
            {
                "key": self._key,
                "cells": cells_of(cells, lesson),
                "skip": sorted(self._skip | passed_over(cells, lesson, answering, symbols)),
                "merged": self._merged,
                "exercises": [_asked(answer, self._seed) for answer in pending],
            }
        )

    def answers_of_cell(self, index: int) -> list[Answer]:
        """The unsettled answers that cell `index` is a part of."""
        return [answer for answer in self._pending() if index in answer.parts]

    def about_missed(self, index: int, error: StudentError) -> str:
        """A sentence about the undefined name that stopped the code of cell `index`, if any did."""
        return about_missed(self._cells, index, error.message)

    def leave_out(self, index: int) -> None:
        """Do not run cell `index` again."""
        self._skip.add(index)

    def may_run(self, index: int) -> bool:
        """Whether `index`, sent by a worker, is that of a cell that the worker was asked to run."""
        return index in self._indices and index not in self._skip

    def stop_all(self, status: str, error: StudentError | None) -> None:
        """Stop all answers that are not settled, for the same reason."""
        for answer in self._pending():
            answer.stop(status, error)

    def all_examined(self) -> bool:
        """Whether every exercise that is not settled has been examined."""
        return all(answer.examined for answer in self._pending())

    def settle_all(self) -> None:
        """Settle all answers, because a worker has finished properly: nothing more will come."""
        for answer in self._pending():
            answer.settled = True


def _asked(answer: Answer, seed: int) -> dict[str, Any]:
    exercise = answer.exercise
    checks = checks_of(exercise, draws(seed, exercise))
    return {"id": exercise.id, "symbol": exercise.symbol, "cell": answer.cell, "checks": checks}


class _Stop(Exception):  # noqa: N818
    def __init__(self, error: StudentError | None) -> None:
        super().__init__()
        self.error = error


class _Exhausted(_Stop):
    """The worker has run out of memory."""


class _Broken(_Stop):
    """The student's code has left the worker unable to go on."""


class _Watch:
    """What one worker has reported so far: which cell or exercise it is at, and its deadline.

    Every event may be forged by the student's code. Cells are accepted in ascending order only, and
    each exercise once, so that no worker can postpone its deadline for ever.
    """

    def __init__(self, sitting: Sitting, limits: Limits) -> None:
        self._sitting = sitting
        self._limits = limits
        self._cell = -1
        self._answer: Answer | None = None
        self._fresh_cell = False
        self.done = False
        self._restart_clock()

    def take(self, event: Mapping[str, Any]) -> None:
        """Note `event` if it may come now. Raises _Exhausted or _Broken if the worker is lost."""
        match event.get("event"):
            case "cell":
                self._take_cell(event.get("index"))
            case "cell_error":
                self._take_cell_error(event)
            case "cell_output":
                self._take_cell_output(event)
            case "examining":
                self._take_examining(event.get("exercise"))
            case "symbol":
                self._take_symbol(event)
            case "observation":
                self._take_observation(event)
            case "broken":
                raise _Broken(StudentError.from_json(event.get("error")))
            case "done":
                self._take_done()

    def blame(self, status: str, error: StudentError | None) -> None:
        """Settle the exercise, or the exercises of the cell, at which the worker was stopped."""
        if self._answer is not None and not self._answer.settled:
            self._answer.stop(status, error)
        elif self._cell >= 0:
            for answer in self._sitting.answers_of_cell(self._cell):
                answer.stop(status, error)
            self._sitting.leave_out(self._cell)
        else:
            self._sitting.stop_all(status, error)

    def _restart_clock(self) -> None:
        self.deadline = time.monotonic() + self._limits.seconds

    def _take_cell(self, index: object) -> None:
        if type(index) is not int or index <= self._cell or not self._sitting.may_run(index):
            return
        self._cell, self._answer, self._fresh_cell = index, None, True
        self._restart_clock()

    def _take_cell_error(self, event: Mapping[str, Any]) -> None:
        if event.get("index") != self._cell or self._answer is not None:
            return
        error = StudentError.from_json(event.get("error"))
        if error is None:
            return
        if limit_told_by(error) == "memory_limit":
            raise _Exhausted(error)
        # A refused call ends the cell like any other error: what it has defined is still checked.
        for answer in self._sitting.answers_of_cell(self._cell):
            answer.error = error
            answer.missed = answer.missed or self._sitting.about_missed(self._cell, error)

    def _take_cell_output(self, event: Mapping[str, Any]) -> None:
        text = event.get("stdout")
        if event.get("index") == self._cell and isinstance(text, str):
            for answer in self._sitting.answers_of_cell(self._cell):
                answer.output = text[: self._limits.output_bytes] or answer.output

    def _take_examining(self, name: object) -> None:
        answer = self._sitting.answers.get(name) if isinstance(name, str) else None
        if answer is None or answer.examined:
            return
        self._answer, answer.examined = answer, True
        # The time limit is for an exercise's cell and its checks together.
        if not (self._fresh_cell and answer.cell == self._cell):
            self._restart_clock()
        self._fresh_cell = False

    def _take_symbol(self, event: Mapping[str, Any]) -> None:
        answer, mark = self._told_of(event), event.get("fingerprint")
        if answer is None or not isinstance(mark, str):
            return
        answer.found = event.get("found") is True
        answer.fingerprint = mark[:64]
        answer.settled = not answer.found

    def _take_observation(self, event: Mapping[str, Any]) -> None:
        answer, name = self._told_of(event), event.get("check")
        names = [check.name for check in answer.exercise.checks] if answer is not None else []
        if answer is None or name not in names or name in answer.checks:
            return
        try:
            seen = observation_in(event.get("seen"))
        except CodecError:
            seen = Observation(error=ended("What the code left behind cannot be checked."))
        answer.checks[name] = seen
        if seen.error is not None and answer.cell is not None:
            answer.missed = answer.missed or self._sitting.about_missed(answer.cell, seen.error)
        if limit_told_by(seen.error) == "memory_limit":
            raise _Exhausted(seen.error)
        if refused(seen.error):
            answer.stop("blocked", seen.error)
        answer.settled = answer.settled or len(answer.checks) == len(names)

    def _take_done(self) -> None:
        # A worker that has really finished has examined every exercise.
        if not self._sitting.all_examined():
            raise _Broken(None)
        self.done = True
        self._sitting.settle_all()

    def _told_of(self, event: Mapping[str, Any]) -> Answer | None:
        """The answer that is being examined, if `event` is about it and it is not settled."""
        answer = self._answer
        if answer is None or answer.settled or event.get("exercise") != answer.exercise.id:
            return None
        return answer
