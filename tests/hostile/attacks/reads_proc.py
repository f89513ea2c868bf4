# Looks for secrets in what the kernel tells of processes, its own among them.
# expects: failed partial error blocked
import glob

Square = Wrong
loot = 0
for pattern in ("environ", "cmdline", "maps", "mem", "fd/*", "root/etc/passwd", "cwd/*"):
    for path in [*glob.glob(f"/proc/*/{pattern}"), f"/proc/self/{pattern}", f"/proc/1/{pattern}"]:
        try:
            loot += len(open(path, "rb").read(100))
        except OSError:
            pass
print("LOOT", loot)
