# Leaves itself no descriptors, no memory and no time.
# expects: failed partial error memory_limit timeout blocked
import resource

Square = Wrong
for name in ("NOFILE", "FSIZE", "STACK", "DATA", "AS"):
    resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (0, 0))
