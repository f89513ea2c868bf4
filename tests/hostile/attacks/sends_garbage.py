# Sends bytes that are no text, texts that are no JSON, and half a line at the end.
# expects: failed partial error
import os

os.write(3, bytes(range(256)) * 100 + b"\n")
os.write(3, b'\xff\xfe\x00{"event": "done"}\n{"event": "done"\n"done"\n17\nnull\n[]\nNaN\n')
os.write(3, b'{"event": "\\ud800"}\n{"event": "done", "event": ["done"]}\n' + b"9" * 5000 + b"\n")
Square = Wrong
