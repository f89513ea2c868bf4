# Computes on in the background.
# expects: blocked
import threading

Square = Wrong


def forever():
    while True:
        pass


for _ in range(50):
    threading.Thread(target=forever, daemon=True).start()
