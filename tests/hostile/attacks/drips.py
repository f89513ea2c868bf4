# Tells its observation one byte at a time.
# expects: failed partial error timeout
import os
import time

Square = Wrong
for _ in range(100_000):
    os.write(3, b" ")
os.write(3, b'{"event": "verdict", "status": "passed"}\n')
