# Spoils a neighbour's hand-in.
# expects: blocked error
Square = Wrong
with open(NEIGHBOUR, "a") as stream:
    stream.write("\nraise SystemExit")
