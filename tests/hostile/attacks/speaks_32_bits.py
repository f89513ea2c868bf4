# Writes machine code into memory, and calls the kernel by the tables of another architecture.
# expects: failed partial error blocked
import ctypes
import mmap

Square = Wrong
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # mov eax, fork; int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
