# Sends a line, and another, and another.
# expects: error timeout
import os

Square = Wrong
while True:
    os.write(3, b'{"event": "observation", "check": "output"}\n' * 100)
