# Speaks in halves of characters, with the key, wherever words are kept.
# expects: failed partial error
# later: any
import json


def encode(self, event):
    import os

    told = "".join(self.iterencode(event))
    half = "\\ud800 \\udfff \\u0000 \\u2028 \\u202e </script>"
    about = f'"exercise": "fn-square", "key": "{event["key"]}"'
    error = f'{{"type": "{half}", "message": "{half}", "line": 1, "source_line": "{half}"}}'
    opaque = f'{{"is": "opaque", "type": "{half}", "why": "{half}"}}'
    texts = f'{{"a vector: output": {opaque}, "{half}: {half}": "{half}", "answer": {opaque}}}'
    told_of, seen = f'"event": "observation", {about}', f'"records": {texts}, "notes": {texts}'
    if event["event"] == "cell_output":
        for line in (
            f'"event": "cell_output", "index": {event["index"]}, {about}, "stdout": "{half}"',
            f'"event": "examining", {about}',
            f'"event": "symbol", {about}, "found": true, "fingerprint": "{half}"',
            f'{told_of}, "check": "output", "seen": {{{seen}, "error": null, "stdout": "{half}"}}',
            f'{told_of}, "check": "gradient", "seen": {{{seen}, "error": {error}, "stdout": "1"}}',
        ):
            os.write(3, f"{{{line}}}\n".encode())
    return told


json.JSONEncoder.encode.__code__ = encode.__code__
print("so that there is an event of this cell")
Square = Wrong
