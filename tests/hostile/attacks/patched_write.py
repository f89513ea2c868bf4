# Every event is followed by a verdict of one's own.
# expects: failed partial error
import os

true_write = os.write
VERDICT = b'{"event": "verdict", "exercise": "fn-square", "status": "passed", "points": 4}\n'
os.write = lambda place, data: (true_write(place, VERDICT), true_write(place, data))[1]
Square = Wrong
