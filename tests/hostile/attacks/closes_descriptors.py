# Closes every descriptor.
# expects: error
import os

Square = Wrong
os.closerange(0, 1024)
