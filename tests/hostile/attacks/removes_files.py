# Removes whatever can be reached.
# expects: failed partial error blocked
import os
import shutil

Square = Wrong
for folder in (CANARY, OUT, SUBMISSIONS, GRADERS, "/home", "/root"):
    shutil.rmtree(folder, ignore_errors=True)
for path in (CANARY + "/canary.txt", NEIGHBOUR, GRADEBOOK):
    for change in (os.unlink, lambda place: os.rename(place, "gone")):
        try:
            change(path)
        except OSError:
            pass
