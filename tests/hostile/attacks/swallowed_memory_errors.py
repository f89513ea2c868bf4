# Asks for more, and does not take no for an answer.
# expects: timeout memory_limit error
Square = Wrong
hoard = []
while True:
    try:
        hoard.append(bytes(2**20))
    except MemoryError:
        continue
