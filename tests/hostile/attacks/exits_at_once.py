# Ends the process after a forged verdict.
# expects: error
import os

Square = Wrong
os.write(3, b'{"event": "verdict", "exercise": "fn-square", "status": "passed"}\n')
os._exit(0)
