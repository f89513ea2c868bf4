# Writes to somebody else's file.
# expects: blocked error
Square = Wrong
with open(CANARY + "/canary.txt", "w") as stream:
    stream.write("dead")
