# Starts another program.
# expects: blocked error
import subprocess

Square = Wrong
subprocess.run(["/bin/sh", "-c", f"echo dead > {CANARY}/canary.txt; sleep 600 &"], check=True)
