# Reads and writes the memory of other processes.
# expects: failed partial error blocked
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
loot = 0
trace, read, write, pidfd = (
    (101, 310, 311, 434) if os.uname().machine == "x86_64" else (117, 270, 271, 434)
)
buffer = ctypes.create_string_buffer(64)
vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
for process in {1, os.getppid(), BYSTANDER} - {os.getpid(), 0}:
    for call in ((trace, 16, process, 0, 0), (trace, 0x4206, process, 0, 0), (pidfd, process, 0)):
        loot += libc.syscall(*call) >= 0 and process > 2
    for call in (read, write):
        loot += libc.syscall(call, process, vector, 1, vector, 1, 0) > 0
print("LOOT", loot)
