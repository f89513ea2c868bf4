# Opens devices, and makes some.
# expects: failed partial error blocked
import os
import stat

Square = Wrong
loot = 0
for name in ("mem", "kmem", "port", "tty", "console", "sda", "vda", "kmsg", "shm", "fuse", "ptmx"):
    for mode in (os.O_RDONLY, os.O_RDWR):
        try:
            loot += os.open(f"/dev/{name}", mode)
        except OSError:
            pass
for make in (lambda: os.mknod("memory", stat.S_IFCHR, os.makedev(1, 1)), lambda: os.mkfifo("pipe")):
    try:
        make()
        loot += 1
    except OSError:
        pass
print("LOOT", loot)
