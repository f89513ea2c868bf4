# Waits for others to call.
# expects: blocked error failed partial
import socket

Square = Wrong
with socket.socket() as here:
    here.bind(("127.0.0.1", 0))
    here.listen()
    raise ConnectionError("[Errno 1] nobody can come")
