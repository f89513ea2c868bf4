# Makes the interpreter read where nothing is.
# expects: error
import ctypes

Square = Wrong
ctypes.string_at(0)
