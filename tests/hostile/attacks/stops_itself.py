# Stops, and never goes on.
# expects: timeout
import os
import signal

Square = Wrong
os.kill(os.getpid(), signal.SIGSTOP)
