# Fills files that are nowhere but in memory.
# expects: blocked error memory_limit
import os

Square = Wrong
hoard = []
while True:
    hoard.append(os.memfd_create("loot"))
    os.write(hoard[-1], bytes(2**23))
