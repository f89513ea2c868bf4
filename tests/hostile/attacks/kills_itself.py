# Ends itself by a signal.
# expects: error memory_limit
import os
import signal

Square = Wrong
os.kill(os.getpid(), signal.SIGKILL)
