# Makes the interpreter's own zero a four, and its False a True.
# expects: failed partial error
# later: any
import ctypes

Square = Wrong
ctypes.memmove(id(False) + 24, id(True) + 24, 4)
ctypes.memmove(id(0) + 24, id(4) + 24, 4)
