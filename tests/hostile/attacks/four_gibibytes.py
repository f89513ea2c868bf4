# Asks for 4 GiB.
# expects: memory_limit
Square = Wrong
hoard = bytearray(4 * 2**30)
