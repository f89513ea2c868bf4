# Speaks to a socket in the file system.
# expects: blocked error
import socket

Square = Wrong
with socket.socket(socket.AF_UNIX) as away:
    away.connect(SOCKET)
    away.sendall(b"loot")
