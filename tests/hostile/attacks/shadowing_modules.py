# Leaves modules of well-known names in the working folder.
# expects: failed partial error blocked
import sys

Square = Wrong
sys.path.insert(0, "")
for name in ("numpy.py", "json.py", "base64.py", "zlib.py"):
    with open(name, "w") as stream:
        stream.write("raise SystemExit('mine')")
