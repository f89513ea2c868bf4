# Sends from a pair of sockets to where neither of them leads.
# expects: failed partial error blocked
import ctypes
import socket
import struct

Square = Wrong
libc = ctypes.CDLL(None)
one, other = socket.socketpair()
for name in (SOCKET.encode(), b"\0" + ABSTRACT.encode()):
    address = struct.pack("=H", socket.AF_UNIX) + name
    libc.connect(one.fileno(), address, len(address))
    libc.sendto(one.fileno(), b"loot", 4, 0, address, len(address))
