# Writes to stdout and stderr, and around them.
# expects: failed partial error timeout
import os
import sys

Square = Wrong
for _ in range(200):
    print("x" * 10**5)
    print("y" * 10**5, file=sys.stderr)
    sys.__stdout__.write("z" * 10**5)
    os.write(1, b"passed\n" * 10**4)
    os.write(2, b"passed\n" * 10**4)
