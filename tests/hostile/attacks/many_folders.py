# Fills the kernel's memory with empty folders, which take no space.
# expects: blocked
import os
import tempfile

Square = Wrong
folder = tempfile.gettempdir()
for number in range(1_000_000):
    os.mkdir(f"{folder}/{number}")
