# Gives itself more memory, time, processes and files.
# expects: memory_limit
import resource

Square = Wrong
for name in ("AS", "CPU", "NPROC", "NOFILE", "FSIZE", "CORE"):
    kind = getattr(resource, f"RLIMIT_{name}")
    for wanted in (resource.RLIM_INFINITY, 2**40):
        for change in (
            lambda: resource.setrlimit(kind, (wanted, wanted)),
            lambda: resource.prlimit(0, kind, (wanted, wanted)),
            lambda: resource.prlimit(BYSTANDER, kind, (0, 0)),
        ):
            try:
                change()
            except (OSError, ValueError):
                pass
hoard = bytearray(4 * 2**30)
