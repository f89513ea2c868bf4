# Becomes another program.
# expects: blocked error
import os
import sys

Square = Wrong
os.execv("/bin/sh", ["sh", "-c", f"echo dead > {CANARY}/canary.txt; sleep 600"])
