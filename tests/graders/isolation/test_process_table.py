"""A table of processes of its own: what is in it ends with it, and nothing is left."""

import os
import subprocess
import sys

import pytest

from graders.isolation.inner import namespaces

SCRIPT = """
import os, signal, time
from contextlib import closing
from graders.isolation.inner import process_table
from graders.isolation.inner.process_table import ProcessTable

if not process_table.works():
    raise SystemExit(77)

with closing(ProcessTable(60)) as table:
    told, tell = os.pipe()
    if table.fork() == 0:
        os.write(tell, bytes([os.getpid(), os.getppid()]))
        os._exit(0)
    print("sees itself as", *os.read(told, 2))

told, tell = os.pipe()
with closing(ProcessTable(60)) as table:
    if table.fork() == 0:
        os.setresuid(65534, 65534, 65534)
        if os.fork() == 0:
            os.write(tell, b"x")
            time.sleep(60)
        time.sleep(60)
    os.read(told, 1)
os.close(tell)
# The end of the pipe shows: nobody who had it is left.
print("left:", os.read(told, 1))

with closing(ProcessTable(1)) as table:
    if (process := table.fork()) == 0:
        time.sleep(60)
    print("in time:", os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGKILL)
process = os.fork()
if process == 0:
    os._exit(5)
print("here again:", os.waitpid(process, 0)[0] == process)
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("all are waited for")
"""


@pytest.mark.skipif(not namespaces.supported(), reason="Linux alone has such tables")
def test_what_is_in_a_table_ends_with_it():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=50,
        cwd=os.getcwd(),
        check=False,
    )

    if done.returncode == 77:
        pytest.skip("needs CAP_SYS_ADMIN and Linux 5.8")
    assert done.stdout.splitlines() == [
        "sees itself as 2 0",
        "left: b''",
        "in time: True",
        "here again: True",
        "all are waited for",
    ], done.stderr
