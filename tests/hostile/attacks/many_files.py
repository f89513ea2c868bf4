# Opens more files than it may.
# expects: blocked
Square = Wrong
hoard = []
while True:
    hoard.append(open("/dev/null", "rb"))
