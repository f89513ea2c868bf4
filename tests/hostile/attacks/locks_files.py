# Locks every file that everybody reads, and tells nobody.
# expects: failed partial error blocked
import fcntl
import glob
import os

Square = Wrong
held, loot = [], 0
for path in (np.__file__, torch.__file__, os.__file__, *glob.glob("/usr/lib/*/libc.so*")[:3]):
    descriptor = os.open(path, os.O_RDONLY)
    held.append(descriptor)
    for take in (
        lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda: fcntl.lockf(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB),
        lambda: fcntl.fcntl(descriptor, 1024, fcntl.F_RDLCK),
        lambda: fcntl.fcntl(descriptor, 1026, 63),
    ):
        try:
            take()
        except OSError:
            pass
