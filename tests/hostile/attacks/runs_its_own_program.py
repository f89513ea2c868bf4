# Writes a program into its folder and runs it.
# expects: blocked error
import os

Square = Wrong
descriptor = os.open("program", os.O_CREAT | os.O_WRONLY, 0o755)
os.write(descriptor, b"#!/bin/sh\nsleep 600\n")
os.close(descriptor)
os.execv("./program", ["program"])
