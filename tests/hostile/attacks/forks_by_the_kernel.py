# Makes a process by every call there is for it.
# expects: failed partial error blocked
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
made = 0
calls = (56, 57, 58, 435) if os.uname().machine == "x86_64" else (220, 435)
for number in calls:
    result = libc.syscall(number, 17, 0, 0, 0, 0)
    if result == 0:
        while True:
            pass
    made += result > 0
print("LOOT", made)
