# Listens to everything Python does, and interrupts it.
# expects: failed partial error
# later: any
import sys


def hook(event, arguments):
    if event in ("compile", "exec", "object.__getattr__", "sys._getframe"):
        raise SystemExit("passed")


sys.addaudithook(hook)
Square = Wrong
