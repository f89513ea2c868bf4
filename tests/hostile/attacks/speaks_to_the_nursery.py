# Looks for the socket by which workers are asked for, and asks for one, or for its own end.
# expects: failed partial error
import array
import os
import socket

Square = Wrong
loot = 0
for descriptor in [*range(64), 100, 255, 256, 1023]:
    try:
        line = socket.socket(fileno=os.dup(descriptor))
    except OSError:
        continue
    loot += 1
    try:
        handed = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
        line.sendmsg([b"s"], [handed])
        line.sendall(b"e\0\0\0\0rrrr")
    except OSError:
        pass
print("LOOT", loot)
