# Takes away permissions, times and lengths, by name and by an open file.
# expects: failed partial error blocked
import os

Square = Wrong
for path in (CANARY, CANARY + "/canary.txt", NEIGHBOUR, GRADEBOOK, np.__file__, torch.__file__):
    for change in (
        lambda place: os.chmod(place, 0),
        lambda place: os.utime(place, (1, 1)),
        lambda place: os.truncate(place, 0),
        lambda place: os.chown(place, os.getuid(), os.getgid()),
        lambda place: os.setxattr(place, "user.mine", b"mine"),
        lambda place: os.fchmod(os.open(place, os.O_RDONLY), 0),
        lambda place: os.utime(os.open(place, os.O_RDONLY), (1, 1)),
        lambda place: os.chmod(os.open(place, os.O_PATH), 0),
    ):
        try:
            change(path)
            print("LOOT 1")
        except (OSError, NotImplementedError):
            pass
