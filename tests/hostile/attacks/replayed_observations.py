# Sends what a right solution was once observed to do.
# expects: failed partial error
import os

for line in RECORDED.splitlines():
    os.write(3, line.encode() + b"\n")
Square = Wrong
