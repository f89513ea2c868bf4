# Sends a packet that needs no connection.
# expects: blocked
import socket

Square = Wrong
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as away:
    away.sendto(b"loot", ("127.0.0.1", UDP_PORT))
