# Writes until there is no space left.
# expects: blocked
Square = Wrong
number = 0
while True:
    number += 1
    with open(f"{number}.bin", "wb") as stream:
        stream.write(bytes(2**20))
