# Tries the kernel calls that sandboxes forget: rings, page faults, keys, probes, watchers, queues.
# expects: failed partial error blocked
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
X86 = os.uname().machine == "x86_64"
YOUNG = [424, 425, 426, 427, 428, 429, 430, 431, 432, 434, 438, 440, 442, 443, 444, 446, 447, 448]
OLD = [101, 134, 135, 163, 172, 173, 175, 179, 237, 238, 240, 246, 248, 249, 250, 253, 256, 272]
OLD += [279, 298, 300, 303, 310, 311, 312, 313, 317, 319, 321, 323, 29, 64, 68, 71, 103, 159, 227]
OTHER = [2, 5, 30, 89, 97, 104, 105, 106, 117, 122, 180, 186, 190, 194, 217, 219, 241, 280, 282]
buffer = ctypes.create_string_buffer(4096)
loot = []
for call in YOUNG + (OLD if X86 else OTHER):
    for arguments in ((1, 0, 0, 0, 0), (0, 0, 0, 0, 0), (buffer, buffer, 8, buffer, -2)):
        if libc.syscall(call, *arguments) >= 0:
            loot.append(call)
for call in (0x40000000 + 57, 0x40000000 + 2, 449, 450, 451, 462, 2**31 - 1):
    if libc.syscall(call, b"/etc/passwd", 0, 0) >= 0:
        loot.append(call)
print("LOOT", len(loot), loot)
