# Reads what a neighbour has handed in, and hands it in again.
# expects: blocked error
exec(open(NEIGHBOUR).read())
Square = Square
