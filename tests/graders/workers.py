"""Workers for tests: started, given cells, and asked what they told."""

import pickle
import time

from graders.isolation import IsolationUnavailable, Limits, choose
from graders.isolation.process import WorkerEnded, WorkerProcess


def works(name: str) -> bool:
    try:
        choose(name)
    except IsolationUnavailable:
        return False
    return True


ISOLATING = [name for name in ("bubblewrap", "landlock") if works(name)]


def events_of(isolation, cells, exercises=(), limits=None, skip=()):
    """All events until the worker has ended."""
    request = {
        "cells": [
            {"index": index, "source": cell} if isinstance(cell, str) else cell
            for index, cell in enumerate(cells)
        ],
        "skip": list(skip),
        "exercises": [{**each, "checks": list(map(_packed, each["checks"]))} for each in exercises],
    }
    told = []
    with WorkerProcess(choose(isolation), limits or Limits(), request) as worker:
        worker.wait_until_ready()
        try:
            while True:
                told.append(worker.event(time.monotonic() + 30))
        except WorkerEnded:
            return told


def _packed(check):
    return check if isinstance(check, bytes) else pickle.dumps(check)


def outcomes(isolation, cells, limits=None):
    """For each cell "ok" or the error's type and text, and what it printed."""
    found = [["ok", ""] for _ in cells]
    for event in events_of(isolation, cells, limits=limits):
        if event["event"] == "cell_error":
            error = event["error"]
            found[event["index"]][0] = f"{error['type']}: {error['message']}"
        elif event["event"] == "cell_output":
            found[event["index"]][1] = event["stdout"]
    return found
