# Maps memory, 4 GiB of it.
# expects: memory_limit
import mmap

Square = Wrong
hoard = mmap.mmap(-1, 4 * 2**30)
