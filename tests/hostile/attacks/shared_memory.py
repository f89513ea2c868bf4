# Makes memory that outlives the process.
# expects: blocked error
from multiprocessing import shared_memory

Square = Wrong
hoard = shared_memory.SharedMemory("loot", create=True, size=2**20)
