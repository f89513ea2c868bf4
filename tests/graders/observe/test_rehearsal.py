"""The rehearsal is work as students' work is, and leaves nothing behind."""

import json
import linecache
import os
import subprocess
import sys

import autograd_core as torch
from graders.observe import rehearsal, scenarios

OBSERVED = """
import json, os, sys
from graders.observe import rehearsal, worker
kept = worker.prepare()
worker.rehearse(kept)
ours, theirs = os.pipe()
before = kept.still()
rehearsal.rehearse(lambda request, nobody: None)
worker.Session(worker.Channel(theirs), 10_000, kept).run(rehearsal.request())
sys.stdout = sys.__stdout__
os.close(theirs)
untouched = not kept.surroundings.restore()
print(json.dumps([untouched, kept.still() == before, open(ours).read().splitlines()]))
"""


def test_everything_in_the_library_is_rehearsed_and_goes_as_it_should():
    asked = rehearsal.request()["exercises"]
    checks = {(each["symbol"], check["name"]) for each in asked for check in each["checks"]}
    ended = subprocess.run(
        [sys.executable, "-c", OBSERVED], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    untouched, still, lines = json.loads(ended.stdout)
    events = [json.loads(line) for line in lines]
    seen = [each for each in events if each["event"] == "observation"]

    assert untouched
    assert still
    assert {name for _, name in checks} == set(scenarios.LIBRARY)
    assert {(each["exercise"], each["check"]) for each in seen} == checks
    assert not any(each["event"] == "cell_error" for each in events)
    assert {each["exercise"] for each in seen if each["seen"]["error"]} == {"spoiled"}
    assert not any("warnings" in name for each in seen for name in each["seen"]["notes"])


def test_a_rehearsal_leaves_streams_modules_modes_and_files_as_they_were():
    def state():
        streams = sys.stdin, sys.stdout, sys.stderr
        return streams, sys.modules["__main__"], torch.is_grad_enabled(), torch.get_default_dtype()

    def run(request, nobody):
        channels.append(nobody)
        assert os.write(nobody, b"heard by nobody")
        sys.stdout, sys.modules["__main__"] = None, None
        linecache.cache["<cell 0>"] = (1, None, ["x\n"], "<cell 0>")

    channels = []
    before, files = state(), len(os.listdir("/dev/fd"))
    rehearsal.rehearse(run)

    assert len(channels) == rehearsal.ROUNDS
    assert state() == before
    assert len(os.listdir("/dev/fd")) == files
    assert "<cell 0>" not in linecache.cache
