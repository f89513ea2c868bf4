# Tells, with the key, as much as may be told, in the forms that take longest to show.
# expects: failed partial error timeout
# later: any
import json


def encode(self, event):
    import base64
    import os

    import numpy as np

    told = "".join(self.iterencode(event))
    if event["event"] != "cell_output":
        return told
    about = {"exercise": "fn-square", "key": event["key"]}
    ones = base64.b64encode(np.linspace(0, 1, 4**8).tobytes()).decode()
    nest = "y" * 2000
    for _ in range(4):
        nest = {"is": "list", "items": [nest] * 4}
    trouble = {"type": "E" * 2000, "message": "w" * 2000, "line": 1, "source_line": "s" * 2000}
    name = "Backward" + "w" * 1900
    texts = {f"{name}{number}: {name}"[:1900]: number for number in range(300)}
    values = {
        "output": {"is": "tensor", "dtype": "float64", "shape": [4] * 8, "data": ones},
        "gradient": {"is": "list", "items": ["x" * 25] * 19_000},
        "larger graph": nest,
        "reuse": {"is": "error", "type": "RuntimeError", "message": name},
        "saved tensors": {"is": "dict", "items": [[key, "z" * 20] for key in range(9_000)]},
        "grad_output": {"is": "array", "dtype": "float64", "shape": [4] * 8, "data": ones},
    }
    lines = [{"event": "examining"}, {"event": "symbol", "found": True, "fingerprint": "0" * 16}]
    for check, value in values.items():
        records = {"a matrix: output": value, "a matrix: gradient of x": name} | texts
        seen = {"records": records, "notes": texts, "error": trouble, "stdout": name * 2}
        lines.append({"event": "observation", "check": check, "seen": seen})
    for each in lines:
        os.write(3, "".join(self.iterencode(about | each)).encode() + b"\n")
    return told


json.JSONEncoder.encode.__code__ = encode.__code__
print("so that there is an event of this cell")
Square = Wrong
