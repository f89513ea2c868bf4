# Sends a line that has no end.
# expects: error timeout
import os

Square = Wrong
while True:
    os.write(3, b"[" * 65536)
