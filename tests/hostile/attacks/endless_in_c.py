# Waits inside of the interpreter, where no signal handler runs.
# expects: timeout
import re

Square = Wrong
re.match(r"(a|aa)*$", "a" * 200 + "b")
