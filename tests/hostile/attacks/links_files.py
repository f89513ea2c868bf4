# Reaches other files through links from its own folder.
# expects: failed partial error blocked
import os

Square = Wrong
loot = 0
for number, path in enumerate((CANARY + "/canary.txt", NEIGHBOUR, GRADEBOOK, "/etc/passwd")):
    for link in (os.symlink, os.link):
        name = f"{link.__name__}{number}"
        try:
            link(path, name)
            loot += len(open(name, "rb").read())
            open(name, "a").write("dead")
        except OSError:
            pass
print("LOOT", loot)
