# Makes copies of itself for as long as it can.
# expects: blocked timeout
import os

Square = Wrong
while True:
    os.fork()
