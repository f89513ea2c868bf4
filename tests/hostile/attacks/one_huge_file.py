# Makes a file that is larger than any may be.
# expects: blocked
Square = Wrong
with open("huge.bin", "wb") as stream:
    stream.truncate(2**40)
    stream.seek(2**40)
    stream.write(b"x")
