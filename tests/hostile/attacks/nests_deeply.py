# Sends lines that are nested too deeply to be read.
# expects: failed partial error
import os

for part in (b"[", b'{"a":', b'[{"event":'):
    os.write(3, b'{"event": ' + part * 100_000 + b"\n")
os.write(3, b'{"event": ' + b"[" * 60 + b"]" * 60 + b', "status": "passed"}\n')
Square = Wrong
