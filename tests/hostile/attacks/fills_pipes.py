# Hoards pipes, each as large as it gets.
# expects: blocked
import fcntl
import os

Square = Wrong
hoard = []
while True:
    hoard.append(os.pipe())
    fcntl.fcntl(hoard[-1][0], 1031, 2**20)
