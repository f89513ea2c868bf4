# Calls home by way of the machine itself.
# expects: blocked
import socket

Square = Wrong
for host in ("127.0.0.1", "localhost", "0.0.0.0", "::1"):
    try:
        socket.create_connection((host, PORT), timeout=0.2).sendall(b"loot")
    except OSError as error:
        last = error
raise last
