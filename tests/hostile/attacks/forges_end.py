# Says that everything is done, and goes on.
# expects: failed partial error
import os

os.write(3, b'{"event": "done"}\n{"event": "done", "status": "passed"}\n')
Square = Wrong
