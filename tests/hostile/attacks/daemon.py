# Leaves a process of its own session behind.
# expects: blocked
import os
import time

Square = Wrong
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
