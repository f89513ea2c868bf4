# Goes deeper than the interpreter's stack.
# expects: error
import sys

Square = Wrong
sys.setrecursionlimit(10**8)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name)


Deep().x
