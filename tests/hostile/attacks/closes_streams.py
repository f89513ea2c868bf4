# Closes the streams, and puts others in their place.
# expects: failed partial error
import sys


class Stream:
    def __getattr__(self, name):
        raise SystemExit("passed")


sys.stdout.close()
sys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = Stream()
Square = Wrong
