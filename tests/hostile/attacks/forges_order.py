# Tells events that are over, not yet due, or of other cells and exercises.
# expects: failed partial error memory_limit
# later: any
import json
import os

for event in (
    {"event": "ready"},
    {"event": "cell", "index": -1},
    {"event": "cell", "index": 10**30},
    {"event": "cell", "index": 0},
    {"event": "examining", "exercise": "fn-exp"},
    {"event": "symbol", "exercise": "fn-exp", "found": False},
    {"event": "examining", "exercise": ["fn-square"]},
    {"event": "cell_error", "index": 1, "error": {"type": "MemoryError", "message": 7}},
    {"event": "cell_output", "index": 1, "stdout": {"passed": True}},
    {"event": "broken", "error": "nothing"},
    {"event": {"event": "done"}},
):
    os.write(3, json.dumps(event).encode() + b"\n")
Square = Wrong
