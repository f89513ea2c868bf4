# Puts every descriptor in the place of every other.
# expects: failed partial error
# later: any
import os

Square = Wrong
for one in range(8):
    for other in range(8):
        try:
            os.dup2(one, other)
        except OSError:
            pass
