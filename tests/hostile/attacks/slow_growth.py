# Asks for a little more, again and again.
# expects: memory_limit
Square = Wrong
hoard = []
while True:
    hoard.append(np.empty(2**17))
