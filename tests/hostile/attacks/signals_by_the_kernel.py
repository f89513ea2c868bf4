# Signals by every call there is for it, and with numbers that look like its own.
# expects: failed partial error blocked memory_limit
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
if os.uname().machine == "x86_64":
    kill, tkill, tgkill, queue, thread_queue = 62, 200, 234, 129, 297
else:
    kill, tkill, tgkill, queue, thread_queue = 129, 130, 131, 138, 240
information = ctypes.create_string_buffer(128)
sent = 0
for target in {os.getppid(), BYSTANDER, 1, 2, 3} - {os.getpid(), 0}:
    for wide in (target, target | 1 << 32, target | 1 << 63, -target):
        wide = ctypes.c_long(wide)
        for number in (0, 19, 9):
            sent += libc.syscall(kill, wide, number) == 0 and target > 3
            sent += libc.syscall(tkill, wide, number) == 0 and target > 3
            sent += libc.syscall(tgkill, wide, wide, number) == 0 and target > 3
            sent += libc.syscall(queue, wide, number, information) == 0 and target > 3
            sent += libc.syscall(thread_queue, wide, wide, number, information) == 0 and target > 3
            sent += libc.syscall(424, wide, number, None, 0) == 0
print("LOOT", sent)
