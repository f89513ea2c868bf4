# Has the kernel send a signal to the grader whenever a pipe is written to.
# expects: failed partial error blocked
import fcntl
import os
import signal

Square = Wrong
ours, theirs = os.pipe()
for process in (BYSTANDER, os.getppid(), 1):
    for owner in (process, -process):
        try:
            fcntl.fcntl(ours, fcntl.F_SETOWN, owner)
            fcntl.fcntl(ours, 10, signal.SIGKILL)
            fcntl.fcntl(ours, fcntl.F_SETFL, os.O_ASYNC)
            os.write(theirs, b"x")
        except OSError:
            pass
