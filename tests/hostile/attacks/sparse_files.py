# Makes files of terabytes that hold nothing, by every call there is for it.
# expects: failed partial error blocked
import os

for number in range(20):
    with open(f"sparse{number}", "wb") as stream:
        for act in (
            lambda: os.truncate(stream.fileno(), 1 << 43),
            lambda: os.posix_fallocate(stream.fileno(), 0, 1 << 40),
            lambda: os.pwrite(stream.fileno(), b"x", 1 << 50),
        ):
            try:
                act()
                print("LOOT taken")
            except OSError:
                pass
Square = Wrong
