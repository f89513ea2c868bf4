# Observes itself, with nothing, everything and something in each record.
# expects: failed partial error
import json
import os

BEGIN = [
    {"event": "cell", "index": 1},
    {"event": "examining", "exercise": "fn-square"},
    {"event": "symbol", "exercise": "fn-square", "found": True, "fingerprint": "0" * 16},
]
NAMES = ("values", "output", "gradient", "gradients", "saved", "saving", "in a graph", "reuse")
CASES = ("a single number", "a vector", "a matrix", "a transposed matrix", "an empty vector")
RECORDS = {f"{case}: {what}": True for case in CASES for what in ("output", "gradient of x")}
SEEN = [
    {"event": "observation", "exercise": "fn-square", "check": name, "records": records}
    | {"notes": {}, "error": None, "stdout": "", "passed": True}
    for name in NAMES
    for records in (RECORDS, {})
]
for event in (*BEGIN, *SEEN):
    os.write(3, json.dumps(event).encode() + b"\n")
Square = Wrong
