# Sleeps.
# expects: timeout
import time

Square = Wrong
time.sleep(3600)
