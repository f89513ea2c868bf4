# Has the collector of garbage call its code in the middle of a check.
# expects: failed partial error blocked timeout
import gc
import sys


def put_right(phase, about):
    frame = sys._getframe()
    while frame is not None:
        own = frame.f_locals.get("self")
        for name, value in list(getattr(own, "records", {}).items()):
            own.records[name] = True if value is False else value
        frame = frame.f_back


gc.callbacks.append(put_right)
gc.set_threshold(100, 5, 5)
Square = Wrong
