# Tells the same check again and again, a little different each time.
# expects: failed partial error
import json
import os

told = {"event": "observation", "exercise": "fn-square", "check": "output", "notes": {}}
for number in range(2000):
    event = told | {"records": {"output": number, str(number): True}, "stdout": "x" * 100}
    os.write(3, json.dumps(event).encode() + b"\n")
Square = Wrong
