# Opens files by the numbers that the file system has for them.
# expects: failed partial error blocked
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
call = 304 if os.uname().machine == "x86_64" else 265
loot = 0
place = os.open("/", os.O_RDONLY)
for number in (1, 2, 11, 12, 128):
    handle = ctypes.create_string_buffer(
        (8).to_bytes(4, "little") + (1).to_bytes(4, "little") + number.to_bytes(8, "little")
    )
    loot += libc.syscall(call, place, handle, os.O_RDONLY) >= 0
print("LOOT", loot)
