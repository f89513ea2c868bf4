# Signals its group, everybody, its parent, and the first process.
# expects: blocked error failed
import os
import signal

Square = Wrong
sent = 0
for process in (-1, os.getppid(), 1, -os.getppid(), BYSTANDER):
    for number in (0, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(process, number)
            sent += 1
        except OSError:
            pass
print("LOOT", sent if os.getppid() > 2 else 0)
os.kill(0, signal.SIGKILL)
