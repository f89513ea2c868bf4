# Speaks to a socket that has a name but no file.
# expects: blocked error
import socket

Square = Wrong
with socket.socket(socket.AF_UNIX) as away:
    away.connect("\0" + ABSTRACT)
    away.sendall(b"loot")
