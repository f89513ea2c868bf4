# Makes the interpreter write where nothing is.
# expects: error
import ctypes

Square = Wrong
ctypes.memset(0, 0, 1)
