# Makes namespaces, mounts, roots, keys and files in memory by calls into the kernel.
# expects: failed partial error blocked
import ctypes
import os

Square = Wrong
libc = ctypes.CDLL(None)
X86 = os.uname().machine == "x86_64"
mount, chroot, pivot, setns, swap = (165, 161, 155, 308, 167) if X86 else (40, 51, 41, 268, 224)
loot = 0
for flag in (0x00020000, 0x10000000, 0x20000000, 0x40000000):
    libc.unshare(flag)
loot += libc.syscall(mount, b"none", b"/tmp", b"proc", 0, None) == 0
loot += libc.syscall(mount, b"/", b"/tmp", None, 4096, None) == 0
libc.syscall(chroot, b"/tmp")
loot += libc.syscall(pivot, b"/tmp", b"/tmp") == 0
loot += libc.syscall(swap, b"/dev/vda", 0) == 0
for name in ("mnt", "pid", "net", "user"):
    try:
        loot += libc.syscall(setns, os.open(f"/proc/1/ns/{name}", os.O_RDONLY), 0) == 0
    except OSError:
        pass
print("LOOT", loot)
