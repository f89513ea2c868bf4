# Catches every signal there is, and never ends.
# expects: timeout
import signal

Square = Wrong
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
